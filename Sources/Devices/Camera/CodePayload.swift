// The payload of a code, and the keyed hash that is stored in its place.

import CSodium

/// A code's payload or a tag's number, as it is compared: byte for byte, without white space at its ends.
package struct CodePayload: Hashable, Sendable {
    package let bytes: [UInt8]

    private static let digestBytes = 32

    /// Trims a payload that was read, or returns nil if it is blank.
    package init?(_ read: [UInt8]) {
        var rest = read[...]
        while let count = rest.leadingSpaceBytes { rest = rest.dropFirst(count) }
        while let count = rest.trailingSpaceBytes { rest = rest.dropLast(count) }
        guard !rest.isEmpty else { return nil }
        bytes = Array(rest)
    }

    /// Returns the keyed hash (BLAKE2b) in hexadecimal; nil for an unusable key. `kind` separates tags from
    /// codes.
    package func digest(key: [UInt8], kind: String) -> String? {
        var digest = [UInt8](repeating: 0, count: CodePayload.digestBytes)
        let message = Array("\(kind)\0".utf8) + bytes
        guard sodium_init() >= 0,
            crypto_generichash(&digest, digest.count, message, UInt64(message.count), key, key.count) == 0
        else { return nil }
        return digest.hexadecimal
    }
}

extension CodePayload {
    /// The prefix of the codes that Rooster prints. Random digits of base 32 (RFC 4648) follow it.
    private static let printedBeginning = "ROOSTER-"
    private static let printedDigitCount = 26

    /// Returns the text of a new code with 130 random bits, too many to guess.
    package static func newPrintedText() -> String {
        printedText(ofRandom: (0..<printedDigitCount).map { _ in UInt8.random(in: 0...255) })
    }

    /// Returns the text of a printed code from random bytes, at least as many as its digits. Capitals and digits take
    /// the fewest squares, so that the camera can read the code from further away.
    static func printedText(ofRandom bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        let drawn = bytes.prefix(printedDigitCount).map { digits[Int($0) % digits.count] }
        return printedBeginning + String(decoding: drawn, as: UTF8.self)
    }

    /// True if the payload has the form of a code that Rooster prints, with 130 random bits.
    package var isPrinted: Bool {
        let digits = bytes.dropFirst(CodePayload.printedBeginning.utf8.count)
        return bytes.starts(with: CodePayload.printedBeginning.utf8) && digits.count == CodePayload.printedDigitCount
            && digits.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
    }
}

extension ArraySlice<UInt8> {
    /// The length of the white space character at the start, or nil if there is none.
    fileprivate var leadingSpaceBytes: Int? {
        (1...3).first { isSpace(prefix($0)) && count >= $0 }
    }

    /// The length of the white space character at the end, or nil if there is none.
    fileprivate var trailingSpaceBytes: Int? {
        (1...3).first { isSpace(suffix($0)) && count >= $0 }
    }

    /// Returns whether these bytes are one white space character. Each takes at most three bytes of UTF-8.
    private func isSpace(_ bytes: ArraySlice<UInt8>) -> Bool {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator), scalar.properties.isWhitespace else {
            return false
        }
        return decoder.decode(&iterator) == .emptyInput
    }
}
