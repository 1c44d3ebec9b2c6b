// The tests of a journal on a disk without free space.

import Glibc
import SimulatedDevices
import Testing

@testable import Journal

@Suite struct FullDiskTests {
    let disk = SimulatedDisk()

    func used() -> Int { disk.currentImage.files.values.reduce(0) { $0 + $1.count } }

    /// Appends until the journal refuses, and returns the number of successful appends.
    func fill(_ journal: Journal) throws -> Int {
        for count in 0..<1000 {
            do throws(JournalError) {
                try journal.append([record("\(count)")])
            } catch {
                guard case .writeFailed(let reason) = error, reason.isForWantOfRoom else { throw error }
                return count
            }
        }
        throw BrokenPromise(description: "the disk is never full")
    }

    @Test func segment_growsByLess_whenAChunkDoesNotFit() throws {
        let journal = try Journal.Opened.on(disk).journal
        // The file has a header and two sectors, one of them free. The disk has space for one more sector,
        // which is less than a chunk.
        disk.capacity = used() + Sector.bytes
        #expect(try fill(journal) == 2)
        #expect(try disk.names() == ["journal-000000000001"])
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["0", "1"])
    }

    /// Each commit uses the space from the failed growth, instead of allocating it again.
    @Test func segment_growsOnce_intoTheRemainingSpace() throws {
        disk.capacity = 40 * Sector.bytes
        let journal = try Journal.open(disk, chunkBytes: 10 * Sector.bytes).journal
        let before = disk.bytesWritten
        let count = try fill(journal)
        #expect(count > 30)
        // Each commit writes a sector and zeros one beforehand; the rest are a few attempts to grow.
        #expect(disk.bytesWritten - before <= (2 * count + 40) * Sector.bytes)
        #expect(try disk.names() == ["journal-000000000001"])
    }

    /// A segment that cannot grow stays valid. A rewrite would need even more space.
    @Test func segment_isKept_whenItCannotGrow() throws {
        let journal = try Journal.Opened.on(disk).journal
        try journal.append((0..<40).map { record("\($0) " + String(repeating: "x", count: 100)) })
        disk.capacity = used() + 700
        let count = try fill(journal)
        let written = disk.bytesWritten
        #expect(throws: JournalError.self) { try journal.append([record("refused")]) }
        #expect(disk.bytesWritten - written <= 2 * (1024 + 2 * Sector.bytes))
        #expect(journal.lastFailure == nil)
        disk.capacity = used() + Sector.bytes
        try journal.append([record("later")])
        #expect(try disk.names() == ["journal-000000000001"])
        let again = try Journal.Opened.on(disk.imageAfterWorstCut)
        #expect(again.records.count == 40 + count + 1)
        #expect(again.report.tornTail == nil && !again.report.isDamaged)
    }

    /// After a failed write or sync of the growth, the journal does not trust the file again.
    @Test(arguments: [0, 1]) func segment_isReplaced_whenAWriteOrSyncOfItsGrowthFails(after: Int) throws {
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
        // The next commit must grow the file.
        disk.faults = [DiskFault(.worn, after: after, count: 1)]
        try journal.append([record("b")])
        #expect(journal.lastFailure?.reason == .system(EIO))
        #expect(Set(try disk.names()).contains("journal-000000000002"))
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a", "b"])
    }

    @Test func probe_needsSpace_andLeavesNoTrace() throws {
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
        let before = used()
        try journal.probe()
        #expect(used() == before)
        disk.capacity = before + (1 << 20) - 1
        do throws(JournalError) {
            try journal.probe()
            Issue.record("there was no room")
        } catch {
            guard case .writeFailed(let reason) = error else { throw error }
            #expect(reason.isForWantOfRoom)
        }
        #expect(used() == before)
        // The probe takes no space from the records.
        try journal.append([record("b")])
        #expect(journal.lastFailure == nil)
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["a", "b"])
    }

    /// A caller that compares two failures sees that nothing has changed.
    @Test func repeatedProbe_failsWithTheSameError() throws {
        let journal = try Journal.Opened.on(disk).journal
        disk.capacity = used()
        func failure() -> JournalError? {
            do throws(JournalError) { try journal.probe() } catch { return error }
            return nil
        }
        let first = failure()
        #expect(first != nil && failure() == first)
    }

    @Test(arguments: 0...3) func probe_findsAFailingDisk(after: Int) throws {
        let journal = try Journal.Opened.on(disk).journal
        disk.faults = [DiskFault(.broken, after: after, count: 1)]
        #expect(throws: JournalError.self) { try journal.probe() }
    }

    @Test func interruptedProbe_isCleanedUp() throws {
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
        disk.faults = [DiskFault(.broken, after: 1, count: Int.max)]
        #expect(throws: JournalError.self) { try journal.probe() }
        disk.faults = []
        let again = try Journal.Opened.on(disk.currentImage)
        #expect(texts(again.records) == ["a"])
        #expect(try disk.names().count <= 2)
        withExtendedLifetime(journal) {}
    }

    @Test func compaction_needsNoSpaceForAChunk() throws {
        let journal = try Journal.Opened.on(disk).journal
        try journal.append([record("a")])
        disk.capacity = used() + 3 * Sector.bytes
        try journal.compact(to: [record("A")])
        #expect(texts(try Journal.Opened.on(disk.imageAfterWorstCut).records) == ["A"])
    }
}
