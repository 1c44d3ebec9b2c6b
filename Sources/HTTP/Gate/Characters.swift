// The classes of bytes in RFC 9110 and RFC 3986, and white space around values.

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

    /// True in a header's value: TAB, printable bytes, and bytes above ASCII.
    var isFieldByte: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

    /// The value of a hexadecimal digit.
    var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }

    /// True for letters, digits and `-._~`, which no escape changes.
    var isUnreserved: Bool { isLetter || isDigit || UInt8.marks.contains(self) }
    /// True in a path segment, escapes included.
    var isPathByte: Bool { isUnreserved || UInt8.pathPunctuation.contains(self) }
    var isTokenByte: Bool { isLetter || isDigit || UInt8.tokenPunctuation.contains(self) }

    private static let marks = Array("-._~".utf8)
    private static let pathPunctuation = Array("!$&'()*+,;=:@%".utf8)
    private static let tokenPunctuation = Array("!#$%&'*+-.^_`|~".utf8)
}

extension Unicode.Scalar {
    /// True for the general category Cc, which never changes.
    var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}

extension Collection<UInt8> {
    /// True for a name of a method or header.
    var isToken: Bool { !isEmpty && allSatisfy(\.isTokenByte) }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and tabs at both ends.
    var trimmingSpaces: SubSequence {
        var rest = self[...]
        while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest = rest.dropFirst() }
        while let byte = rest.last, byte == 0x20 || byte == 0x09 { rest = rest.dropLast() }
        return rest
    }
}

extension StringProtocol {
    /// The text with ASCII letters in lower case. Unicode's lower case turns the Kelvin sign into a "k", so
    /// that one word could pass for another.
    var asciiLowercased: String {
        String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The text without spaces and tabs at both ends.
    var trimmingSpaces: String { String(decoding: Array(utf8).trimmingSpaces, as: UTF8.self) }
}
