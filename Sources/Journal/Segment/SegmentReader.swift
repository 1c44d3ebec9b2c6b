// Finds the records of a segment, also those behind a place that cannot be read.

/// Reads the pieces of a segment; what they mean together is `SegmentContents`'s.
struct SegmentReader {
    private var window: FileWindow
    private let number: UInt64
    /// How much was checked in vain.
    private var misreadBytes = 0

    /// Garbage can look like long records at every place, and to check each takes minutes: after so much in vain, no more is
    /// looked for. Where a record is expected it is checked all the same.
    private static let misreadMax = 256 << 20

    struct Found {
        var offset: Int
        var stored: StoredRecord
        /// Where what comes next may begin.
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

    /// Whether there was more garbage than is looked through.
    var hasGivenUp: Bool { misreadBytes >= SegmentReader.misreadMax }

    /// The record that begins there, if one does.
    mutating func record(at offset: Int) -> StoredRecord? {
        guard let length = lengthClaimed(at: offset), offset + length <= size else { return nil }
        return window.withBytes(offset..<offset + length) { StoredRecord($0, ofSegment: number) }
    }

    /// The same where one may begin or not: most of what is none is told from its header alone.
    private mutating func recordPerhaps(at offset: Int) -> StoredRecord? {
        guard !hasGivenUp, let length = lengthClaimed(at: offset), offset + length <= size,
            window.withBytes(
                offset..<offset + StoredRecord.headerBytes,
                { [number] in StoredRecord.isPossible($0, inSegment: number) })
        else { return nil }
        let stored = record(at: offset)
        if stored == nil { misreadBytes += length }
        return stored
    }

    /// Where a record of that number would end that begins there by what its header says, whether or not it is whole. A
    /// length alone may be anything: a part of a payload that was torn, say.
    mutating func endClaimed(at offset: Int, by sequence: UInt64) -> Int? {
        guard let length = lengthClaimed(at: offset) else { return nil }
        let claimed = window.withBytes(offset..<offset + StoredRecord.headerBytes, StoredRecord.sequence)
        return claimed == sequence ? offset + length : nil
    }

    private mutating func lengthClaimed(at offset: Int) -> Int? {
        guard offset + StoredRecord.headerBytes <= size else { return nil }
        return window.withBytes(offset..<offset + StoredRecord.headerBytes, StoredRecord.length)
    }

    /// The first record from `offset` on that begins before `limit` and is looked for.
    mutating func firstRecord(
        from offset: Int, before limit: Int, where isLookedFor: (StoredRecord) -> Bool = { _ in true }
    ) -> Found? {
        var offset = StoredRecord.start(from: offset)
        while offset < limit {
            if let stored = recordPerhaps(at: offset), isLookedFor(stored) {
                return Found(offset: offset, stored: stored)
            }
            // Mostly there is nothing but zeros.
            guard let next = firstNonZero(in: min(offset + StoredRecord.alignment, limit)..<limit) else { return nil }
            offset = next & ~(StoredRecord.alignment - 1)
        }
        return nil
    }

    /// The whole records from `offset` on that are not part of the base, whether or not their appends are there as a whole.
    mutating func laterRecords(from offset: Int) -> [Record] {
        var (records, end): ([Record], Int) = ([], offset)
        while let found = firstRecord(from: end, before: size, where: { !$0.isInBase }) {
            records.append(found.stored.record)
            end = found.end
        }
        return records
    }

    /// From the first to the last byte that is not zero.
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
