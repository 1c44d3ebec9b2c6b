// What opening a journal makes of the end of its file: what a power cut left of a commit, or what was damaged since.

import SimulatedDevices
import Testing

@testable import Journal

@Suite struct TailTests {
    let first = SegmentName.segment(1).text

    /// The sector of a commit that was never acknowledged may be anything, and no other holds acknowledged records.
    @Test func commits_shareNoSector() throws {
        let disk = SimulatedDisk()
        let journal = try Journal.Opened.on(disk).journal
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

    @Test func lastSector_whenItIsGarbage_costsOnlyItsOwnCommit() throws {
        var image = try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
        }
        let last = try #require(image.files[first]?.firstIndex(of: UInt8(ascii: "c")))
        let sector = last / Sector.bytes * Sector.bytes
        image.files[first]?.replaceSubrange(
            sector..<sector + Sector.bytes, with: [UInt8](repeating: 0xFF, count: Sector.bytes))
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a", "b"])
        #expect(opened.report.tornTail?.bytes == sector..<sector + Sector.bytes)
        #expect(opened.report.tornTail?.recordCount == 0)
        #expect(opened.report.setAside.isEmpty)
    }

    /// An append of a hundred records of which the last is damaged is not there, but nobody knows that it was not
    /// acknowledged: the other ninety-nine are not to be wiped off the disk.
    @Test func tailWithWholeRecords_isKept() throws {
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append((0..<100).map { record("\($0) " + String(repeating: "x", count: 60)) })
        }
        let last = try #require(image.files[first]?.lastIndex(of: UInt8(ascii: "x")))
        image.files[first]?[last] ^= 1
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(words(opened.records) == ["a"])
        #expect(!opened.report.isDamaged)
        #expect(opened.report.tornTail?.recordCount == 99)
        #expect(opened.report.tornTail?.description.hasSuffix("99 whole records in it do not count") == true)
        let aside = SegmentName.setAside(1).text
        #expect(opened.report.setAside == [aside])
        #expect(disk.imageAfterWorstCut.files[aside] == image.files[first])
        #expect(try opened.journal.append([record("b")]).map(\.sequence) == [2])
        opened.journal.close()
        let again = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(words(again.records) == ["a", "b"])
        #expect(again.report.tornTail == nil)
        #expect(again.report.setAside == [aside])
    }

    /// The first append of the commit is there, the second one is torn within the same sector: what is to go shares its
    /// sector with what is to stay.
    @Test func tailInASectorWithRecords_isNotWrittenOver() throws {
        var image = try image { try $0.append(together: [[record("a")], [record("b")]]) }
        let torn = try #require(image.files[first]?.firstIndex(of: UInt8(ascii: "b")))
        image.files[first]?[torn] ^= 1
        let disk = SimulatedDisk(image)
        let opened = try Journal.Opened.on(disk)
        #expect(words(opened.records) == ["a"])
        #expect(opened.report.setAside.isEmpty)
        #expect(disk.imageAfterWorstCut.files[first] == image.files[first])
        #expect(try Journal.Opened.on(disk.imageAfterWorstCut).report.tornTail == nil)
    }

    /// What is left of a torn record looks like the beginning of another one: that is no reason to call the file damaged.
    @Test func tornBinaryPayload_isNoDamage() throws {
        let disk = SimulatedDisk()
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
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
        try journal.append([NewRecord(RecordKind(rawValue: 1), millisecondsSince1970: 0, payload: payload)])
        #expect(reports.count > 10)
        #expect(reports.allSatisfy { !$0.isDamaged })
    }

    @Test func file_whenItIsCutWithinALongRecord_isDamaged() throws {
        var image = try image { journal in
            try journal.append([record("a")])
            try journal.append([record(String(repeating: "x", count: 2000))])
        }
        // The record begins in the third sector and claims four: two of them and a spare one are there.
        image.files[first]?.removeSubrange((Sector.bytes * 4)...)
        let opened = try Journal.Opened.on(image)
        #expect(words(opened.records) == ["a"])
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
        #expect(words(try Journal.Opened.on(disk).records) == ["a", "b"])
        #expect(disk.bytesWritten - before == 2 * Sector.bytes)
    }
}
