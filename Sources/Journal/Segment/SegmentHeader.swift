// The first sector of a segment: the file's identity and its base.

/// The header of a segment.
///
///     bytes    0 …   7  "ROOSTERJ"
///              8 …  11  the version of the format
///             16 …  23  the segment's number
///             24 …  31  `supersedes`
///             32 …  39  `follows`
///             40 …  47  `firstLater`
///             48 …  55  `baseCount`
///             56 …  63  `baseEnd`
///             64 … 503  `setsAside`, then zeros
///            508 … 511  CRC-32C of all before it
///
/// Name, version and checksum have the same place in every version, to tell another version from damage.
struct SegmentHeader: Hashable {
    var number: UInt64
    /// The last sequence number that the base, the records at the segment's start, stands for.
    var supersedes: UInt64
    /// The segment that this one took over from, kept as a second chance; 0 if there is none.
    var follows: UInt64
    /// The sequence number of the first record after the base.
    var firstLater: UInt64
    var baseCount: Int
    /// The end of the base, at the end of a sector.
    var baseEnd: Int
    /// The segments to set aside. Damage is reported while one of them still has a segment's name.
    var setsAside: [UInt64]

    static let version: UInt32 = 2
    private static let name = Array("ROOSTERJ".utf8)
    /// The offsets of the numbers in `setsAside`.
    private static let setAsidePlaces = stride(from: 64, to: 504, by: 8)

    enum Reading: Equatable {
        case whole(SegmentHeader)
        case other(version: UInt32)
        case damaged
    }

    var sector: [UInt8] {
        var bytes = SegmentHeader.name
        bytes.append(number: SegmentHeader.version)
        bytes.append(number: UInt32(0))
        for number in [number, supersedes, follows, firstLater, UInt64(baseCount), UInt64(baseEnd)] {
            bytes.append(number: number)
        }
        // If there are more than fit, the newest ones are left out.
        for (number, _) in zip(setsAside, SegmentHeader.setAsidePlaces) { bytes.append(number: number) }
        bytes += [UInt8](repeating: 0, count: Sector.bytes - 4 - bytes.count)
        bytes.append(number: bytes.withUnsafeBytes(SegmentHeader.checksum))
        return bytes
    }

    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var checksum = CRC32C()
        checksum.add(bytes)
        return checksum.value
    }

    static func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        guard bytes.count == Sector.bytes, bytes.starts(with: name),
            bytes.number(at: 508, as: UInt32.self) == checksum(UnsafeRawBufferPointer(rebasing: bytes[..<508]))
        else { return .damaged }
        let version = bytes.number(at: 8, as: UInt32.self)
        guard version == SegmentHeader.version else { return .other(version: version) }
        let header = SegmentHeader(
            number: bytes.number(at: 16, as: UInt64.self), supersedes: bytes.number(at: 24, as: UInt64.self),
            follows: bytes.number(at: 32, as: UInt64.self), firstLater: bytes.number(at: 40, as: UInt64.self),
            baseCount: Int(clamping: bytes.number(at: 48, as: UInt64.self)),
            baseEnd: Int(clamping: bytes.number(at: 56, as: UInt64.self)),
            setsAside: setAsidePlaces.map { bytes.number(at: $0, as: UInt64.self) }.filter { $0 > 0 })
        return header.isPossible ? .whole(header) : .damaged
    }

    /// True if a journal could have written this: no sum can overflow, and all references point backwards.
    private var isPossible: Bool {
        (setsAside + [follows]).allSatisfy { $0 < number } && supersedes < firstLater
            && firstLater <= StoredRecord.sequenceMax && baseCount < firstLater
            && (Sector.bytes...Int.max / 2).contains(baseEnd)
    }
}
