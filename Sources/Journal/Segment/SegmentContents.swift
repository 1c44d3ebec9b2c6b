// The contents of one segment: its records, the damage to them, and a torn tail.

struct SegmentContents {
    let name: String
    let number: UInt64
    let size: Int
    /// The header; nil if it is damaged.
    var header: SegmentHeader?
    /// `SegmentHeader.supersedes`, by the header or any record of the base; nil if unknown.
    var supersedes: UInt64?
    /// The segment that this one took over from, 0 for none, by the header or any record; nil if unknown.
    var follows: UInt64?
    var base: [Record] = []
    var isBaseWhole = false
    var later: [Record] = []
    var damage: [Damage] = []
    /// The read error if neither the header nor any record could be read.
    var unreadable: DiskError?
    var tornTail: TornTail?
    /// The position of the last commit. If its writer died before the sync, it may be in the page cache
    /// only. It is at `end` or later if no record of it counts; the commit before it is durable then.
    var lastCommit = Sector.bytes
    /// The end of the last record that counts.
    var end = Sector.bytes
    /// True if the torn tail shares its first sector with records that count, so that it cannot be erased.
    var isTailBesideRecords = false

    init(name: String, number: UInt64, size: Int) {
        (self.name, self.number, self.size) = (name, number, size)
    }

    var nextCommit: Int { roundedUp(end, to: Sector.bytes) }

    /// The highest sequence number of a record that is known to be missing.
    private var highestMissing: UInt64 = 0

    var highestSequence: UInt64 {
        [base.last?.sequence, later.last?.sequence, supersedes, highestMissing].compactMap(\.self).max() ?? 0
    }

    /// True if the journal may append to this file.
    var isFitForAppends: Bool { damage.isEmpty && !isTailBesideRecords }

    /// True if the disk could not read part of the file.
    var isPartlyUnreadable: Bool {
        damage.contains { if case .unreadable = $0.finding { true } else { false } }
    }

    mutating func addFinding(_ finding: Damage.Finding, _ bytes: Range<Int>) {
        if case .missing(let numbers) = finding { highestMissing = max(highestMissing, numbers.upperBound) }
        damage.append(Damage(file: name, bytes: bytes, finding: finding))
    }
}

extension SegmentContents {
    /// Reads a whole segment, however damaged. Throws if its format is another or its size unreadable.
    init(_ file: any DiskFile, name: String, number: UInt64) throws(JournalError) {
        var reader: SegmentReader
        do throws(DiskError) {
            reader = SegmentReader(window: try FileWindow(file, name: name), number: number)
        } catch {
            throw .unreadable(error)
        }
        self.init(name: name, number: number, size: reader.size)
        switch reader.header() {
        case .other(let version): throw .otherFormat(file: name, version: version)
        case .whole(let header) where header.number == number:
            self.header = header
            (supersedes, follows) = (header.supersedes, header.follows)
            readBase(&reader, as: header)
            readLater(&reader, from: header.firstLater)
        case .whole, .damaged:
            addFinding(.header, 0..<min(size, Sector.bytes))
            readBaseOfUnknownLength(&reader)
            readLater(&reader, from: nil)
        }
        if header == nil, base.isEmpty, later.isEmpty { unreadable = reader.unreadable.first?.error }
        for unreadable in reader.unreadable { addFinding(.unreadable(unreadable.error), unreadable.range) }
        if reader.hasEndedSearch { addFinding(.garbage, 0..<size) }
    }

    private mutating func readBase(_ reader: inout SegmentReader, as header: SegmentHeader) {
        let baseEnd = min(header.baseEnd, size)
        var firstGap: Int?
        while end < baseEnd {
            let last = base.last?.sequence ?? 0
            let found = reader.firstRecord(from: end, before: baseEnd) { stored in
                stored.isInBase && (last + 1..<header.firstLater).contains(stored.record.sequence)
            }
            guard let found else { break }
            if found.offset != StoredRecord.start(from: end) { firstGap = firstGap ?? end }
            base.append(found.stored.record)
            end = found.end
        }
        isBaseWhole =
            base.count == header.baseCount && roundedUp(end, to: Sector.bytes) == header.baseEnd
        if !isBaseWhole {
            addFinding(
                .missingFromBase(count: max(1, header.baseCount - base.count)),
                (firstGap ?? min(end, baseEnd))..<baseEnd)
        }
        end = max(baseEnd, Sector.bytes)
        lastCommit = end
    }

