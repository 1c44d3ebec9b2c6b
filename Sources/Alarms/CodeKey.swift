// The key with which payloads of codes are hashed.

/// A random key: without it nobody can tell by trying what a code says. A backup carries it, for its codes need it.
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
