// What a reader of tags tells, and how it fails.

package enum TagReport: Hashable, Sendable {
    /// It can be used from now on, under the name by which its owner knows it.
    case ready(name: String)
    /// A tag is there. One that was there when the reader was ordered on may lie there all the time: nobody has got up for it.
    case tag(NFCTag, wasThere: Bool)
    /// What was held to it tells no identifier that could be used, and why.
    case unreadable(reason: String)
    /// It cannot be used, and why. It is tried again until it is ordered off.
    case failed(TagReaderFailure)
}

package enum TagReaderFailure: Error, Hashable, Sendable {
    /// The service pcscd, which has the readers, is not there.
    case noService
    /// pcscd does not talk to this user.
    case refused
    case none
    /// The configured reader is not there; others may be.
    case missing(wanted: String)
    /// Something else, in the words of PC/SC.
    case system(doing: String, words: String)
}

extension TagReaderFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noService: "pcscd is not running, which reads tags: 'apt install pcscd' installs it"
        case .refused: "pcscd does not let this user read tags: its polkit rule for Rooster is not installed"
        case .none: "no reader of tags is plugged in"
        case .missing(let wanted): "the reader of tags \"\(wanted)\" is not plugged in"
        case .system(let doing, let words): "cannot \(doing): \(words)"
        }
    }
}

/// A tag by its identifier. Whoever knows that can make another such tag: it is kept hashed, and never logged.
package struct NFCTag: Hashable, Sendable {
    package let identifier: [UInt8]

    /// The kinds of tag that there are have 4, 7, 8 or 10 bytes.
    package static let byteCounts = 4...16

    /// Nil where that is no tag's identifier.
    package init?(identifier: [UInt8]) {
        guard NFCTag.byteCounts ~= identifier.count, identifier.contains(where: { $0 != 0 }) else { return nil }
        self.identifier = identifier
    }

    /// Whether it makes itself another identifier each time, as phones do: it would never be known again.
    package var isRandom: Bool { identifier.count == 4 && identifier[0] == 0x08 }

    /// In the form in which it is hashed: hexadecimal digits.
    package var payload: [UInt8] {
        identifier.flatMap { byte in [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) } }
    }
}

extension NFCTag: CustomStringConvertible {
    /// Without its identifier: this may come into a log.
    package var description: String { "a tag of \(identifier.count) bytes" }
}
