// The test of a journal that an earlier version wrote: it opens, and each of its records is read as before.

import Foundation
import Journal
import Oracles
import Records
import Testing

@testable import Engine

/// `Golden/journal-000000000001` is the only file of a journal of November 2026, before version 0.1. Its records are
/// the first 48 lines of `Golden/facts.txt`, a second apart, in commits of five.
@Suite struct OldJournalTests {
    private static let first: Int64 = 1_768_197_600_000

    @Test func journalOfAnEarlierVersion_opens_andReplays() throws {
        let scratch = try Scratch()
        let name = "journal-000000000001"
        let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
            "Golden/\(name)")
        try Data(contentsOf: golden).write(to: URL(fileURLWithPath: scratch.path).appendingPathComponent(name))
        let opened = try Journal.open(try LinuxDisk(directory: scratch.path))
        defer { opened.journal.close() }
        #expect(!opened.report.isDamaged && opened.report.tornTail == nil)
        let lines = GoldenFactsTests.lines.prefix(48)
        #expect(opened.records.map(\.kind.rawValue) == lines.map(\.kind))
        #expect(opened.records.map(\.payload) == lines.map(\.payload))
        let entries = opened.records.compactMap { Entry($0) }
        #expect(entries.map(\.millisecondsSince1970) == (0..<48).map { Int(Self.first) + $0 * 1000 })
        let engine = Engine(replaying: entries)
        #expect(engine.codes.map(\.label) == ["milk"])
        #expect(engine.history.map(\.ending) == [.dismissed, .dismissed, .missed])
        // The journal is continued.
        let again = Entry(millisecondsSince1970: Int(Self.first) + 60_000, .alarmDeleted("work"))
        #expect(try opened.journal.append([NewRecord(again)]).map(\.sequence) == [49])
    }
}
