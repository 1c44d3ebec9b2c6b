// Looking at a journal while somebody else has it, and at one that is damaged where it does no harm yet.

import Glibc
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

    @Test func journal_thatIsCompactedMeanwhile_isLookedAtAgain() throws {
        let disk = StaleDisk(SimulatedDisk(try compacted()), names: ["journal-000000000001", "journal-000000000007"])
        disk.staleCount = 10
        let inspection = try Inspection(journalOn: disk)
        #expect(words(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty)
        disk.staleCount = .max
        #expect(throws: JournalError.unreadable(DiskError(.open, "journal-000000000007", .system(ENOENT)))) {
            try Inspection(journalOn: disk)
        }
    }

    /// The second chance is removed by a compaction after it was listed.
    @Test func secondChance_thatIsRemovedMeanwhile_isNoDamage() throws {
        let disk = SimulatedDisk(try compacted())
        let listed = try disk.names()
        try Journal.Opened.on(disk).journal.compact(to: [record("all")])
        let stale = StaleDisk(disk, names: listed)
        stale.staleCount = 10
        let inspection = try Inspection(journalOn: stale)
        #expect(words(inspection.records) == ["all"])
        #expect(inspection.damage.isEmpty && inspection.spareDamage.isEmpty)
    }

    /// So is a segment that a refused compaction had left beside them.
    @Test func superfluousSegment_thatIsRemovedMeanwhile_isNoDamage() throws {
        let disk = SimulatedDisk()
        let journal = try Journal.Opened.on(disk).journal
        disk.faults = [DiskFault(.worn, after: 0, count: 1)]
        #expect(throws: JournalError.self) { try journal.compact(to: [record("refused")]) }
        try journal.compact(to: [record("all")])
        let stale = StaleDisk(disk, names: (1...3).map { SegmentName.segment($0).text })
        stale.staleCount = 10
        #expect(try DirectoryScan(stale).damage.map(\.file) == [SegmentName.segment(2).text])
        #expect(try Inspection(journalOn: stale).damage.isEmpty)
    }

    @Test func journal_thatLooksDamagedMeanwhile_isLookedAtAgain() throws {
        let disk = SimulatedDisk(try compacted())
        disk.faults = [DiskFault(.broken, after: 3, count: 2)]
        #expect(try Inspection(journalOn: disk).damage.isEmpty)
        #expect(disk.hasFailed)
    }

    @Test func secondChance_whenItIsDamaged_isSaid() throws {
        var image = try compacted()
        try image.damage("b", in: 1)
        let inspection = try Inspection(journalOn: SimulatedDisk(image))
        #expect(words(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty)
        #expect(inspection.spareDamage.map(\.finding) == [.missing(2...2)])
        #expect(try !Journal.Opened.on(image).report.isDamaged)
    }

    @Test func secondChance_whenItIsUnreadable_isSaid() throws {
        let disk = SimulatedDisk(try compacted())
        disk.unreadable[SegmentName.segment(1).text] = 0..<100_000
        let inspection = try Inspection(journalOn: disk)
        #expect(words(inspection.records) == ["abc"])
        #expect(inspection.damage.isEmpty && !inspection.spareDamage.isEmpty)
    }
}

/// A disk whose names are outdated for a while.
private final class StaleDisk: Disk {
    var staleCount = 0
    private let disk: SimulatedDisk
    private let staleNames: [String]

    init(_ disk: SimulatedDisk, names: [String]) {
        self.disk = disk
        staleNames = names
    }

    func names() throws(DiskError) -> [String] {
        guard staleCount > 0 else { return try disk.names() }
        staleCount -= 1
        return staleNames
    }
    func open(_ name: String, for access: DiskAccess) throws(DiskError) -> any DiskFile {
        try disk.open(name, for: access)
    }
    func rename(_ name: String, to newName: String) throws(DiskError) { try disk.rename(name, to: newName) }
    func remove(_ name: String) throws(DiskError) { try disk.remove(name) }
    func syncNames() throws(DiskError) { try disk.syncNames() }
    func lock() throws(LockError) { try disk.lock() }
    func unlock() { disk.unlock() }
}
