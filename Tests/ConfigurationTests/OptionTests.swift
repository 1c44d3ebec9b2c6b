// The tests of the option table against the file with the defaults and the manual page.

import Foundation
import Testing
import Text

@testable import Configuration

@Suite struct OptionTests {
    static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")

    static func lines(of file: String) throws -> [String] {
        let text = try String(contentsOf: checkout.appendingPathComponent(file), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns true for a line like `#mixer = 0;`: a `#` and a name. A `#` and a space is prose.
    static func isOption(_ line: String) -> Bool {
        let text = line.drop { $0 == " " }
        return text.first == "#" && text.dropFirst().first?.isLetter == true
    }

    @Test func keys_areUnique_andNotSimilar() {
        let keys = Option.all.map(\.key)
        #expect(Set(keys).count == keys.count)
        for option in Option.all {
            #expect(option.key == "\(option.group).\(option.name)")
            let others = Option.all.filter { $0.key != option.key && $0.group == option.group }
            #expect(!others.contains { $0.name.isNearly(option.name) })
        }
    }

    @Test func standard_isReadAsTheDefault() {
        for option in Option.all {
            let reading = reading("\(option.group): { \(option.name) = \(option.standard); };")
            #expect(reading.problems.isEmpty)
            #expect(reading.configuration == Configuration())
        }
    }

    @Test func fileWithTheDefaults_givesTheDefaults() throws {
        let reading = reading(try OptionTests.lines(of: "config/rooster.conf").joined(separator: "\n"))
        #expect(reading.problems.isEmpty)
        #expect(reading.configuration == Configuration())
    }

    @Test func fileWithTheDefaults_hasEveryOption_commented_inItsGroup() throws {
        var (written, group): ([String], String) = ([], "")
        for line in try OptionTests.lines(of: "config/rooster.conf") {
            if line.first?.isLetter == true { group = String(line.prefix { $0 != ":" }) }
            if OptionTests.isOption(line) { written.append("\(group).\(line.drop { $0 == " " || $0 == "#" })") }
        }
        #expect(written == Option.all.map { "\($0.key) = \($0.standard);" })
    }

    /// The reader must read each uncommented line: an impossible value is reported at that line.
    @Test func fileWithTheDefaults_withImpossibleValues_isReportedInEveryLine() throws {
        var expected: [Int] = []
        let lines = try OptionTests.lines(of: "config/rooster.conf").enumerated().map { index, line in
            guard OptionTests.isOption(line) else { return line }
            expected.append(index + 1)
            return line.prefix { $0 != "=" }.replacingOccurrences(of: "#", with: "") + "= { };"
        }
        let reading = reading(lines.joined(separator: "\n"))
        #expect(reading.problems.map(\.line) == expected)
        #expect(reading.problems.map(\.key) == Option.all.map(\.key))
    }

    @Test func manualPage_listsEveryOption_withItsDefault() throws {
        let entries = try OptionTests.lines(of: "deploy/man/rooster.conf.5").filter { line in
            line.hasPrefix(".BR ") && line.dropFirst(4).prefix { $0 != " " }.contains(".")
        }
        #expect(entries.map { String($0.dropFirst(4).prefix { $0 != " " }) } == Option.all.map(\.key))
        for (entry, option) in zip(entries, Option.all) {
            let standard = option.standard.replacingOccurrences(of: "\"", with: "\\(dq")
            #expect(entry.hasSuffix(" \(standard))\""), "\(entry)")
        }
    }
}
