// The journal: an append-only log of records. A power cut at any instant loses none that was acknowledged.
//
// The obvious ways fail. If an append shares a sector with older records, a power cut can garble that
// sector, and acknowledged records are lost. If fdatasync fails, the kernel may drop the data and report
// success the next time. If a file is rewritten as a whole, every change costs all of it.
//
// 1. Records are appended to a file, the segment. A commit is one write of whole sectors of 512 bytes and
//    one fdatasync. It begins in a fresh sector, so a torn write never touches acknowledged records.
// 2. The segment grows ahead by zeros, 256 KiB at a time. A commit then changes neither the file's length
//    nor its blocks.
// 3. A record has a checksum (CRC-32C), its sequence number, and the first number of its commit
//    (`commitStart`). A commit begins only when the previous one is durable. A readable record therefore
//    proves that every record before its `commitStart` was durable.
// 4. A record that is missing in spite of such a proof is damage, and is reported. An incomplete append
//    without one was never acknowledged: it is a torn tail, and does not count.
// 5. All records are in memory as well. After a failed write or sync the segment is never trusted again, and
//    the records are written to a new one. If the disk is merely full, the segment is kept.
// 6. A new segment begins with a base that stands for all earlier records: the same records, or at a
//    compaction a snapshot. It is written under another name, synced, and renamed. The previous segment is
//    kept as a second chance, in case the base is damaged later.
// 7. A damaged segment is renamed (`.aside`) for a person to look at, and its damage is reported.
//
// For example, the power fails while records 8 and 9 are appended together. Record 8 is whole and announces
// one follower, which is missing. No later commit proves that 8 was durable, so both are a torn tail. If a
// record with `commitStart` 10 follows, record 9 was durable, and its loss is reported.

import Glibc

/// A crash-safe log of records in one directory, which are in memory as well. It has one owner, and no
/// thread or clock. Each call returns when its result is durable.
package final class Journal {
    /// The limit of records in one append: `StoredRecord.followers` has 16 bits.
    package static let recordsPerAppendMax = Int(UInt16.max)

    private let disk: any Disk
    private let chunkBytes: Int
    /// The segment to append to; nil if the last one failed and no new one could be written yet.
    private var segment: Segment?
    /// The segment of the last append, even if it is no longer trusted; 0 before the first.
    private var lastInUse: UInt64
    private var records: [Record]
    private var nextSequence: UInt64
    private var nextNumber: UInt64
    private var cleanup: SegmentCleanup
    private var isClosed = false
    /// The last error since the journal was opened that made it abandon a file, or prevented it from
    /// removing or renaming one. No record was lost, but the disk may soon fail.
    package private(set) var lastFailure: DiskError?
    /// The free bytes at the last probe; nil if unknown.
    package private(set) var freeBytes: Int?
    /// True if a restart of the machine may empty the disk.
    package var isVolatile: Bool { disk.isVolatile }

    /// An open journal, its records, and the findings of its recovery.
    package struct Opened {
        /// If the report has an error in `cannotWrite`, each append tries again.
        package let journal: Journal
        /// Every record since the last compaction, in order. The compaction's snapshot comes first.
        package let records: [Record]
        package let report: RecoveryReport
    }

    /// Opens the journal in a directory, or begins one if the directory is empty.
    ///
    /// - Parameter chunkBytes: the zeros by which segments grow, so that few commits change the file's
    ///   length.
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

    /// Makes the recovered records durable, and prepares a segment for appends. Returns the error if that
    /// fails.
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

    /// Keeps a copy of a torn tail for a person. If that fails, the journal opens without one.
    private func preserve(_ tail: TornTail, of newest: SegmentContents) {
        do throws(DiskError) {
            recordFailure(cleanup.keep(tail, of: newest, as: try newNumber(), on: disk))
        } catch {
            recordFailure(error)
        }
    }

    private func newNumber() throws(DiskError) -> UInt64 {
        guard nextNumber <= SegmentName.numberMax else {
            throw DiskError(.create, "a file of the journal", .system(EOVERFLOW))
        }
        defer { nextNumber += 1 }
        return nextNumber
    }

    /// Returns true if the segment can be appended to. If not, it is abandoned, like one that fails later.
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

    /// Appends several groups in one commit. After a power cut only whole groups remain, the first ones.
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

    /// Checks the limits of one append.
    static func check(_ new: [NewRecord]) throws(JournalError) {
        guard new.count <= recordsPerAppendMax else { throw .tooMany(records: new.count) }
        if let long = new.first(where: { $0.payload.count > NewRecord.payloadBytesMax }) {
            throw .tooLong(bytes: long.payload.count)
        }
    }

    /// A record with a higher number could not be read again.
    private static func check(_ sequence: UInt64) throws(DiskError) {
        guard sequence <= StoredRecord.sequenceMax else {
            throw DiskError(.write, "record \(sequence)", .system(EOVERFLOW))
        }
    }

    /// Abandons a segment whose file was deleted: a restart would not find records that are appended to it.
    private func abandonDeletedSegment() {
        guard let deletion = segment?.deletion else { return }
        (lastFailure, segment) = (deletion, nil)
    }

    private func commit(_ appends: [[Record]]) throws(DiskError) {
        abandonDeletedSegment()
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

    /// Abandons the segment, because its content on the disk is unknown. If the disk is merely full, throws
    /// instead: a new segment would need even more space.
    private func abandonSegment(after failure: Segment.Failure) throws(DiskError) {
        guard !failure.isSegmentSound else { throw failure.reason }
        lastFailure = failure.reason
        segment = nil
    }

    private func recordFailure(_ failure: DiskError?) {
        lastFailure = failure ?? lastFailure
    }

    /// Replaces all records by a snapshot, in a new segment. If it fails, the records stay as they were.
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

    /// True if a compaction would save more than it costs. The caller decides when, because it takes time.
    package var compactionPays: Bool {
        guard let segment else { return false }
        return segment.bytesSinceBase > max(segment.baseBytes, chunkBytes)
    }

    /// Writes the current records to a new segment.
    @discardableResult
    private func rewrite() throws(DiskError) -> Segment {
        try begin(with: records, firstLater: nextSequence)
    }

    /// Writes a segment and makes it the current one.
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
            // The unfinished segment must not take space on a full disk.
            recordFailure(cleanup.discard(number, on: disk))
            throw error
        }
        do throws(DiskError) {
            try disk.rename(unfinished, to: SegmentName.segment(number).text)
            cleanup.add(number)
            try disk.syncNames()
        } catch {
            // After a power cut either segment may be the newest, so neither may be appended to.
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

    /// Tests whether the disk accepts as much as a night may need: writes a temporary file and removes it. If
    /// the journal's file was deleted, writes it again.
    package func probe() throws(JournalError) {
        guard !isClosed else { throw .closed }
        do throws(DiskError) {
            abandonDeletedSegment()
            if segment == nil, lastFailure?.reason == .deleted { try rewrite() }
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
            // The file's number is left out, because it changes. A failure that repeats must look the same.
            // A different one would be recorded, and after each new record the disk is probed again.
            throw .writeFailed(DiskError(error.operation, "a test file", error.reason))
        }
    }

    private static let trialBytes = 1 << 20

    /// Closes the journal, so that others can open it. Everything acknowledged is durable already.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        segment = nil
        disk.unlock()
    }
}
