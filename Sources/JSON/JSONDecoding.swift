// Swift's own coding, from a JSON document, with the place of what does not fit.

/// What in a document is not as a type wants it.
package struct JSONMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    package var problems: [Problem]
    /// `place: reason`, for each.
    public var description: String { problems.map(\.description).joined(separator: "; ") }

    package init(_ problems: [Problem]) { self.problems = problems }

    package init(_ place: String, _ reason: String) { problems = [Problem(place, reason)] }
}

extension JSON {
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self, at place: String = "") throws(JSONMismatch)
        -> Value
    {
        do {
            return try JSONValueDecoder(json: self, place: place).value()
        } catch let mismatch as JSONMismatch {
            throw mismatch
        } catch {
            throw JSONMismatch(place, "\(error)")
        }
    }

    /// The member of that name; nil where there is none, or null.
    package func member(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name && $0.value != .null }?.value
    }
}

package struct JSONValueDecoder: Decoder {
    package let json: JSON
    package let place: String
    package var codingPath: [any CodingKey] { [] }
    package var userInfo: [CodingUserInfoKey: Any] { [:] }

    func value<Value: Decodable>() throws -> Value {
        func fit<Fitting>(_ value: Fitting?, _ expected: String) throws -> Value {
            guard let value = value as? Value else { throw mismatch(expected) }
            return value
        }
        return switch Value.self {
        case is JSON.Type: try fit(json, "anything")
        case is String.Type: try fit(text, "a text in quotes")
        case is Bool.Type: try fit(json == .bool(true) ? true : json == .bool(false) ? false : nil, "true or false")
        case is Int.Type: try fit(json.integer, "a whole number")
        case is Double.Type: try fit(json.decimal, "a number")
        default: try decodedByItself()
        }
    }

    private func decodedByItself<Value: Decodable>() throws -> Value {
        do {
            return try Value(from: self)
        } catch is DecodingError {
            throw mismatch("anything that is known here")
        }
    }

    package var text: String? { if case .string(let text) = json { text } else { nil } }

    package func mismatch(_ expected: String) -> JSONMismatch {
        JSONMismatch(place, "\(json.shown) is not \(expected)")
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object = json else { throw mismatch("an object { … }") }
        return KeyedDecodingContainer(Members<Key>(decoder: self))
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else { throw mismatch("a list") }
        return Elements(elements: elements, place: place)
    }

    package func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: JSONValueDecoder
        var codingPath: [any CodingKey] { [] }

        var allKeys: [Key] {
            guard case .object(let members) = decoder.json else { return [] }
            return members.compactMap { Key(stringValue: $0.name) }
        }

        func contains(_ key: Key) -> Bool { decoder.json.member(key.stringValue) != nil }

        func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).value() }

        private func member(_ key: Key) throws -> JSONValueDecoder {
            let name = key.stringValue
            let place = decoder.place.isEmpty ? name : "\(decoder.place).\(name)"
            guard let json = decoder.json.member(name) else { throw JSONMismatch(place, "is missing") }
            return JSONValueDecoder(json: json, place: place)
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
        let place: String
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { elements.count }
        var isAtEnd: Bool { currentIndex == elements.count }

        init(elements: [JSON], place: String) { (self.elements, self.place) = (elements, place) }

        private mutating func next() throws -> JSONValueDecoder {
            guard !isAtEnd else { throw JSONMismatch(place, "has no element \(currentIndex)") }
            defer { currentIndex += 1 }
            return JSONValueDecoder(json: elements[currentIndex], place: "\(place)[\(currentIndex)]")
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, elements[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().value() }

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
