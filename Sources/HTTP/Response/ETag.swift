// Entity tags: the revision of an object in a response, and in the conditions of a later request (RFC 9110).

/// An entity tag, such as `"9f1c"`.
package struct ETag: Hashable, Sendable, CustomStringConvertible {
    /// The text between the quotes.
    package let opaque: String
    /// True for `W/"…"`, which promises only that the content means the same.
    package let isWeak: Bool

    /// Creates the strong tag of a revision. Bytes that a tag must not contain are percent-encoded.
    package init(revision: String) {
        let isPlain = revision.utf8.allSatisfy(\.isTagByte)
        self.init(opaque: isPlain ? revision : PercentCoding.encoded(revision), isWeak: false)
    }

    fileprivate init(opaque: String, isWeak: Bool) { (self.opaque, self.isWeak) = (opaque, isWeak) }

    package var description: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }
}

/// The value of If-Match or If-None-Match.
package enum ETagCondition: Hashable, Sendable {
    /// `*`: any present object.
    case any
    case list([ETag])

    /// Reads `*` or a list of tags. A tag may contain commas.
    init?(_ text: String) {
        if text == "*" {
            self = .any
            return
        }
        var tags: [ETag] = []
        var rest = Array(text.utf8)[...]
        while true {
            // Empty elements are allowed between commas.
            while let byte = rest.first, byte == 0x2C || byte == 0x20 || byte == 0x09 { rest = rest.dropFirst() }
            guard !rest.isEmpty else { break }
            let isWeak = rest.starts(with: "W/".utf8)
            if isWeak { rest = rest.dropFirst(2) }
            guard rest.popFirst() == 0x22 else { return nil }
            let opaque = rest.prefix(while: \.isTagByte)
            rest = rest[opaque.endIndex...]
            guard rest.popFirst() == 0x22 else { return nil }
            rest = rest.trimmingSpaces
            guard rest.isEmpty || rest.first == 0x2C else { return nil }
            tags.append(ETag(opaque: String(decoding: opaque, as: UTF8.self), isWeak: isWeak))
        }
        guard !tags.isEmpty else { return nil }
        self = .list(tags)
    }

    /// Returns whether If-Match lets a change happen. A weak tag never does, because the client may have seen
    /// other content. The object has no tag if it does not exist.
    package func permitsChange(of present: ETag?) -> Bool {
        guard let present else { return false }
        return switch self {
        case .any: true
        case .list(let tags): !present.isWeak && tags.contains(present)
        }
    }

    /// Returns whether If-None-Match says that the client has the content already.
    package func isSatisfied(by present: ETag?) -> Bool {
        guard let present else { return false }
        return switch self {
        case .any: true
        case .list(let tags): tags.contains { $0.opaque == present.opaque }
        }
    }
}

extension UInt8 {
    fileprivate var isTagByte: Bool { self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80 }
}
