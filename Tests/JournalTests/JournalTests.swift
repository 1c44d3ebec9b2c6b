// The tests of the journal on a disk without faults.

import SimulatedDevices
import Testing

@testable import Journal

@Suite struct JournalTests {
    @Test func open_ofAnEmptyDirectory_isAFirstStart() throws {
        let opened = try Journal.Opened.on(SimulatedDisk())
        #expect(opened.records.isEmpty)
        #expect(!opened.report.isDamaged)
    }

    @Test func open_returnsTheStoredRecords() throws {
        let image = try image { journal in
            try journal.append([record("a"), record("b")])
            try journal.append([record("c")])
        }
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["a", "b", "c"])
        #expect(opened.records.map(\.sequence) == [1, 2, 3])
        #expect(opened.records[2].kind == RecordKind(rawValue: 3))
        #expect(opened.records[2].millisecondsSince1970 == 1_767_225_600_123)
        #expect(opened.report.tornTail == nil)
    }

    @Test func typicalAppend_isOneSyncOfFewBytes() throws {
        let (disk, journal) = try newJournal()
        let before = (bytes: disk.bytesWritten, syncs: disk.syncCount)
        try journal.append([record(String(repeating: "x", count: 200))])
        #expect(disk.syncCount - before.syncs == 1)
        #expect(disk.bytesWritten - before.bytes <= 512)
    }

    @Test func emptyAppend_writesNothing() throws {
        let (disk, journal) = try newJournal()
        let before = disk.bytesWritten
        #expect(try journal.append([]).isEmpty)
        #expect(disk.bytesWritten == before)
    }

    @Test func tooLongAppend_isRefused_withoutHarm() throws {
        let (disk, journal) = try newJournal()
        let long = NewRecord.payloadBytesMax + 1
        #expect(throws: JournalError.tooLong(bytes: long)) {
            try journal.append([record(String(repeating: "x", count: long))])
        }
        let many = [NewRecord](repeating: record(""), count: Journal.recordsPerAppendMax + 1)
        #expect(throws: JournalError.tooMany(records: many.count)) { try journal.append(many) }
        try journal.append([record(String(repeating: "x", count: NewRecord.payloadBytesMax))])
        let reopened = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(reopened.records.map(\.payload.count) == [NewRecord.payloadBytesMax])
    }

    @Test func append_whenTheJournalIsClosed_isRefused() throws {
        let journal = try Journal.Opened.on(SimulatedDisk()).journal
        journal.close()
        journal.close()
        #expect(throws: JournalError.closed) { try journal.append([record("a")]) }
        #expect(throws: JournalError.closed) { try journal.compact(to: []) }
    }

    @Test func compaction_replacesAllRecordsWithTheSnapshot() throws {
        let (disk, journal) = try newJournal("a", "b", "c")
        #expect(try journal.compact(to: [record("abc")]).map(\.sequence) == [4])
        try journal.append([record("d")])
        let opened = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(texts(opened.records) == ["abc", "d"])
        #expect(opened.records.map(\.sequence) == [4, 5])
    }

    @Test func compaction_keepsOnlyThePreviousSegment() throws {
        let (disk, journal) = try newJournal()
        for word in ["a", "b", "c"] { try journal.compact(to: [record(word)]) }
        #expect(Set(try disk.names()) == ["journal-000000000003", "journal-000000000004"])
    }

    @Test func compaction_pays_whenTheBaseIsSmallerThanTheRest() throws {
        let journal = try Journal.Opened.on(SimulatedDisk()).journal
        #expect(!journal.compactionPays)
        while !journal.compactionPays { try journal.append([record(String(repeating: "x", count: 100))]) }
        // The base occupies four kilobytes, and each append one sector.
        try journal.compact(to: (0..<80).map { record("\($0)") })
        #expect(!journal.compactionPays)
        for _ in 0..<6 { try journal.append([record(String(repeating: "x", count: 100))]) }
        #expect(!journal.compactionPays)
        for _ in 0..<6 { try journal.append([record(String(repeating: "x", count: 100))]) }
        #expect(journal.compactionPays)
    }

    @Test func errors_nameARemedy() {
        let holder = LockHolder(processID: 417, program: "roosterd")
        #expect(
            "\(JournalError.inUse(by: holder))"
                == "The journal is in use by roosterd (process 417): stop that process first")
        #expect(
            "\(JournalError.writeFailed(DiskError(.write, "journal-000000000001", .system(28))))"
                == "the disk is full: free some space on it"
        )
    }
}
