// Base64 (RFC 4648), in which lines of JSON carry bytes.

extension [UInt8] {
    /// The bytes in base64 with padding.
    package var base64: String { base64(Base64.standard, isPadded: true) }

    /// The bytes in the form of base64 that URLs may contain, without padding.
    package var base64ForURLs: String { base64(Base64.forURLs, isPadded: false) }

    /// Decodes base64 with padding, or returns nil for any other text.
    package init?(base64 text: String) {
        let digits = Array(text.utf8)
        let padding = digits.suffix(2).count { $0 == Base64.padding }
        guard digits.count.isMultiple(of: 4), padding < 2 || digits[digits.count - 2] == Base64.padding else {
            return nil
        }
        self = []
        reserveCapacity(digits.count / 4 * 3)
        var (bits, count) = (UInt32(0), 0)
        for digit in digits.dropLast(padding) {
            let value = Base64.values[Int(digit)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // The rest of the last digit must be zero, so that each text of bytes is the only one.
        guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    }

    private func base64(_ digits: [UInt8], isPadded: Bool) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        for start in stride(from: 0, to: count, by: 3) {
            let group = self[start..<Swift.min(start + 3, count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0...group.count { text.append(digits[Int(bits >> UInt32(18 - 6 * place) & 63)]) }
            if isPadded { text += repeatElement(Base64.padding, count: 3 - group.count) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private enum Base64 {
    static let standard = digits(last: "+/")
    static let forURLs = digits(last: "-_")
    static let padding = UInt8(ascii: "=")

    /// The value of each digit; 255 for any other byte.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in standard.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    private static func digits(last: String) -> [UInt8] {
        Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
    }
}
