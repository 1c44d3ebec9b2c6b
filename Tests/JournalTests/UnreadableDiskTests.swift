// The tests of disks that cannot read some of their sectors.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct UnreadableDiskTests {
    let newest = SegmentName.segment(2).text

    /// For each sector that cannot be read: the records in the other sectors are recovered, and the report
    /// names the missing ones.
    @Test(arguments: [true, false])
    func unreadableSector_losesOnlyItsRecords(hasSecondChance: Bool) throws {
        var image = try imageWithSecondChance()
        if !hasSecondChance { image.files[SegmentName.segment(1).text] = nil }
        let size = try #require(image.files[newest]?.count)
        for sector in stride(from: 0, to: size, by: Sector.bytes) {
            let disk = SimulatedDisk(image)
            disk.unreadable[newest] = sector..<sector + Sector.bytes
            let opened = try Journal.Opened.on(disk)
            #expect(opened.report.damage.contains { $0.bytes == sector..<sector + Sector.bytes })
            let found = texts(opened.records)
            switch sector / Sector.bytes {
            case 0: #expect(found == ["abc", "d", "e"])
            case 1: #expect(found == (hasSecondChance ? ["a", "b", "c"] : []) + ["d", "e"])
            case 2: #expect(found == ["abc", "e"])
            case 3: #expect(found == ["abc", "d"])
            default: #expect(found == ["abc", "d", "e"])
            }
            #expect(opened.report.setAside == [SegmentName.setAside(2).text])
        }
    }

    @Test func unreadableSegment_isRecoveredFromTheSecondChance() throws {
        let image = try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
            try journal.compact(to: [record("abc")])
        }
        for range in [Sector.bytes..<Sector.bytes + 1, 0..<100_000] {
            let disk = SimulatedDisk(image)
            disk.unreadable[newest] = range
            let opened = try Journal.Opened.on(disk)
            #expect(texts(opened.records) == ["a", "b", "c"])
            #expect(opened.report.isDamaged)
        }
        let disk = SimulatedDisk(image)
        for name in image.files.keys { disk.unreadable[name] = 0..<100_000 }
        #expect(throws: JournalError.self) { try Journal.Opened.on(disk) }
        #expect(disk.currentImage == image)
    }

    @Test func emptyJournal_withABadSector_continues() throws {
        let disk = SimulatedDisk(try image { _ in })
        disk.unreadable[SegmentName.segment(1).text] = 1024..<1025
        let opened = try Journal.Opened.on(disk)
        #expect(opened.records.isEmpty)
        #expect(opened.report.damage.map(\.bytes) == [1024..<1536])
        try opened.journal.append([record("a")])
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a"])
    }

    @Test func unreadableJournal_isAnError_neverEmpty() throws {
        let disk = SimulatedDisk(try imageWithSecondChance())
        for after in 0..<4 {
            disk.faults = [DiskFault(.broken, after: after, count: .max)]
            #expect(throws: JournalError.self) { try Journal.Opened.on(disk) }
        }
        disk.faults = []
        #expect(try Journal.Opened.on(disk).records.count == 3)
    }

    /// A disk that is being reset fails for a moment. Recovery must retry rather than give up records.
    @Test func failedReads_areRetried() throws {
        let image = try imageWithSecondChance()
        for after in 0..<4 {
            for count in 1..<16 {
                let disk = SimulatedDisk(image)
                disk.faults = [DiskFault(.broken, after: after, count: count)]
                do throws(JournalError) {
                    let opened = try Journal.Opened.on(disk)
                    #expect(texts(opened.records) == ["abc", "d", "e"], "\(after), \(count)")
                    #expect(!opened.report.isDamaged && opened.report.setAside.isEmpty, "\(after), \(count)")
                } catch {
                    // If opening fails, it must leave the disk unchanged, so that a later attempt can
                    // succeed.
                    #expect(disk.currentImage == image)
                }
            }
        }
    }
}