    private mutating func readBaseOfUnknownLength(_ reader: inout SegmentReader) {
        // If the first commit begins where a base would begin, the base was empty.
        if let first = reader.record(at: end), !first.isInBase, first.commitStart == first.record.sequence {
            (supersedes, isBaseWhole) = (first.record.sequence - 1, true)
            return
        }
        var isUnbroken = true
        while let found = reader.firstRecord(from: end, before: size), found.stored.isInBase,
            found.stored.record.sequence > base.last?.sequence ?? 0
        {
            if found.offset != StoredRecord.start(from: end) { isUnbroken = false }
            (supersedes, follows) = (found.stored.commitStart, found.stored.follows)
            isBaseWhole = isUnbroken && found.stored.followers == 0
            base.append(found.stored.record)
            end = found.end
        }
        lastCommit = end
    }

    private mutating func readLater(_ reader: inout SegmentReader, from first: UInt64?) {
        var expected = first
        var commit: UInt64?
        // The start of an append that is not complete yet: its position, and its index in `later`.
        var open: (end: Int, count: Int)?
        var proof: SegmentReader.Found?
        while let found = next(&reader, expecting: expected, in: commit, &proof) {
            let record = found.stored.record
            if let missing = expected, record.sequence > missing {
                addFinding(.missing(missing...record.sequence - 1), end..<found.offset)
                open = nil
            }
            commit = found.stored.commitStart
            follows = follows ?? found.stored.follows
            if commit == record.sequence { lastCommit = found.offset }
            if found.stored.followers == 0 {
                open = nil
            } else if open == nil {
                open = (end, later.count)
            }
            later.append(record)
            end = found.end
            expected = record.sequence + 1
        }
        // A later commit proves these records durable, but no readable record after the gap counts.
        if let proof, let expected, proof.offset >= end, proof.stored.commitStart > expected {
            addFinding(.missing(expected...proof.stored.commitStart - 1), end..<proof.offset)
            open = nil
        }
        detectTruncation(&reader, expecting: expected)
        if let open {
            later.removeLast(later.count - open.count)
            end = open.end
        }
        guard let rest = reader.nonZero(in: min(end, size)..<size) else { return }
        isTailBesideRecords = rest.lowerBound < nextCommit
        let start = max(end, rest.lowerBound / Sector.bytes * Sector.bytes)
        tornTail = TornTail(
            file: name, bytes: start..<rest.upperBound, recordCount: reader.laterRecords(from: start).count)
    }

    /// Returns the next record that counts: the expected one, at its proper position. If it is not there,
    /// but a later commit proves that it was durable, returns the next readable record instead.
    private func next(
        _ reader: inout SegmentReader, expecting expected: UInt64?, in commit: UInt64?,
        _ proof: inout SegmentReader.Found?
    ) -> SegmentReader.Found? {
        guard let expected else {
            let last = max(base.last?.sequence ?? 0, supersedes ?? 0)
            return firstProven(&reader, after: last, &proof)
        }
        // The same commit continues at the next aligned position. A new commit begins at the next sector.
        for (offset, commitStart) in [(StoredRecord.start(from: end), commit), (nextCommit, expected)] {
            if let commitStart, let stored = reader.record(at: offset), stored.record.sequence == expected,
                stored.commitStart == commitStart, !stored.isInBase
            {
                return SegmentReader.Found(offset: offset, stored: stored)
            }
        }
        guard prove(expected, &reader, &proof) else { return nil }
        return firstProven(&reader, after: expected, &proof)
    }

    /// Returns true if a later commit proves that a record was durable. `proof` is searched for again only
    /// if it is already behind, or too old for this record.
    private func prove(
        _ sequence: UInt64, _ reader: inout SegmentReader, _ proof: inout SegmentReader.Found?
    ) -> Bool {
        if proof.map({ $0.offset < end || $0.stored.commitStart <= sequence }) ?? true {
            proof = reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.commitStart > sequence }
        }
        return proof != nil
    }

    /// Returns the next readable record after a gap, if it counts. It counts if its commit begins with it,
    /// or if a later commit proves that it was durable. Otherwise its commit may never have been complete.
    private func firstProven(
        _ reader: inout SegmentReader, after sequence: UInt64, _ proof: inout SegmentReader.Found?
    ) -> SegmentReader.Found? {
        let found = reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.record.sequence > sequence }
        guard let found else { return nil }
        if found.stored.commitStart == found.stored.record.sequence { return found }
        let gap = proof
        if prove(found.stored.record.sequence, &reader, &proof) { return found }
        proof = gap
        return nil
    }

    /// Detects a truncated file. A segment grows before a commit is written, so that at least one sector
    /// always follows the last commit.
    private mutating func detectTruncation(_ reader: inout SegmentReader, expecting expected: UInt64?) {
        var claimed = nextCommit
        if let expected {
            for offset in [StoredRecord.start(from: end), nextCommit] {
                claimed = max(claimed, reader.endClaimed(at: offset, by: expected) ?? 0)
            }
        }
        // Another process that appends may have filled the file up to its former end, and made it longer.
        if claimed + Sector.bytes > size, !reader.hasGrown { addFinding(.cutShort, size..<size) }
    }
}
