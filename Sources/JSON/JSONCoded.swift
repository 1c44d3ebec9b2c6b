// Types that read and write themselves as JSON, and report every problem at once.

import Text

/// A type that is read from JSON with all its problems, and written as JSON.
///
/// Swift's `Decodable` stops at the first mistake. An owner with a handwritten file needs to see all of
/// them, with their paths. A misspelt member is only a warning.
package protocol JSONCoded: Sendable {
    /// Reads a value, and appends each problem with its path within the value. Returns nil if the value is
    /// unreadable.
    static func read(_ json: JSON, _ problems: inout [Problem]) -> Self?
    var json: JSON { get }
    static var schema: Schema { get }
}

extension JSONCoded {
    /// Appends the problem that a value has another type, and returns nil.
    package static func mismatch(_ json: JSON, _ problems: inout [Problem], _ expected: String = "\(schema)") -> Self? {
        problems.append(Problem("", "must be \(expected), not \(json.shown)"))
        return nil
    }
}

/// A type that can be a member of types with Swift's own `Codable`. This package's coders call `read` and
/// `json` instead, and no other coder can code it.
package protocol JSONCodable: JSONCoded, Codable {}

extension JSONCodable {
    /// Throws, because the decoder is not this package's.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no document"))
    }

    /// Throws, because the encoder is not this package's.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self, .init(codingPath: encoder.codingPath, debugDescription: "no document"))
    }
}

extension JSON: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> JSON? { json }
    package var json: JSON { self }
    package static var schema: Schema { .simple("anything", sample: .null) }
}

extension Bool: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Bool? {
        if case .bool(let bool) = json { bool } else { mismatch(json, &problems) }
    }

    package var json: JSON { .bool(self) }
    package static var schema: Schema { .simple("true or false", sample: .bool(false)) }
}

extension Int: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Int? {
        guard case .number(let digits) = json, let number = Int(digits) ?? Double(digits).flatMap(Int.init(exactly:))
        else { return mismatch(json, &problems) }
        return number
    }

    package var json: JSON { .number(self) }
    package static var schema: Schema { .simple("a whole number", sample: .number(0)) }
}

extension Double: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Double? {
        guard case .number(let digits) = json, let number = Double(digits), number.isFinite
        else { return mismatch(json, &problems) }
        return number
    }

    package var json: JSON { .number(self) }
    package static var schema: Schema { .simple("a number", sample: .number(0.0)) }
}

extension String: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> String? {
        if case .string(let text) = json { text } else { mismatch(json, &problems, "a text in quotes") }
    }

    package var json: JSON { .string(self) }
    package static var schema: Schema { .simple("a string", sample: .string("")) }
}

extension JSON {
    /// The value as a message shows it: short, and in one line.
    package var shown: String {
        switch self {
        case .string(let text): text.quoted
        case .number(let digits): String(digits.prefix(60))
        case .null, .bool: description
        case .array: "a list"
        case .object: "an object"
        }
    }
}
