// The encoding of a record in a segment.

/// A record with its metadata in the file.
///
///     bytes    0 …   3  the length of all this, payload included; 0 means no record
///              4 …   7  CRC-32C of the segment's number and of everything here but itself
///              8 …  15  the sequence number
///             16 …  23  milliseconds since 1970
///             24 …  31  `commitStart`
///             32 …  33  the kind
///             34 …  35  `followers`
///             36 …  39  the lowest bit: 1 in the base, 0 after it; the others: the segment's number
///                       minus that of the segment that it took over from, 0 for none
///             40 …      the payload, and zeros up to a multiple of 8
///
/// A record begins at a multiple of 8, and its header lies within one sector. The first record of a commit
/// begins a sector.
struct StoredRecord {
    var record: Record
    /// After the base: the sequence number of the first record of the same commit. The previous commit was
    /// durable by then, so this record proves that all before `commitStart` was. In the base: the segment's
    /// `supersedes`.
    var commitStart: UInt64
    /// The number of records of the same append after this one: an append exists as a whole or not at all.
    /// In the base: the number of base records after this one, or 65,535 if there are more.
    var followers: UInt16
    var isInBase: Bool
    /// The segment that this one took over from; 0 for none. The header has it too, but may be damaged.
    var follows: UInt64

    static let headerBytes = 40
    static let alignment = 8

    var length: Int { StoredRecord.headerBytes + record.payload.count }

    /// Returns the position of a record that is written after `offset`.
    static func start(from offset: Int) -> Int {
        let aligned = roundedUp(offset, to: alignment)
        let sector = roundedUp(aligned, to: Sector.bytes)
        return aligned + headerBytes > sector && aligned < sector ? sector : aligned
    }

    func append(to bytes: inout [UInt8], ofSegment number: UInt64) {
        let start = bytes.count
        bytes.append(number: UInt32(length))
        bytes.append(number: UInt32(0))
        bytes.append(number: record.sequence)
        bytes.append(number: record.millisecondsSince1970)
        bytes.append(number: commitStart)
        bytes.append(number: record.kind.rawValue)
        bytes.append(number: followers)
        bytes.append(number: place(inSegment: number))
        bytes += record.payload
        let checksum = bytes.withUnsafeBytes { all in
            StoredRecord.checksum(UnsafeRawBufferPointer(rebasing: all[start...]), ofSegment: number)
        }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(start + 4..<start + 8, with: $0) }
        bytes += [UInt8](repeating: 0, count: roundedUp(bytes.count, to: StoredRecord.alignment) - bytes.count)
    }

    private func place(inSegment number: UInt64) -> UInt32 {
        let distance = follows == 0 ? 0 : number - follows
        return UInt32(min(distance, UInt64(UInt32.max >> 1))) << 1 | (isInBase ? 1 : 0)
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer, ofSegment number: UInt64) -> UInt32 {
        var checksum = CRC32C()
        checksum.add(number)
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[..<4]))
        checksum.add(UnsafeRawBufferPointer(rebasing: bytes[8...]))
        return checksum.value
    }

    /// Returns the length in a header, if it is a possible one.
    static func length(claimedBy header: UnsafeRawBufferPointer) -> Int? {
        let length = Int(header.number(at: 0, as: UInt32.self))
        return (headerBytes...headerBytes + NewRecord.payloadBytesMax).contains(length) ? length : nil
    }

    static func sequence(claimedBy header: UnsafeRawBufferPointer) -> UInt64 {
        header.number(at: 8, as: UInt64.self)
    }

    /// Far more than any journal reaches. With smaller numbers, sums cannot overflow.
    static let sequenceMax: UInt64 = 1 << 62
}

extension StoredRecord {
    /// Returns true if the header's values are possible in that segment.
    static func isPossible(_ header: UnsafeRawBufferPointer, inSegment number: UInt64) -> Bool {
        let place = header.number(at: 36, as: UInt32.self)
        let sequence = header.number(at: 8, as: UInt64.self)
        let commitStart = header.number(at: 24, as: UInt64.self)
        let commitStartMax = place & 1 == 1 ? sequenceMax : sequence
        return (1...sequenceMax).contains(sequence) && commitStart <= commitStartMax && UInt64(place >> 1) <= number
    }

    /// Decodes a record from exactly these bytes; nil if they are not one.
    init?(_ bytes: UnsafeRawBufferPointer, ofSegment number: UInt64) {
        let place = bytes.number(at: 36, as: UInt32.self)
        let sequence = bytes.number(at: 8, as: UInt64.self)
        let commitStart = bytes.number(at: 24, as: UInt64.self)
        let distance = UInt64(place >> 1)
        guard StoredRecord.isPossible(bytes, inSegment: number),
            bytes.number(at: 4, as: UInt32.self) == StoredRecord.checksum(bytes, ofSegment: number)
        else { return nil }
        isInBase = place & 1 == 1
        follows = distance == 0 ? 0 : number - distance
        self.commitStart = commitStart
        followers = bytes.number(at: 34, as: UInt16.self)
        record = Record(
            sequence: sequence, kind: RecordKind(rawValue: bytes.number(at: 32, as: UInt16.self)),
            millisecondsSince1970: bytes.number(at: 16, as: Int64.self),
            payload: Array(bytes[StoredRecord.headerBytes...]))
    }
}
