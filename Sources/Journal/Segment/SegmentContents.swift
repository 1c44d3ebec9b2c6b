// Everything that one segment says, and what it should say but does not.

struct SegmentContents {
    let name: String
    let number: UInt64
    let size: Int
    /// Nothing when it is damaged.
    var header: SegmentHeader?
    /// What the base stands for: the header says it, and so does each record of the base.
    var supersedes: UInt64?
    /// The segment that this one took over from, 0 for none: the header says it, and so does each record.
    var follows: UInt64?
    var base: [Record] = []
    var isBaseWhole = false
    var later: [Record] = []
    var damage: [Damage] = []
    /// Why there is nothing at all that could be read.
    var unreadable: DiskError?
    var tornTail: TornTail?
    /// Where the last commit begins: what a process that died wrote last may be in the kernel's memory only. Behind the end
    /// when nothing of that commit counts: the one before was durable before it was begun.
    var lastCommit = Sector.bytes
    /// Where what counts ends.
    var end = Sector.bytes
    /// Whether the torn tail begins in a sector that holds records which count: it cannot be wiped off without them.
    var isTailBesideRecords = false

    init(name: String, number: UInt64, size: Int) {
        (self.name, self.number, self.size) = (name, number, size)
    }

    var nextCommit: Int { roundedUp(end, to: Sector.bytes) }

    /// The highest number that is known to be missing.
    private var highestMissing: UInt64 = 0

    var highestSequence: UInt64 {
        [base.last?.sequence, later.last?.sequence, supersedes, highestMissing].compactMap(\.self).max() ?? 0
    }

    /// Whether the journal may go on with this file.
    var isFitForAppends: Bool { damage.isEmpty && !isTailBesideRecords }

    /// Whether the disk did not give all of it.
    var isPartlyUnreadable: Bool {
        damage.contains { if case .unreadable = $0.finding { true } else { false } }
    }

    mutating func addFinding(_ finding: Damage.Finding, _ bytes: Range<Int>) {
        if case .missing(let numbers) = finding { highestMissing = max(highestMissing, numbers.upperBound) }
        damage.append(Damage(file: name, bytes: bytes, finding: finding))
    }
}

extension SegmentContents {
    /// Reads a whole segment, however damaged; fails when its format is newer, or the file's length is not told.
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
        if reader.hasGivenUp { addFinding(.garbage, 0..<size) }
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
        // Where a base would begin, there may be a record that came after it: then it was empty.
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
        // Where the append that is being read began, if it is not whole yet.
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
        // What is proven to have been there, and is followed by nothing that counts.
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

    /// The next record that counts: the expected one where it should be; else, if anything behind proves that what is
    /// missing was durable, whatever can still be read.
    private func next(
        _ reader: inout SegmentReader, expecting expected: UInt64?, in commit: UInt64?,
        _ proof: inout SegmentReader.Found?
    ) -> SegmentReader.Found? {
        guard let expected else {
            let last = max(base.last?.sequence ?? 0, supersedes ?? 0)
            return firstProven(&reader, after: last, &proof)
        }
        // The same commit goes on right there; another one begins the next sector.
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

    /// Whether a commit that began behind here proves that a record was durable. What proved the last one proves this as
    /// well, if it is still ahead.
    private func prove(
        _ sequence: UInt64, _ reader: inout SegmentReader, _ proof: inout SegmentReader.Found?
    ) -> Bool {
        if proof.map({ $0.offset < end || $0.stored.commitStart <= sequence }) ?? true {
            proof = reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.commitStart > sequence }
        }
        return proof != nil
    }

    /// The next record behind a gap, if it counts: its commit begins with it, or another one came after that. Of a commit
    /// whose beginning is missing nobody knows whether it was ever whole.
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

    /// There is always a sector left behind the last commit, and there was before it was written.
    private mutating func detectTruncation(_ reader: inout SegmentReader, expecting expected: UInt64?) {
        var claimed = nextCommit
        if let expected {
            for offset in [StoredRecord.start(from: end), nextCommit] {
                claimed = max(claimed, reader.endClaimed(at: offset, by: expected) ?? 0)
            }
        }
        // Whoever appends meanwhile makes it longer, and has written up to where it ended before.
        if claimed + Sector.bytes > size, !reader.hasGrown { addFinding(.cutShort, size..<size) }
    }
}
