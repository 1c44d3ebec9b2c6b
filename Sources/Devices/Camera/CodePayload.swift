// What a code says, and the hash by which it is known: nothing else of it is kept.

import CSodium

/// The payload of a code or the number of a tag, as it is compared: byte for byte, without white space at its ends.
package struct CodePayload: Hashable, Sendable {
    package let bytes: [UInt8]

    private static let digestBytes = 32

    /// A payload as it was read; nil where it is blank.
    package init?(_ read: [UInt8]) {
        var rest = read[...]
        while let count = rest.leadingSpaceBytes { rest = rest.dropFirst(count) }
        while let count = rest.trailingSpaceBytes { rest = rest.dropLast(count) }
        guard !rest.isEmpty else { return nil }
        bytes = Array(rest)
    }

    /// Its keyed hash (BLAKE2b) in hexadecimal; `kind` tells tags from codes. Nil for a key that cannot be hashed with.
    package func digest(key: [UInt8], kind: String) -> String? {
        var digest = [UInt8](repeating: 0, count: CodePayload.digestBytes)
        let message = Array("\(kind)\0".utf8) + bytes
        guard sodium_init() >= 0,
            crypto_generichash(&digest, digest.count, message, UInt64(message.count), key, key.count) == 0
        else { return nil }
        return digest.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension [UInt8] {
    package var base64: String {
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(count, sodium_base64_VARIANT_ORIGINAL))
        sodium_bin2base64(&text, text.count, self, count, sodium_base64_VARIANT_ORIGINAL)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension CodePayload {
    /// How the codes begin that Rooster prints; so many random digits of base 32 (RFC 4648) come behind.
    package static let printedBeginning = "ROOSTER-"
    private static let printedDigitCount = 26

    /// Whether it has the form of the payloads that Rooster prints, with their 128 random bits.
    package var isPrinted: Bool {
        let digits = bytes.dropFirst(CodePayload.printedBeginning.utf8.count)
        return bytes.starts(with: CodePayload.printedBeginning.utf8) && digits.count == CodePayload.printedDigitCount
            && digits.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
    }
}

extension ArraySlice<UInt8> {
    /// How many bytes the white space takes that it begins with; nil where it begins with none.
    fileprivate var leadingSpaceBytes: Int? {
        (1...3).first { isSpace(prefix($0)) && count >= $0 }
    }

    /// The same at its end.
    fileprivate var trailingSpaceBytes: Int? {
        (1...3).first { isSpace(suffix($0)) && count >= $0 }
    }

    /// Whether these bytes are one character of white space. None takes more than three bytes of UTF-8.
    private func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.properties.isWhitespace else {
            return false
        }
        return decoder.decode(&iterator) == .emptyInput
    }
}
