// The names of a journal's files.

/// The role of a file in a journal's directory, by its name.
enum SegmentName: Hashable {
    /// `journal-000000000007`: part of the journal.
    case segment(UInt64)
    /// `journal-000000000007.new`: unfinished, and never part of the journal.
    case unfinished(UInt64)
    /// `journal-000000000007.aside`: set aside for a person to look at. The journal never reads it again.
    case setAside(UInt64)
    /// `journal-000000000007.tail`: complete records of an append that was cut off, kept for a person.
    case tail(UInt64)

    /// Parses a name; nil if it is not that of a journal's file.
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

    /// The number, unique among existing files. A segment's former name may also exist after a power cut.
    /// The number of an unfinished file that was removed may be used again.
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
    /// Enough digits for a new segment every millisecond for thirty years. The names sort by number.
    private static let digitCount = 12
    /// The last number, which no journal reaches.
    static let numberMax: UInt64 = 999_999_999_999
}
