// A code or a tag that was enrolled, by what tells it from others without giving it away, and the key that hashes it.

import Text

/// A code or a tag that was enrolled: what it is called, and the hash of what it says.
public struct EnrolledCode: Hashable, Sendable {
    package var label: String
    /// What it can meet: `qr` or `tag`.
    package var kind: Challenge.Kind
    /// Its payload's keyed hash.
    package var digest: CodeDigest
    /// How a camera reads it, by the camera's name for that, as in `ean13`; of no meaning for a tag.
    package var symbology: String

    /// How codes are printed unless their owner wants it otherwise.
    public static let usualSymbology = "qr"

    package init(
        label: String, kind: Challenge.Kind, digest: CodeDigest, symbology: String = EnrolledCode.usualSymbology
    ) {
        (self.label, self.kind, self.digest, self.symbology) = (label, kind, digest, symbology)
    }

    /// By what its owner tells it from others: the beginning of the digest.
    package var fingerprint: String { digest.fingerprint }
}

/// The keyed hash of a code's payload, in hexadecimal: equal for equal payloads, and of no use to anybody else.
public struct CodeDigest: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Enough of it for people to tell codes apart.
    package var fingerprint: String { String(text.prefix(8)) }
}

extension EnrolledCode {
    /// More codes than this hang on no walls.
    package static let countMax = 1000
    private static let digestBytesMax = 256

    package var problems: [Problem] {
        var problems: [Problem] = []
        if label.isEmpty { problems.append(Problem("label", "is missing: give the code a name")) }
        if label.isLonger(than: Alarm.Limits.labelCharacters) {
            problems.append(Problem("label", "is longer than \(Alarm.Limits.labelCharacters) characters"))
        }
        if kind != .qr, kind != .tag {
            problems.append(Problem("kind", "\(kind.rawValue) is nothing that can be enrolled: qr or tag"))
        }
        if digest.text.isEmpty { problems.append(Problem("digest", "is blank")) }
        if digest.text.utf8.count > EnrolledCode.digestBytesMax { problems.append(Problem("digest", "is no digest")) }
        return problems
    }
}

/// The secret key of the payloads' hashes: without it, payloads cannot be guessed from their hashes. Backups include it.
public struct CodeKey: Hashable, Sendable {
    /// Its bytes in hexadecimal.
    package let text: String

    /// How many random bytes a key has.
    package static let byteCount = 32
    /// The bound on keys: each code that is seen is hashed with all, the device's own and those of restored backups.
    package static let countMax = 8

    package init(_ text: String) {
        self.text = text
    }

    package init(_ bytes: some Sequence<UInt8>) {
        text = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Its bytes; nil where the text is no key.
    package var bytes: [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count == 2 * CodeKey.byteCount else { return nil }
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard values.count == digits.count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
