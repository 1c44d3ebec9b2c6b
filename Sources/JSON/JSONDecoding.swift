// A `Decoder` for JSON documents, whose errors have the path of each mismatch.

import Text

/// The members of a document that do not fit a type.
package struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    package var problems: [Problem]
    /// `path: reason`, for each.
    public var description: String { problems.map(\.description).joined(separator: "; ") }

    package init(_ problems: [Problem]) { self.problems = problems }

    package init(_ path: String, _ reason: String) { problems = [Problem(path, reason)] }
}

extension JSON {
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self, at path: String = "") throws(JSONMismatch)
        -> Value
    {
        do {
            return try JSONValueDecoder(json: self, path: path).value()
        } catch let mismatch as JSONMismatch {
            throw mismatch
        } catch {
            throw JSONMismatch(path, "\(error)")
        }
    }

    /// Returns the member with that name, or nil if it is missing or null.
    package func member(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name && $0.value != .null }?.value
    }
}

struct JSONValueDecoder: Decoder {
    let json: JSON
    let path: String
    /// A recorder of the shapes of all decoded values. If it is set, there is no document, and values are
    /// samples.
    var probe: SchemaProbe?
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value<Value: Decodable>() throws -> Value {
        let value: Any? =
            switch Value.self {
            case let type as any JSONCoded.Type: try read(type)
            case let type as any Choice.Type: try choice(type)
            default: try decodedByItself() as Value
            }
        guard let value = value as? Value else { throw mismatch("a value") }
        return value
    }

    private func read<Value: JSONCoded>(_ type: Value.Type) throws -> Value? {
        var problems: [Problem] = []
        let value = type.read(probe?.note(type.schema) ?? json, &problems)
        guard problems.areHarmless else { throw JSONMismatch(problems.refused.map { $0.within(path) }) }
        return value
    }

    private func choice<Value: Choice>(_ type: Value.Type) throws -> Value {
        if let probe, let first = Value.allCases.first {
            _ = probe.note(.simple(Value.expected, sample: .string(first.rawValue)))
            return first
        }
        guard case .string(let name) = json, let value = Value(rawValue: name) else { throw mismatch(Value.expected) }
        return value
    }

    private func decodedByItself<Value: Decodable>() throws -> Value {
        probe?.shape = .object(of: Value.self)
        do {
            return try Value(from: self)
        } catch is DecodingError {
            throw mismatch("a known value")
        }
    }

    private func mismatch(_ expected: String) -> JSONMismatch {
        JSONMismatch(path, "must be \(expected), not \(json.shown)")
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if probe == nil { guard case .object = json else { throw mismatch("an object { … }") } }
        return KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if let probe { return Elements(elements: [.null], path: path, probe: probe) }
        guard case .array(let elements) = json else { throw mismatch("a list") }
        return Elements(elements: elements, path: path, probe: nil)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: JSONValueDecoder
        var codingPath: [any CodingKey] { [] }

        var allKeys: [Key] {
            guard case .object(let members) = decoder.json else { return [] }
            return members.compactMap { Key(stringValue: $0.name) }
        }

        func contains(_ key: Key) -> Bool {
            guard let probe = decoder.probe else { return decoder.json.member(key.stringValue) != nil }
            // Decoding calls this function only for optional members.
            probe.optionalName = key.stringValue
            return true
        }

        func decodeNil(forKey key: Key) throws -> Bool { decoder.probe == nil && !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let member = try member(key)
            let value: Value = try member.value()
            if let shape = member.probe?.shape { decoder.probe?.add(key.stringValue, shape) }
            return value
        }

        private func member(_ key: Key) throws -> JSONValueDecoder {
            let name = key.stringValue
            let path = decoder.path.isEmpty ? name : "\(decoder.path).\(name)"
            if decoder.probe != nil { return JSONValueDecoder(json: .null, path: path, probe: SchemaProbe()) }
            guard let json = decoder.json.member(name) else { throw JSONMismatch(path, "is missing") }
            return JSONValueDecoder(json: json, path: path)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws
            -> KeyedDecodingContainer<Nested>
        {
            try member(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder { decoder }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }

    struct Elements: UnkeyedDecodingContainer {
        let elements: [JSON]
        let path: String
        let probe: SchemaProbe?
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        init(elements: [JSON], path: String, probe: SchemaProbe?) {
            (self.elements, self.path, self.probe) = (elements, path, probe)
        }

        private mutating func next() throws -> JSONValueDecoder {
            guard !isAtEnd else { throw JSONMismatch(path, "has no element \(currentIndex)") }
            defer { currentIndex += 1 }
            return JSONValueDecoder(
                json: elements[currentIndex], path: "\(path)[\(currentIndex)]",
                probe: probe.map { _ in SchemaProbe() })
        }

        mutating func decodeNil() throws -> Bool {
            guard probe == nil, !isAtEnd, elements[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            let element = try next()
            let value: Value = try element.value()
            if let shape = element.probe?.shape { probe?.shape = .list(shape) }
            return value
        }

        mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws
            -> KeyedDecodingContainer<Nested>
        {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    struct Single: SingleValueDecodingContainer {
        let decoder: JSONValueDecoder
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool { decoder.json == .null }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value() }
    }
}
