// How the files of a journal are called, and what a name says about a file.

/// What a file in a journal's directory is, by its name.
enum SegmentName: Hashable {
    /// `journal-000000000007`: part of the journal.
    case segment(UInt64)
    /// `journal-000000000007.new`: it was being written, and never became part of the journal.
    case unfinished(UInt64)
    /// `journal-000000000007.aside`: set aside for a person to look at; the journal never reads it again.
    case setAside(UInt64)
    /// `journal-000000000007.tail`: whole records that a power cut left of an append, kept for a person to look at.
    case tail(UInt64)

    /// Reads a name; nothing if it is not one of a journal's.
    init?(_ name: String) {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let digits = parts[0].dropFirst(SegmentName.prefix.count)
        guard parts[0].hasPrefix(SegmentName.prefix), digits.utf8.count == SegmentName.digitCount,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(digits)
        else { return nil }
        switch parts.dropFirst().first {
        case nil: self = .segment(number)
        case "new": self = .unfinished(number)
        case "aside": self = .setAside(number)
        case "tail": self = .tail(number)
        default: return nil
        }
    }

    /// No two files that are there have the same number, but for a segment whose former name a power cut left behind. That
    /// of an unfinished file which was removed may be used again.
    var number: UInt64 {
        switch self {
        case .segment(let number), .unfinished(let number), .setAside(let number), .tail(let number): number
        }
    }

    var text: String {
        let digits = String(number)
        let name = SegmentName.prefix + String(repeating: "0", count: SegmentName.digitCount - digits.count) + digits
        return switch self {
        case .segment: name
        case .unfinished: "\(name).new"
        case .setAside: "\(name).aside"
        case .tail: "\(name).tail"
        }
    }

    private static let prefix = "journal-"
    /// Enough for a new segment every millisecond of thirty years, and sorted by name they are sorted by number.
    private static let digitCount = 12
    /// The last one: no journal comes this far.
    static let numberMax: UInt64 = 999_999_999_999
}
