// The test of a real process on a real file system: SIGKILL must not lose an acknowledged record.

import Foundation
import Journal
import Oracles
import Testing

@Suite struct KilledProcessTests {
    @Test func acknowledgedRecords_surviveAKill() throws {
        let scratch = try Scratch()
        var random = SeededRandom(seed: 3)
        var last = 0
        let kills = Thoroughness.pick(100, full: 5000)
        for kill in 1...kills {
            let said = try linesUntilKilled(scratch.path, after: Int.random(in: 0...10, using: &random))
            for line in said { last = try #require(Int(line), "after \(kill) kills it said: \(line)") }
            let opened = try Journal.open(try LinuxDisk(directory: scratch.path))
            let found = try counts(opened.records)
            opened.journal.close()
            #expect(!opened.report.isDamaged, "after \(kill) kills: \(opened.report.damage)")
            // Records in flight at the kill may be present as well.
            let newest = found.last ?? 0
            #expect((last...last + 6).contains(newest), "after \(kill) kills: \(newest) is the newest of \(last)")
            last = newest
        }
        print("\(kills) kills, \(last) records")
    }

    /// Returns the records' numbers. Each must be one more than the last, from record 1 or a snapshot on.
    func counts(_ records: [Record]) throws -> [Int] {
        var counts: [Int] = []
        for record in records {
            let words = String(decoding: record.payload, as: UTF8.self).split(separator: " ")
            let count = try #require(Int(words[0]))
            if let last = counts.last {
                #expect(count == last + 1)
            } else if words.count < 4 {
                #expect(count == 1)
            }
            counts.append(count)
        }
        return counts
    }

    /// Returns the appender's output up to its kill, which comes after this many lines.
    func linesUntilKilled(_ directory: String, after lineCount: Int) throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built("appender"))
        process.arguments = [directory]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var bytes = Data()
        while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < lineCount {
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            bytes += more
        }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        bytes += pipe.fileHandleForReading.readDataToEndOfFile()
        // A line that is cut off acknowledges nothing.
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
    }
}
