// The tests of rooster's manual: it lists every command and option, and groff accepts it.

import Foundation
import Oracles
import Testing

@testable import rooster

@Suite struct ManualTests {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("deploy/man/rooster.1")

    /// Returns the manual without font changes.
    static func text() throws -> String {
        let text = try String(contentsOf: file, encoding: .utf8).replacing(#"\-"#, with: "-")
        return [#"\fB"#, #"\fI"#, #"\fP"#, #"\fR"#].reduce(text) { $0.replacing($1, with: "") }
    }

    @Test func commandsInTheManual_matchTheCommandTable() throws {
        // Each entry of that section begins with the command's name.
        let text = try Self.text()
        let start = try #require(text.range(of: ".SH COMMANDS"))
        let end = try #require(text.range(of: ".SH TIME AND DAYS"))
        let lines = text[start.upperBound..<end.lowerBound].split(separator: "\n")
        let entries = zip(lines, lines.dropFirst()).filter { $0.0 == ".TP" }.map { $0.1 }
        let names = entries.map { entry in
            entry.split { $0 == " " || $0 == "\"" }.drop { $0 != "rooster" }.dropFirst().first.map(String.init) ?? ""
        }
        // The entries of options begin with no name.
        #expect(names.filter { !$0.isEmpty } == CommandTable.all.map(\.name))
    }

    @Test(.enabled(if: access("/usr/bin/groff", X_OK) == 0)) func manual_isFormattedWithoutErrors() throws {
        let run = try Program("/usr/bin/groff", ["-man", "-ww", "-z", Self.file.path])
        #expect(run.errors.isEmpty)
    }

    /// The manual and the help explain every option of a command.
    @Test(arguments: CommandTable.all.map(\.name))
    func manualAndHelp_explainEachOption(name: String) throws {
        let command = try #require(CommandTable.command(named: name))
        for text in [try Self.text(), command.help] {
            let words = Set(text.split { !$0.isLetter && $0 != "-" }.map(String.init))
            for option in command.valued.union(command.flags).union(command.repeated) {
                #expect(words.contains(option), "\(name) \(option)")
            }
        }
        #expect(command.help.hasPrefix("Usage: rooster \(name)"))
        #expect(try Self.text().contains(command.summary))
    }

    @Test func help_fitsATerminal() {
        for help in CommandTable.all.map(\.help) + [CommandTable.overview] {
            for line in help.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        }
        for command in CommandTable.all {
            #expect(command.summary.count <= 50 && command.summary.first?.isUppercase == true, "\(command.name)")
        }
    }
}
