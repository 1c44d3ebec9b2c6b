// Values that are one text in a document: dates, instants, and choices among names.

/// A value that is written as one text.
package protocol TextCoded: Codable {
    init?(text: String)
    var text: String { get }
    /// What the text is, as in "a date such as "2026-01-15"".
    static var expected: String { get }
    /// Any value, from which the schema of what it is in is read.
    static var sample: Self { get }
}

extension TextCoded {
    /// Reads the value from its text.
    public init(from decoder: any Decoder) throws { self = try Self.read(decoder) }

    /// Writes the value as its text.
    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }

    fileprivate static func read(_ decoder: any Decoder) throws -> Self {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(text: text) else {
            throw (decoder as? JSONValueDecoder)?.mismatch(expected) ?? JSONMismatch("", expected)
        }
        return value
    }

    fileprivate func write(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// One of a few names.
package protocol Choice: TextCoded, RawRepresentable, CaseIterable where RawValue == String {}

extension Choice {
    package init?(text: String) { self.init(rawValue: text) }
    package var text: String { rawValue }
    package static var expected: String { "one of \(allCases.map(\.rawValue).joined(separator: ", "))" }

    // Repeated here: Swift's own conformance of enums with raw values would be as near.
    /// Reads the choice from its name.
    public init(from decoder: any Decoder) throws { self = try Self.read(decoder) }
    /// Writes the choice as its name.
    public func encode(to encoder: any Encoder) throws { try write(to: encoder) }
}

extension Choice where AllCases == [Self] {
    package static var sample: Self { allCases[0] }
}
