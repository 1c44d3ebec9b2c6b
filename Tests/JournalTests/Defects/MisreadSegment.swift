// The bytes of a segment, changed so that they pass a check. A reader that omits the check sees the same.

@testable import Journal

extension PlantedDefect {
    var misreads: Bool {
        switch self {
        case .checksumNotChecked, .lengthTrusted, .commitStartIgnored, .damageTakenForTornTail: true
        default: false
        }
    }

    func misread(_ bytes: [UInt8], of name: String) -> [UInt8] {
        let number = SegmentName(name)?.number ?? 0
        switch self {
        case .checksumNotChecked:
            return changed(bytes, ofSegment: number) { record in record.withChecksum() }
        case .lengthTrusted:
            return changed(bytes, ofSegment: number) { record in
                record.isSound
                    ? record.bytes : record.bytes.prefix(4) + [UInt8](repeating: 0, count: record.bytes.count - 4)
            }
        case .commitStartIgnored:
            return changed(bytes, ofSegment: number) { record in
                record.isSound ? record.with(commitStart: { $0 }).withChecksum() : record.bytes
            }
        case .damageTakenForTornTail:
            return changed(bytes, ofSegment: number) { record in
                record.isSound ? record.with(commitStart: { _ in 1 }).withChecksum() : record.bytes
            }
        default: return bytes
        }
    }

    /// Follows each record's length to the next record, even if the bytes are damaged.
    private func changed(
        _ bytes: [UInt8], ofSegment number: UInt64, _ change: (RecordBytes) -> [UInt8]
    ) -> [UInt8] {
        var bytes = bytes
        var offset = StoredRecord.start(from: 512)
        while offset + StoredRecord.headerBytes <= bytes.count {
            let length = bytes.withUnsafeBytes {
                StoredRecord.length(claimedBy: UnsafeRawBufferPointer(rebasing: $0[offset...]))
            }
            guard let length, offset + length <= bytes.count else {
                offset = StoredRecord.start(from: offset + 8)
                continue
            }
            let record = RecordBytes(bytes: Array(bytes[offset..<offset + length]), segment: number)
            bytes.replaceSubrange(offset..<offset + length, with: change(record))
            offset = StoredRecord.start(from: offset + length)
        }
        return bytes
    }
}

/// A record's bytes in a segment, valid or not.
private struct RecordBytes {
    var bytes: [UInt8]
    let segment: UInt64

    var isSound: Bool { bytes.withUnsafeBytes { StoredRecord($0, ofSegment: segment) != nil } }

    func withChecksum() -> [UInt8] {
        var bytes = bytes
        let checksum = bytes.withUnsafeBytes { StoredRecord.checksum($0, ofSegment: segment) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(4..<8, with: $0) }
        return bytes
    }

    /// Returns the record with another `commitStart`, computed from its own number. A base record has none.
    func with(commitStart: (UInt64) -> UInt64) -> RecordBytes {
        let (sequence, isInBase) = bytes.withUnsafeBytes {
            ($0.number(at: 8, as: UInt64.self), $0.number(at: 36, as: UInt32.self) & 1 == 1)
        }
        guard !isInBase else { return self }
        var changed = self
        withUnsafeBytes(of: commitStart(sequence).littleEndian) { changed.bytes.replaceSubrange(24..<32, with: $0) }
        return changed
    }
}
