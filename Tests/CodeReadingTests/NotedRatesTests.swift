// The test of the noted reading rates: no cell of the corpus may fall, and no payload may be read wrong.

import Foundation
import Oracles
import Specimens
import Testing

@testable import CodeReading

@Suite struct NotedRatesTests {
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("rates.txt")
    /// The number of noted specimens per cell.
    static let count = 12

    /// Returns for each of a cell's first specimens whether the reader reads it without a time limit.
    static func read(_ cell: SpecimenCell, first count: Int) throws -> [Bool] {
        try (0..<count).map { number in
            let specimen = try Specimen(cell, number: number)
            var reader = CodeReader()
            var isRead = false
            for frame in specimen.frames {
                for code in reader.read(frame, wanted: [.qr], budgetMilliseconds: 60_000).codes {
                    #expect(code.payload == specimen.payload, "\(cell) \(number): a payload that is not there")
                    isRead = true
                }
            }
            return isRead
        }
    }

    /// Other decoder versions read other pictures, so the file's first line names the versions.
    private static func heading() throws -> String {
        let versions = try Program(
            "/usr/bin/dpkg-query", ["-W", "-f", "${Package} ${Version}\n", "libzbar0*", "libzxing*"])
        let upstream = versions.lines.compactMap { line -> String? in
            let parts = line.split(separator: " ")
            guard parts.count == 2, !parts[0].hasSuffix("dev"), let name = parts[0].firstMatch(of: /zbar|zxing/) else {
                return nil
            }
            return "\(name.output) \(parts[1].prefix { $0 != "-" })"
        }
        return "# Which specimens are read (1) and which are not (0), by " + upstream.sorted().joined(separator: ", ")
    }

    @Test(.enabled(if: getenv("ROOSTER_NOTE_RATES") != nil)) func rates_whenRequested_areWritten() throws {
        let lines = try SpecimenCell.all.map { cell in
            "\(cell) \(try Self.read(cell, first: Self.count).map { $0 ? "1" : "0" }.joined())"
        }
        let text = try ([Self.heading()] + lines).joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: Self.file)
    }

    @Test(.enabled(if: getenv("ROOSTER_NOTE_RATES") == nil), arguments: SpecimenCell.all)
    func rate_isNotBelowTheNotedRate(cell: SpecimenCell) throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let read = try Self.read(cell, first: Thoroughness.pick(4, full: Self.count))
        if cell.condition == .empty { #expect(!read.contains(true)) }
        guard try lines.first.map(String.init) == Self.heading() else { return }
        let line = try #require(lines.first { $0.hasPrefix("\(cell) ") })
        let noted = line.drop { $0 != " " }.dropFirst()
        let before = noted.prefix(read.count).count { $0 == "1" }
        #expect(read.count { $0 } >= before, "\(cell): they were \(before); ROOSTER_NOTE_RATES=1 notes what is")
    }
}
