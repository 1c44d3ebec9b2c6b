// The search for records in a segment, also after unreadable and damaged parts.

/// A reader of single records. `SegmentContents` decides which of them count.
struct SegmentReader {
    private var window: FileWindow
    private let number: UInt64
    /// The total length of possible records whose checksum was wrong.
    private var misreadBytes = 0

    /// The limit of `misreadBytes`. Garbage can resemble a long record at every position, and computing all
    /// checksums takes minutes. Beyond the limit, only records at expected positions are checked.
    private static let misreadMax = 256 << 20

    struct Found {
        var offset: Int
        var stored: StoredRecord
        /// The first position at which another record may begin.
        var end: Int { roundedUp(offset + stored.length, to: StoredRecord.alignment) }
    }

    init(window: FileWindow, number: UInt64) {
        self.window = window
        self.number = number
    }

    var size: Int { window.size }

    var unreadable: [FileWindow.Unreadable] { window.unreadable }

    mutating func header() -> SegmentHeader.Reading {
        guard size >= Sector.bytes else { return .damaged }
        return window.withBytes(0..<Sector.bytes, SegmentHeader.read)
    }

    var hasGrown: Bool { window.hasGrown }

    /// True if the search for records at arbitrary positions has ended, because of too much garbage.
    var hasEndedSearch: Bool { misreadBytes >= SegmentReader.misreadMax }

    /// Returns the record that begins at a position, or nil if there is none.
    mutating func record(at offset: Int) -> StoredRecord? {
        guard let length = lengthClaimed(at: offset), offset + length <= size else { return nil }
        return window.withBytes(offset..<offset + length) { StoredRecord($0, ofSegment: number) }
    }

    /// Returns the record at an arbitrary position, or nil if there is none. Most positions are rejected by
    /// the header alone, without a checksum.
    private mutating func recordPerhaps(at offset: Int) -> StoredRecord? {
        guard !hasEndedSearch, let length = lengthClaimed(at: offset), offset + length <= size,
            window.withBytes(
                offset..<offset + StoredRecord.headerBytes,
                { [number] in StoredRecord.isPossible($0, inSegment: number) })
        else { return nil }
        let stored = record(at: offset)
        if stored == nil { misreadBytes += length }
        return stored
    }

    /// Returns the end of the record at a position by its header, or nil if the sequence number is another.
    /// The record may be incomplete. A length alone may be part of a torn payload.
    mutating func endClaimed(at offset: Int, by sequence: UInt64) -> Int? {
        guard let length = lengthClaimed(at: offset) else { return nil }
        let claimed = window.withBytes(offset..<offset + StoredRecord.headerBytes, StoredRecord.sequence)
        return claimed == sequence ? offset + length : nil
    }

    private mutating func lengthClaimed(at offset: Int) -> Int? {
        guard offset + StoredRecord.headerBytes <= size else { return nil }
        return window.withBytes(offset..<offset + StoredRecord.headerBytes, StoredRecord.length)
    }

    /// Returns the first record from `offset` on that begins before `limit` and satisfies the predicate.
    mutating func firstRecord(
        from offset: Int, before limit: Int, where isLookedFor: (StoredRecord) -> Bool = { _ in true }
    ) -> Found? {
        var offset = StoredRecord.start(from: offset)
        while offset < limit {
            if let stored = recordPerhaps(at: offset), isLookedFor(stored) {
                return Found(offset: offset, stored: stored)
            }
            // Most of the rest is zeros, which are skipped.
            guard let next = firstNonZero(in: min(offset + StoredRecord.alignment, limit)..<limit) else { return nil }
            offset = next & ~(StoredRecord.alignment - 1)
        }
        return nil
    }

    /// Returns all whole records after the base from `offset` on, also those of incomplete appends.
    mutating func laterRecords(from offset: Int) -> [Record] {
        var (records, end): ([Record], Int) = ([], offset)
        while let found = firstRecord(from: end, before: size, where: { !$0.isInBase }) {
            records.append(found.stored.record)
            end = found.end
        }
        return records
    }

    /// Returns the range from the first to the last byte that is not zero; nil if all are.
    mutating func nonZero(in range: Range<Int>) -> Range<Int>? {
        guard let first = firstNonZero(in: range) else { return nil }
        var last = first
        while let next = firstNonZero(in: last + 1..<range.upperBound) { last = next }
        return first..<last + 1
    }

    private mutating func firstNonZero(in range: Range<Int>) -> Int? {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + pieceBytes / 4, range.upperBound)
            if let found = window.withBytes(start..<end, { $0.firstNonZero }) { return start + found }
            start = end
        }
        return nil
    }
}

extension UnsafeRawBufferPointer {
    fileprivate var firstNonZero: Int? {
        var offset = 0
        while offset + 8 <= count, loadUnaligned(fromByteOffset: offset, as: UInt64.self) == 0 { offset += 8 }
        return self[offset...].firstIndex { $0 != 0 }
    }
}
