// The tests of a journal whose end a power cut has torn in a commit, or that was damaged there later.

import SimulatedDevices
import Testing

@testable import Journal

@Suite struct TailTests {
    let first = SegmentName.segment(1).text

    /// After a power cut, the sector of an unacknowledged commit may hold anything, so no acknowledged
    /// record may share it.
    @Test func commits_shareNoSector() throws {
        let (disk, journal) = try newJournal()
        for word in ["a", "b", "c", "d", "e"] {
            let before = disk.imageAfterWorstCut
            try journal.append([record(word)])
            let after = disk.imageAfterWorstCut
            let old = try #require(before.files[first])
            let new = try #require(after.files[first])
            let changed = zip(old, new).enumerated().filter { $1.0 != $1.1 }.map { $0.offset / Sector.bytes }
            #expect(Set(changed).count == 1)
            let sector = try #require(changed.first)
            #expect(old[sector * Sector.bytes..<(sector + 1) * Sector.bytes].allSatisfy { $0 == 0 })
        }
    }

    @Test func garbageInTheLastSector_costsOnlyItsCommit() throws {
        var image = try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
        }
        let sector = try image.offset(of: "c", in: 1) / Sector.bytes * Sector.bytes
        image.files[first]?.replaceSubrange(
            sector..<sector + Sector.bytes, with: [UInt8](repeating: 0xFF, count: Sector.bytes))
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["a", "b"])
        #expect(opened.report.tornTail?.bytes == sector..<sector + Sector.bytes)
        #expect(opened.report.tornTail?.recordCount == 0)
        #expect(opened.report.setAside.isEmpty)
    }

    /// The last of a hundred records in one append is damaged. The append does not count, but it may have
    /// been acknowledged, so the other ninety-nine must stay on the disk.
    @Test func tailWithWholeRecords_isKept() throws {
        let disk = SimulatedDisk(try imageWithALongTail())
        let tail = SegmentName.tail(2).text
        let opened = try Journal.Opened.on(disk)
        #expect(texts(opened.records) == ["a"])
        #expect(!opened.report.isDamaged)
        #expect(opened.report.tornTail?.recordCount == 99)
        #expect(opened.report.tornTail?.description.hasSuffix("(99 complete records in it are not used)") == true)
        #expect(opened.report.setAside == [tail])
        let bytes = try #require(try imageWithALongTail().files[first])
        let kept = try #require(disk.imageAfterWorstCut.files[tail])
        #expect(bytes[1024...].starts(with: kept.dropFirst(Sector.bytes)))
        // The copy can be read, although the append is not whole.
        let inspection = try Inspection(file: tail, on: SimulatedDisk(disk.imageAfterWorstCut))
        #expect(inspection.records.count == 99 && inspection.damage.isEmpty)
        #expect(disk.imageAfterWorstCut.files[first]?[1024...].allSatisfy { $0 == 0 } == true)
        #expect(try opened.journal.append([record("b")]).map(\.sequence) == [2])
        opened.journal.close()
        let again = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(texts(again.records) == ["a", "b"])
        #expect(again.report.tornTail == nil)
        #expect(again.report.setAside == [tail])
    }

    /// Returns a journal with a record and an append of a hundred more, of which the last is damaged.
    func imageWithALongTail(after old: DiskImage = DiskImage()) throws -> DiskImage {
        let disk = SimulatedDisk(old)
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
        try journal.append((0..<100).map { record("\($0) " + String(repeating: "x", count: 60)) })
        var image = disk.imageAfterWorstCut
        try image.damage("99 ", in: 1)
        return image
    }

    /// After repeated power cuts, the copies of torn tails must not fill the disk.
    @Test func onlyOneTail_isKept() throws {
        let disk = SimulatedDisk(try imageWithALongTail())
        let journal = try Journal.Opened.on(disk).journal
        try journal.compact(to: [record("all")])
        let (old, segment) = (SegmentName.tail(2).text, SegmentName.segment(3).text)
        #expect(try disk.names().sorted() == [first, old, segment])
        try journal.append([record("f"), record("g")])
        var image = disk.imageAfterWorstCut
        try image.damage("g", in: 3)
        let last = SimulatedDisk(image)
        #expect(try Journal.Opened.on(last).report.setAside == [SegmentName.tail(4).text])
        #expect(try last.names().sorted() == [first, segment, SegmentName.tail(4).text])
        // The old copy is removed only once the new one is durable.
        for after in 0..<4 {
            let failing = SimulatedDisk(image)
            failing.faults = [DiskFault(.full, after: after, count: 1)]
            let report = try Journal.Opened.on(failing).report
            for name in report.setAside { #expect(try failing.names().contains(name)) }
            #expect(!report.setAside.isEmpty)
        }
    }

    /// If the disk has no room for a copy of the tail, the journal does without it rather than refuse the
    /// owner's next change.
    @Test func journal_continues_whenACopyOfItsTailDoesNotFit() throws {
        let disk = SimulatedDisk(try imageWithALongTail())
        disk.capacity = 0
        let opened = try Journal.Opened.on(disk)
        #expect(opened.report.cannotWrite == nil)
        #expect(opened.report.setAside.isEmpty)
        #expect(opened.journal.lastFailure?.isForWantOfRoom == true)
        try opened.journal.append([record("b")])
        #expect(try disk.names() == [first])
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a", "b"])
    }

    /// The first append of the commit is whole, and the second is torn within the same sector. Removing the
    /// second must not rewrite the first.
    @Test func tailInASectorWithRecords_isNotWrittenOver() throws {
        var image = try image { try $0.append(together: [[record("a")], [record("b")]]) }
        try image.damage("b", in: 1)
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(texts(opened.records) == ["a"])
        #expect(opened.report.setAside.isEmpty)
        #expect(disk.imageAfterWorstCut.files[first] == image.files[first])
        #expect(try Journal.Opened.on(disk.imageAfterWorstCut).report.tornTail == nil)
    }

    /// The rest of a torn record looks like the start of the next record. The length in it must not make
    /// recovery call the file cut short.
    @Test func tornBinaryPayload_isNoDamage() throws {
        let (disk, journal) = try newJournal("a")
        let payload = (0..<350).flatMap { _ in [0, 0, 8, 0] as [UInt8] }
        var reports: [RecoveryReport] = []
        disk.afterChange = { [unowned disk] in
            for fates in Cuts(partsMax: 6, tearBytes: nil).fates(disk.unsyncedParts) {
                do {
                    reports.append(try Journal.Opened.on(disk.image(afterCut: fates)).report)
                } catch {
                    Issue.record(error)
                }
            }
        }
        // If the first record is whole and the second torn, the next commit overwrites the torn payload.
        let long = NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: payload)
        try journal.append(together: [[record("short")], [long]])
        #expect(reports.count > 10)
        #expect(reports.allSatisfy { !$0.isDamaged })
    }

    @Test func fileCutWithinALongRecord_isDamaged() throws {
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append([record(String(repeating: "x", count: 2000))])
        }
        // The record starts in the third sector and claims four sectors, of which two are left.
        image.files[first]?.removeSubrange((Sector.bytes * 4)...)
        let opened = try Journal.Opened.on(image)
        #expect(texts(opened.records) == ["a"])
        #expect(opened.report.damage.map(\.finding) == [.cutShort])
    }

    @Test func cleanStart_writesOnlyTheLastCommit_andTheLastSector() throws {
        let disk = SimulatedDisk()
        for word in ["a", "b"] {
            let journal = try Journal.Opened.on(disk).journal
            try journal.append([record(word)])
            journal.close()
        }
        let before = disk.bytesWritten
        #expect(texts(try Journal.Opened.on(disk).records) == ["a", "b"])
        #expect(disk.bytesWritten - before == 2 * Sector.bytes)
    }
}
