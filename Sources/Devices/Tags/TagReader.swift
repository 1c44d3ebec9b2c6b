// The reports and failures of a tag reader, and the tag itself.

package enum TagReport: Hashable, Sendable {
    /// The reader can be used from now on. `name` is shown to the owner.
    case ready(name: String)
    /// A tag is on the reader. `wasThere` is true if the tag lay there before the reader was switched on.
    /// Such a tag does not prove that the owner got up.
    case tag(NFCTag, wasThere: Bool)
    /// The object on the reader gives no usable identifier.
    case unreadable(reason: String)
    /// The reader cannot be used. The driver keeps trying until it is ordered off.
    case failed(TagReaderFailure)
}

package enum TagReaderFailure: Error, Hashable, Sendable {
    /// The service pcscd, which drives the readers, is not running.
    case noService
    /// pcscd refuses this user.
    case refused
    case none
    /// The configured reader is not plugged in, though others may be.
    case missing(wanted: String)
    /// Another failure, with PC/SC's reason.
    case system(doing: String, reason: String)
}

extension TagReaderFailure: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noService: "pcscd, which reads tags, is not running (install the package pcscd)"
        case .refused: "pcscd does not let this user read tags (Rooster's polkit rule is not installed)"
        case .none: "no tag reader is plugged in"
        case .missing(let wanted): "the tag reader \"\(wanted)\" is not plugged in"
        case .system(let doing, let reason): "cannot \(doing): \(reason)"
        }
    }
}

/// A tag's identifier. It is enough to clone the tag, so it is stored hashed and never logged.
package struct NFCTag: Hashable, Sendable {
    package let identifier: [UInt8]

    /// Real tags have 4, 7, 8 or 10 bytes.
    package static let byteCounts = 4...16

    /// Nil if no tag has such an identifier.
    package init?(identifier: [UInt8]) {
        guard NFCTag.byteCounts ~= identifier.count, identifier.contains(where: { $0 != 0 }) else { return nil }
        self.identifier = identifier
    }

    /// True if the tag has a new identifier each time, as phones do. Such a tag could never be recognised.
    package var isRandom: Bool { identifier.count == 4 && identifier[0] == 0x08 }

    /// The hexadecimal digits of the identifier, which are hashed.
    package var payload: [UInt8] {
        identifier.flatMap { byte in [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) } }
    }
}

extension NFCTag: CustomStringConvertible {
    /// Omits the identifier, because descriptions reach the log.
    package var description: String { "a tag of \(identifier.count) bytes" }
}
