// What a coded type looks like in a document, read from the type itself.

import JSON

/// The shape of a value.
package indirect enum Schema: Hashable, Sendable {
    /// One of the simple kinds, in words, and any value of it.
    case simple(String, sample: JSON)
    case list(Schema)
    case object(String, [Field])

    /// One member of an object.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let schema: Schema
        /// Whether it may be null, or missing.
        package let isOptional: Bool
    }

    /// The shape that a type decodes from.
    package init(of type: (some Decodable).Type) {
        // A type that cannot be read without a value in hand has no shape; there is none in the vocabulary.
        self = (try? Probe().sample(type).schema) ?? .simple("anything", sample: .null)
    }

    package var fields: [Field] { if case .object(_, let fields) = self { fields } else { [] } }
}

extension Schema: CustomStringConvertible {
    /// As documents say it: `list of RingReport`.
    package var description: String {
        switch self {
        case .simple(let words, _): words
        case .list(let element): "list of \(element)"
        case .object(let name, _): name
        }
    }
}

/// A decoder that notes what is asked of it, and answers with samples.
private final class Probe: Decoder {
    private var fields: [Schema.Field] = []
    private var element: Schema?
    private var single: Schema?

    func sample<Value: Decodable>(_ type: Value.Type) throws -> (schema: Schema, value: Value) {
        func simple(_ words: String, _ sample: some Encodable) throws -> (Schema, Value) {
            guard let value = sample as? Value else { throw JSONMismatch("", words) }
            return (.simple(words, sample: JSON(encoding: sample)), value)
        }
        switch type {
        case is JSON.Type: return try simple("anything", JSON.null)
        case is String.Type: return try simple("a text", "")
        case is Bool.Type: return try simple("true or false", false)
        case is Int.Type: return try simple("a whole number", 0)
        case is Double.Type: return try simple("a number", 0.0)
        case let text as any TextCoded.Type: return try simple(text.expected, text.sample)
        default:
            let probe = Probe()
            let value = try Value(from: probe)
            // Without the module's name.
            let name = String(reflecting: type).split(separator: ".").dropFirst().joined(separator: ".")
            return (probe.element.map { .list($0) } ?? probe.single ?? .object(name, probe.fields), value)
        }
    }

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Members<Key>(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { Elements(probe: self) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(probe: self) }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let probe: Probe
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try note(type, key, isOptional: false)
        }

        func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
            try note(type, key, isOptional: true)
        }

        func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
            try note(type, key, isOptional: true)
        }
        func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
            try note(type, key, isOptional: true)
        }
        func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try note(type, key, isOptional: true) }
        func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
            try note(type, key, isOptional: true)
        }

        private func note<Value: Decodable>(_ type: Value.Type, _ key: Key, isOptional: Bool) throws -> Value {
            let (schema, value) = try probe.sample(type)
            probe.fields.append(Schema.Field(name: key.stringValue, schema: schema, isOptional: isOptional))
            return value
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<
            Nested
        > {
            probe.container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { probe.unkeyedContainer() }
        func superDecoder() -> any Decoder { probe }
        func superDecoder(forKey key: Key) -> any Decoder { probe }
    }

    private struct Single: SingleValueDecodingContainer {
        let probe: Probe
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { false }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let (schema, value) = try probe.sample(type)
            probe.single = schema
            return value
        }
    }

    /// One element, and no more.
    private struct Elements: UnkeyedDecodingContainer {
        let probe: Probe
        var codingPath: [any CodingKey] { [] }
        var count: Int? { 1 }
        var currentIndex: Int { isAtEnd ? 1 : 0 }
        private(set) var isAtEnd = false

        init(probe: Probe) { self.probe = probe }

        mutating func decodeNil() -> Bool { false }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            isAtEnd = true
            let (schema, value) = try probe.sample(type)
            probe.element = schema
            return value
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
            probe.container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { probe.unkeyedContainer() }
        func superDecoder() -> any Decoder { probe }
    }
}
