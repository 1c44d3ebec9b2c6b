// The tests of inspecting a journal that another process holds, or that has harmless damage.

import Glibc
import Mocks
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct InspectionTests {
    func compacted() throws -> DiskImage {
        try image { journal in
            for word in ["a", "b", "c"] { try journal.append([record(word)]) }
            try journal.compact(to: [record("abc")])
        }
    }

    /// Returns a disk that lists outdated names ten times.
    func staleDisk(_ disk: SimulatedDisk, _ names: [String]) -> HookedDisk {
        let stale = HookedDisk(disk)
        var left = 10
        stale.listedNames = {
            left -= 1
            return left >= 0 ? names : nil
        }
        return stale
    }

    @Test func journal_thatIsCompactedMeanwhile_isInspectedAgain() throws {
        let names = ["journal-000000000001", "journal-000000000007"]
        let disk = staleDisk(SimulatedDisk(try compacted()), names)
        let inspection = try Inspection(journalOn: disk)
        #expect(texts(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty)
        disk.listedNames = { names }
        #expect(throws: JournalError.unreadable(DiskError(.open, "journal-000000000007", .system(ENOENT)))) {
            try Inspection(journalOn: disk)
        }
    }

    /// A compaction removes the second chance after the inspection has listed it.
    @Test func secondChance_thatIsRemovedMeanwhile_isNoDamage() throws {
        let disk = SimulatedDisk(try compacted())
        let listed = try disk.names()
        try Journal.Opened.on(disk).journal.compact(to: [record("all")])
        let stale = staleDisk(disk, listed)
        let inspection = try Inspection(journalOn: stale)
        #expect(texts(inspection.records) == ["all"])
        #expect(inspection.damage.isEmpty && inspection.spareDamage.isEmpty)
    }

    /// A segment that a refused compaction left beside them is removed meanwhile.
    @Test func superfluousSegment_thatIsRemovedMeanwhile_isNoDamage() throws {
        let (disk, journal) = try newJournal()
        disk.faults = [DiskFault(.worn, after: 0, count: 1)]
        #expect(throws: JournalError.self) { try journal.compact(to: [record("refused")]) }
        try journal.compact(to: [record("all")])
        let stale = staleDisk(disk, (1...3).map { SegmentName.segment($0).text })
        #expect(try DirectoryScan(stale).damage.map(\.file) == [SegmentName.segment(2).text])
        #expect(try Inspection(journalOn: stale).damage.isEmpty)
    }

    @Test func journal_thatLooksDamagedMeanwhile_isInspectedAgain() throws {
        let disk = SimulatedDisk(try compacted())
        disk.faults = [DiskFault(.broken, after: 3, count: 2)]
        #expect(try Inspection(journalOn: disk).damage.isEmpty)
        #expect(disk.hasFailed)
    }

    @Test func damagedSecondChance_isReported() throws {
        var image = try compacted()
        try image.damage("b", in: 1)
        let inspection = try Inspection(journalOn: SimulatedDisk(image))
        #expect(texts(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty)
        #expect(inspection.spareDamage.map(\.finding) == [.missing(2...2)])
        #expect(try !Journal.Opened.on(image).report.isDamaged)
    }

    @Test func unreadableSecondChance_isReported() throws {
        let disk = SimulatedDisk(try compacted())
        disk.unreadable[SegmentName.segment(1).text] = 0..<100_000
        let inspection = try Inspection(journalOn: disk)
        #expect(texts(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty && !inspection.spareDamage.isEmpty)
    }
}
