// The journal: appends records so that a power cut at any instant loses none that was acknowledged.

import Glibc

/// A crash-safe log of records in one directory. It has one owner, no thread and no clock: each call returns when what it
/// promises is on the disk.
///
/// The records are in memory as well. A file for which a write or a sync failed is never trusted again: the journal writes itself
/// anew from memory into a fresh segment.
package final class Journal {
    /// More records than this are no one thing that happened.
    package static let recordsPerAppendMax = Int(UInt16.max)

    private let disk: any Disk
    private let chunkBytes: Int
    /// The segment to append to; nothing when the last one failed and no fresh one could be made yet.
    private var segment: Segment?
    /// The segment that was appended to last, whether or not it is still trusted; 0 before the first.
    private var lastInUse: UInt64
    private var records: [Record]
    private var nextSequence: UInt64
    private var nextNumber: UInt64
    private var cleanup: SegmentCleanup
    private var isClosed = false
    /// The last error that made the journal leave a file for good, or that kept it from removing one or setting it aside;
    /// nothing when there was none since it was opened. Nothing is lost by it, but a disk that says such things may soon fail.
    package private(set) var lastFailure: DiskError?
    /// How many bytes the disk had left at the last probe; nil where that is not known.
    package private(set) var freeBytes: Int?

    /// A journal, what is in it, and what was found on the way.
    package struct Opened {
        /// Ready for appends, or trying again at each when the report says that it cannot write.
        package let journal: Journal
        /// Every record since the last compaction, that one's snapshot first, in order.
        package let records: [Record]
        package let report: RecoveryReport
    }

    /// Opens the journal in a directory, or begins one if the directory is empty.
    ///
    /// - Parameter chunkBytes: segments grow by so many zeros, so that a commit need not change the file's length.
    package static func open(_ disk: any Disk, chunkBytes: Int = 1 << 18) throws(JournalError) -> Opened {
        do throws(LockError) {
            try disk.lock()
        } catch {
            switch error {
            case .held(let holder): throw .inUse(by: holder)
            case .failed(let error): throw .unreadable(error)
            }
        }
        do throws(JournalError) {
            let scan = try DirectoryScan(disk)
            let journal = Journal(scan, on: disk, chunkBytes: chunkBytes)
            var report = RecoveryReport()
            report.cannotWrite = journal.finishRecovery(scan)
            report.isFirstStart = scan.newest == nil && scan.damage.isEmpty
            report.recordCount = scan.records.count
            report.lastSequence = scan.records.last?.sequence
            report.tornTail = scan.tornTail
            report.damage = scan.damage
            report.setAside = journal.cleanup.setAside.map(\.text)
            return Opened(journal: journal, records: scan.records, report: report)
        } catch {
            disk.unlock()
            throw error
        }
    }

    private init(_ scan: DirectoryScan, on disk: any Disk, chunkBytes: Int) {
        self.disk = disk
        self.chunkBytes = chunkBytes
        records = scan.records
        nextSequence = scan.nextSequence
        nextNumber = scan.unusedNumber
        lastInUse = scan.lastInUse
        cleanup = SegmentCleanup(scan)
    }

    deinit {
        if !isClosed { disk.unlock() }
    }

    /// Makes what the scan found safe from a power cut, and readies a segment. Returns what stands in the way.
    private func finishRecovery(_ scan: DirectoryScan) -> DiskError? {
        if let newest = scan.newest, newest.damage.isEmpty, let tail = newest.tornTail, tail.recordCount > 0 {
            preserve(tail, of: newest)
        }
        if let newest = scan.newest, newest.isFitForAppends, resume(newest) { return nil }
        do throws(DiskError) {
            try rewrite()
            return nil
        } catch {
            return error
        }
    }

    /// A copy for a person is no reason to refuse anything: where it cannot be had, there is none.
    private func preserve(_ tail: TornTail, of newest: SegmentContents) {
        do throws(DiskError) {
            recordFailure(cleanup.keep(tail, of: newest, as: try newNumber(), on: disk))
        } catch {
            recordFailure(error)
        }
    }

    /// The number of a file that is to be made.
    private func newNumber() throws(DiskError) -> UInt64 {
        guard nextNumber <= SegmentName.numberMax else {
            throw DiskError(.create, "another file of the journal", .system(EOVERFLOW))
        }
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Whether the segment can be appended to. One that cannot is left alone, like one that fails later.
    private func resume(_ newest: SegmentContents) -> Bool {
        do throws(DiskError) {
            let resumed = try Segment.resume(newest, on: disk, chunkBytes: chunkBytes)
            try disk.syncNames()
            segment = resumed
        } catch {
            lastFailure = error
            return false
        }
        recordFailure(cleanup.retire(keeping: newest.number, and: newest.follows ?? 0, on: disk))
        return true
    }

    /// Appends records: all of them, durably, or none.
    @discardableResult
    package func append(_ new: [NewRecord]) throws(JournalError) -> [Record] {
        try append(together: [new])
    }

    /// Makes one commit of several appends. After a power cut each is there whole or not at all, none without those before.
    @discardableResult
    package func append(together appends: [[NewRecord]]) throws(JournalError) -> [Record] {
        guard !isClosed else { throw .closed }
        for new in appends { try Journal.check(new) }
        var sequence = nextSequence
        let numbered = appends.map { new in
            new.map { record in
                defer { sequence += 1 }
                return Record(record, sequence: sequence)
            }
        }
        do throws(DiskError) {
            try Journal.check(sequence)
            try commit(numbered)
        } catch {
            throw .writeFailed(error)
        }
        let appended = Array(numbered.joined())
        records += appended
        nextSequence = sequence
        return appended
    }

    /// What one append may hold.
    static func check(_ new: [NewRecord]) throws(JournalError) {
        guard new.count <= recordsPerAppendMax else { throw .tooMany(records: new.count) }
        if let long = new.first(where: { $0.payload.count > NewRecord.payloadBytesMax }) {
            throw .tooLong(bytes: long.payload.count)
        }
    }

    /// What cannot be read again is not acknowledged.
    private static func check(_ sequence: UInt64) throws(DiskError) {
        guard sequence <= StoredRecord.sequenceMax else {
            throw DiskError(.write, "a record of the number \(sequence)", .system(EOVERFLOW))
        }
    }

    private func commit(_ appends: [[Record]]) throws(DiskError) {
        if let segment {
            do throws(Segment.Failure) {
                return try segment.append(appends)
            } catch {
                try abandonSegment(after: error)
            }
        }
        let fresh = try rewrite()
        do throws(Segment.Failure) {
            try fresh.append(appends)
        } catch {
            try abandonSegment(after: error)
            throw error.reason
        }
    }

    /// Leaves the segment, whose bytes are anybody's guess now; not for want of room: a new one would take even more.
    private func abandonSegment(after failure: Segment.Failure) throws(DiskError) {
        guard !failure.isSegmentSound else { throw failure.reason }
        lastFailure = failure.reason
        segment = nil
    }

    private func recordFailure(_ failure: DiskError?) {
        lastFailure = failure ?? lastFailure
    }

    /// Puts a snapshot in the place of all records, in a segment of its own. When it fails, they stay as they were.
    @discardableResult
    package func compact(to snapshot: [NewRecord]) throws(JournalError) -> [Record] {
        guard !isClosed else { throw .closed }
        for record in snapshot { try Journal.check([record]) }
        let numbered = snapshot.enumerated().map { Record($1, sequence: nextSequence + UInt64($0)) }
        let firstLater = nextSequence + UInt64(numbered.count)
        do throws(DiskError) {
            try Journal.check(firstLater)
            try begin(with: numbered, firstLater: firstLater)
        } catch {
            throw .writeFailed(error)
        }
        records = numbered
        nextSequence = firstLater
        return numbered
    }

    /// Whether there is more to be saved by compaction than it costs. When, is for the caller to say: it takes time.
    package var compactionPays: Bool {
        guard let segment else { return false }
        return segment.bytesSinceBase > max(segment.baseBytes, chunkBytes)
    }

    /// Begins a fresh segment with the records as they are.
    @discardableResult
    private func rewrite() throws(DiskError) -> Segment {
        try begin(with: records, firstLater: nextSequence)
    }

    /// Writes a segment, and makes it the one that counts.
    @discardableResult
    private func begin(with base: [Record], firstLater: UInt64) throws(DiskError) -> Segment {
        let number = try newNumber()
        let unfinished = SegmentName.unfinished(number).text
        let fresh: Segment
        do throws(DiskError) {
            fresh = try Segment.write(
                Segment.Base(
                    records: base, supersedes: nextSequence - 1, follows: lastInUse, firstLater: firstLater,
                    setsAside: cleanup.toSetAside),
                number: number, named: unfinished, on: disk, chunkBytes: chunkBytes)
        } catch {
            // A full disk should not stay fuller for it.
            recordFailure(cleanup.discard(number, on: disk))
            throw error
        }
        do throws(DiskError) {
            try disk.rename(unfinished, to: SegmentName.segment(number).text)
            cleanup.add(number)
            try disk.syncNames()
        } catch {
            // Either segment may be the newest after a power cut, so neither may be appended to.
            lastFailure = error
            segment = nil
            cleanup.leave(number)
            throw error
        }
        recordFailure(cleanup.retire(keeping: number, and: lastInUse, on: disk))
        segment = fresh
        lastInUse = number
        return fresh
    }

    /// Finds out whether the disk takes as much as a night may need: in a file that counts for nothing and is removed.
    package func probe() throws(JournalError) {
        guard !isClosed else { throw .closed }
        do throws(DiskError) {
            let number = try newNumber()
            let name = SegmentName.unfinished(number).text
            do throws(DiskError) {
                let file = try disk.open(name, for: .creating)
                try file.writeZeros(0..<Journal.trialBytes, of: name)
                try file.sync()
            } catch {
                recordFailure(cleanup.discard(number, on: disk))
                throw error
            }
            recordFailure(cleanup.discard(number, on: disk))
            freeBytes = disk.freeBytes
        } catch {
            // Without the file's number, which is another each time: a disk that fails as before must not look like news.
            // News is recorded, and a record that a failing disk takes is followed by another probe.
            throw .writeFailed(DiskError(error.operation, "a test file", error.reason))
        }
    }

    private static let trialBytes = 1 << 20

    /// Lets others open the journal. Everything acknowledged is on the disk already.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        segment = nil
        disk.unlock()
    }
}
