// A strict JSON parser that reports the line and column of a mistake.

import Text

extension JSON {
    /// The deepest nesting of lists and objects. Hostile files nest deeper to exhaust the stack.
    static let depthMax = 64
    /// The most combining marks on one character, far more than any script needs. Comparing strings sorts
    /// the marks, in time quadratic in their number, and hostile files have megabytes of them.
    static let marksMax = 255

    /// Parses a whole text, which must have nothing after the value.
    package init(parsing bytes: [UInt8]) throws(JSONSyntaxError) {
        var reader = JSONReader(bytes)
        self = try reader.document()
    }
}

private struct JSONReader {
    private let bytes: [UInt8]
    private var position = 0

    private static let fewNames = 16

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func mistake(_ reason: String, at position: Int? = nil) -> JSONSyntaxError {
        let before = bytes[..<min(position ?? self.position, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = before.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
        return JSONSyntaxError(line: line, column: before.count - lineStart + 1, reason: reason)
    }

    mutating func document() throws(JSONSyntaxError) -> JSON {
        // Some editors begin every file with a byte order mark.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        skipWhiteSpace()
        let value = try value(depth: 0)
        skipWhiteSpace()
        guard peek == nil else { throw mistake("there is text after the end of the value") }
        return value
    }

    private mutating func skipWhiteSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSON {
        guard depth <= JSON.depthMax else { throw mistake("lists and objects are nested too deep") }
        switch peek {
        case UInt8(ascii: "{"): return .object(try members(depth: depth))
        case UInt8(ascii: "["): return .array(try elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(0x30...0x39): return .number(try number())
        case nil: throw mistake("a value is missing at the end of the text")
        case UInt8(ascii: "]"): throw mistake("a value is missing here, or the comma before this ] is one too many")
        case UInt8(ascii: "/"), UInt8(ascii: "#"): throw mistake("JSON has no comments")
        default: throw mistake("a value is missing here: a text in quotes, a number, true, false, null, { or [")
        }
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSONSyntaxError) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else { throw mistake("\"\(word)\" is misspelt") }
        position += word.utf8.count
        return value
    }

    private mutating func elements(depth: Int) throws(JSONSyntaxError) -> [JSON] {
        position += 1
        var elements: [JSON] = []
        skipWhiteSpace()
        if skip("]") { return elements }
        while true {
            skipWhiteSpace()
            elements.append(try value(depth: depth + 1))
            skipWhiteSpace()
            if skip("]") { return elements }
            guard skip(",") else { throw mistake("a comma or ] is missing here") }
        }
    }

    private mutating func members(depth: Int) throws(JSONSyntaxError) -> [JSON.Member] {
        position += 1
        var members: [JSON.Member] = []
        var names: Set<String> = []
        skipWhiteSpace()
        if skip("}") { return members }
        while true {
            skipWhiteSpace()
            let start = position
            guard peek == UInt8(ascii: "\"") else {
                throw mistake(
                    peek == UInt8(ascii: "}")
                        ? "the comma before this } is one too many" : "a name in quotes is missing here")
            }
            let name = try string()
            // For a few names, comparing is faster than hashing.
            if members.count == JSONReader.fewNames { names = Set(members.map(\.name)) }
            let isNew =
                members.count < JSONReader.fewNames
                ? !members.contains { $0.name == name } : names.insert(name).inserted
            guard isNew else { throw mistake("the name \(name.quoted) is used twice", at: start) }
            skipWhiteSpace()
            guard skip(":") else { throw mistake("a colon is missing here") }
            skipWhiteSpace()
            members.append(JSON.Member(name, try value(depth: depth + 1)))
            skipWhiteSpace()
            if skip("}") { return members }
            guard skip(",") else { throw mistake("a comma or } is missing here") }
        }
    }

    /// Parses `-? int frac? exp?`, and returns the number as it is written.
    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = position
        _ = skip("-")
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("-") { _ = skip("+") }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) { position += 1 }
        guard position > start else { throw mistake("a digit is missing here") }
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        position += 1
        var text: ArraySlice<UInt8> = []
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                // Validation is slow, and most strings are ASCII.
                let isASCII = text.allSatisfy { $0 < 0x80 }
                let string = isASCII ? String(decoding: text, as: UTF8.self) : String(validating: text, as: UTF8.self)
                guard let string else {
                    throw mistake("this text is not UTF-8", at: start)
                }
                guard !string.pilesMarks(higherThan: JSON.marksMax) else {
                    throw mistake("a character has more than \(JSON.marksMax) combining marks", at: start)
                }
                return string
            case UInt8(ascii: "\\"):
                text.append(contentsOf: try escape())
            case 0x0A, 0x0D:
                throw mistake("the closing quote of this text is missing")
            case 0..<0x20:
                throw mistake("a text has a tab or another control character: write it as an escape")
            default:
                let plain = bytes[position...].prefix { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
                if text.isEmpty { text = plain } else { text += plain }
                position = plain.endIndex
            }
        }
        throw mistake("the closing quote of this text is missing", at: start)
    }

    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position
        position += 1
        let byte = peek
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte ?? 0]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            var unit = try hexadecimal()
            // JSON escapes a character above U+FFFF as two surrogates.
            if (0xD800..<0xDC00).contains(unit), skip("\\"), skip("u") {
                let low = try hexadecimal()
                guard (0xDC00..<0xE000).contains(low) else {
                    throw mistake("this escape is half of a character", at: start)
                }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else {
                throw mistake("this escape is half of a character", at: start)
            }
            return Array(String(Character(scalar)).utf8)
        default:
            throw mistake("unknown escape", at: start)
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position..<min(position + 4, bytes.count)]
        guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-")
        else { throw mistake("four hexadecimal digits are missing here") }
        position += 4
        return unit
    }
}

extension String {
    fileprivate func pilesMarks(higherThan max: Int) -> Bool {
        // Each mark has at least two bytes, so most strings are too short for such a pile.
        guard utf8.count > 2 * max else { return false }
        var height = 0
        for scalar in unicodeScalars {
            let isMark = !scalar.isASCII && scalar.properties.canonicalCombiningClass != .notReordered
            height = isMark ? height + 1 : 0
            if height > max { return true }
        }
        return false
    }
}
