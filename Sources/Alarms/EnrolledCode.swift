// Enrolled codes and tags, stored as keyed hashes, and the key of the hashes.

import Text

/// An enrolled code or tag: its label, and the keyed hash of its payload.
public struct EnrolledCode: Hashable, Sendable {
    package var label: String
    /// The kind of challenge that the code completes: `qr` or `tag`.
    package var kind: Challenge.Kind
    package var digest: CodeDigest
    /// The camera's name for the type of code, such as `ean13`. It is unused for a tag.
    package var symbology: String

    /// The symbology of printed codes, unless the owner chooses another.
    public static let usualSymbology = "qr"

    package init(
        label: String, kind: Challenge.Kind, digest: CodeDigest, symbology: String = EnrolledCode.usualSymbology
    ) {
        (self.label, self.kind, self.digest, self.symbology) = (label, kind, digest, symbology)
    }

    /// The beginning of the digest, by which the owner can tell codes apart.
    package var fingerprint: String { digest.fingerprint }
}

/// The keyed hash of a code's payload, in hexadecimal. Equal payloads have equal digests, and a digest does
/// not reveal its payload.
public struct CodeDigest: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The first 8 digits, which are enough to tell codes apart.
    package var fingerprint: String { String(text.prefix(8)) }
}

extension EnrolledCode {
    /// The bound on enrolled codes. No owner has as many.
    package static let countMax = 1000
    private static let digestBytesMax = 256

    package var problems: [Problem] {
        var problems: [Problem] = []
        if label.isEmpty { problems.append(Problem("label", "is missing: give the code a name")) }
        if label.isLonger(than: Alarm.Limits.labelCharacters) {
            problems.append(Problem("label", "must have at most \(Alarm.Limits.labelCharacters) characters"))
        }
        if kind != .qr, kind != .tag {
            problems.append(Problem("kind", "must be qr or tag, not \(kind.rawValue.quoted)"))
        }
        if digest.text.isEmpty { problems.append(Problem("digest", "is missing")) }
        if digest.text.utf8.count > EnrolledCode.digestBytesMax {
            problems.append(Problem("digest", "must have at most \(EnrolledCode.digestBytesMax) bytes"))
        }
        return problems
    }
}

/// The secret key of the payloads' hashes. Without it, payloads cannot be guessed from their hashes. Backups
/// include it.
public struct CodeKey: Hashable, Sendable {
    /// The key's bytes in hexadecimal.
    package let text: String

    /// The number of random bytes in a key.
    package static let byteCount = 32
    /// The bound on keys. Each code in view is hashed with every key: the device's own and those of restored
    /// backups.
    package static let countMax = 8

    package init(_ text: String) {
        self.text = text
    }

    package init(_ bytes: some Sequence<UInt8>) {
        text = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The key's bytes; nil if the text is not a valid key.
    package var bytes: [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * CodeKey.byteCount else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
