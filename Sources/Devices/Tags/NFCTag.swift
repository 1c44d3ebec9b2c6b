// An NFC tag, by which it is known.

/// A tag by its identifier. Whoever knows that can make another such tag: it is kept hashed, and never logged.
public struct NFCTag: Hashable, Sendable {
    /// What it says it is.
    public let identifier: [UInt8]

    /// The kinds of tag that there are have 4, 7, 8 or 10 bytes.
    public static let byteCounts = 4...16

    /// Nil where that is no tag's identifier.
    public init?(identifier: [UInt8]) {
        guard NFCTag.byteCounts ~= identifier.count, identifier.contains(where: { $0 != 0 }) else { return nil }
        self.identifier = identifier
    }

    /// Whether it makes itself another identifier each time, as phones do: it would never be known again.
    public var isRandom: Bool { identifier.count == 4 && identifier[0] == 0x08 }

    /// In the form in which it is hashed: hexadecimal digits.
    public var payload: [UInt8] {
        identifier.flatMap { byte in [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) } }
    }
}

extension NFCTag: CustomStringConvertible {
    /// Without its identifier: this may come into a log.
    public var description: String { "a tag of \(identifier.count) bytes" }
}
