// Everything that one segment says, and what it should say but does not.

/// What was read from one segment.
struct SegmentReading {
    let name: String
    let number: UInt64
    let size: Int
    /// Nothing when it is damaged.
    var header: SegmentHeader?
    /// What the base stands for: the header says it, and so does each record of the base.
    var supersedes: UInt64?
    var base: [Record] = []
    var isBaseWhole = false
    var later: [Record] = []
    var damage: [Damage] = []
    var tornTail: TornTail?
    /// Where the last commit begins: what a process that died wrote last may be in the kernel's memory only.
    var lastCommit = SegmentHeader.sectorBytes
    /// Where the next record goes.
    var end = SegmentHeader.sectorBytes

    init(name: String, number: UInt64, size: Int) {
        self.name = name
        self.number = number
        self.size = size
    }

    mutating func note(_ finding: Damage.Finding, _ bytes: Range<Int>) {
        damage.append(Damage(file: name, bytes: bytes, finding: finding))
    }
}

extension SegmentReading {
    /// Reads a whole segment, however damaged it is.
    ///
    /// It fails when the format is newer, or when the disk's errors leave nothing: that is not to be taken for empty.
    init(_ file: any DiskFile, name: String, number: UInt64) throws(JournalError) {
        var reader: SegmentReader
        do throws(DiskError) {
            reader = SegmentReader(window: try FileWindow(file, name: name), number: number)
        } catch {
            throw .unreadable(error)
        }
        self.init(name: name, number: number, size: reader.size)
        switch reader.header() {
        case .newer(let version): throw .newerFormat(file: name, version: version)
        case .whole(let header) where header.number == number:
            self.header = header
            supersedes = header.supersedes
            readBase(&reader, as: header)
            readLater(&reader, from: header.firstLater)
        case .whole, .damaged:
            note(.header, 0..<min(size, SegmentHeader.sectorBytes))
            readBaseOfUnknownLength(&reader)
            readLater(&reader, from: nil)
        }
        if let first = reader.unreadable.first, base.isEmpty, later.isEmpty { throw .unreadable(first.error) }
        for unreadable in reader.unreadable { note(.unreadable(unreadable.error), unreadable.range) }
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
            base.count == header.baseCount && roundedUp(end, to: SegmentHeader.sectorBytes) == header.baseEnd
        if !isBaseWhole {
            note(.missingFromBase(count: header.baseCount - base.count), (firstGap ?? min(end, baseEnd))..<baseEnd)
        }
        end = max(baseEnd, SegmentHeader.sectorBytes)
        lastCommit = end
    }

    private mutating func readBaseOfUnknownLength(_ reader: inout SegmentReader) {
        while let found = reader.firstRecord(from: end, before: size), found.stored.isInBase,
            found.stored.record.sequence > base.last?.sequence ?? 0
        {
            supersedes = found.stored.commitStart
            base.append(found.stored.record)
            end = found.end
        }
        lastCommit = end
    }

    private mutating func readLater(_ reader: inout SegmentReader, from first: UInt64?) {
        var expected = first
        // Where the append that is being read began, if it is not whole yet.
        var open: (end: Int, count: Int)?
        while let found = next(&reader, expecting: expected) {
            let record = found.stored.record
            if let missing = expected, record.sequence > missing {
                note(.missing(missing...record.sequence - 1), end..<found.offset)
                open = nil
            }
            if found.stored.commitStart == record.sequence { lastCommit = found.offset }
            if found.stored.followers == 0 {
                open = nil
            } else if open == nil {
                open = (end, later.count)
            }
            later.append(record)
            end = found.end
            expected = record.sequence + 1
        }
        let claimed = StoredRecord.starts(from: end).compactMap { reader.endClaimed(at: $0) }.max()
        if max(end, claimed ?? 0) + SegmentHeader.sectorBytes > size { note(.cutShort, size..<size) }
        if let open {
            later.removeLast(later.count - open.count)
            end = open.end
            lastCommit = min(lastCommit, end)
        }
        if let rest = reader.nonZero(in: min(end, size)..<size) {
            tornTail = TornTail(file: name, bytes: end..<rest.upperBound)
        }
    }

    /// The next record that counts: the expected one where it should be; else, if anything behind proves that what is
    /// missing was durable, whatever can still be read.
    private func next(_ reader: inout SegmentReader, expecting expected: UInt64?) -> SegmentReader.Found? {
        guard let expected else {
            let last = max(base.last?.sequence ?? 0, supersedes ?? 0)
            return reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.record.sequence > last }
        }
        for offset in StoredRecord.starts(from: end) {
            if let stored = reader.record(at: offset), stored.record.sequence == expected, !stored.isInBase {
                return SegmentReader.Found(offset: offset, stored: stored)
            }
        }
        let proof = reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.commitStart > expected }
        guard proof != nil else { return nil }
        return reader.firstRecord(from: end, before: size) { !$0.isInBase && $0.record.sequence > expected }
    }
}
