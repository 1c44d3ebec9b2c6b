// The first sector of a segment: what the file is, and what it begins with.

/// What a segment says about itself.
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
/// The name, the version and the checksum stay where they are in every version, so that another one can be told from a
/// damaged one.
struct SegmentHeader: Hashable {
    var number: UInt64
    /// The records that the segment begins with (its base) stand for everything up to this sequence number.
    var supersedes: UInt64
    /// The segment that this one took over from, kept as a second chance; 0 where there is none.
    var follows: UInt64
    /// The sequence number of the first record after the base.
    var firstLater: UInt64
    var baseCount: Int
    /// Where the base ends, at the end of a sector.
    var baseEnd: Int
    /// Segments to set aside for a person to look at. Damage is reported while one of them bears a segment's name.
    var setsAside: [UInt64]

    static let version: UInt32 = 2
    private static let name = Array("ROOSTERJ".utf8)
    /// Where the numbers in `setsAside` are.
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
        // Where each of so many attempts to set one aside has failed, the newest can wait.
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

    /// Whether a journal could have written this: sums with these numbers cannot overflow, and what it speaks of came before.
    private var isPossible: Bool {
        (setsAside + [follows]).allSatisfy { $0 < number } && supersedes < firstLater
            && firstLater <= StoredRecord.sequenceMax && baseCount < firstLater
            && (Sector.bytes...Int.max / 2).contains(baseEnd)
    }
}
