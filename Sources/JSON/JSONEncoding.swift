// An `Encoder` for JSON documents.

import Text

extension JSON {
    /// Encodes a value. A nil member is written as `null`, so that readers see that the member exists. A
    /// `SparselyCoded` type leaves nil members out.
    package init(encoding value: some Encodable) {
        let node = EncodedNode()
        do {
            try node.encode(value)
        } catch {
            preconditionFailure("no type of this package refuses to be encoded: \(error)")
        }
        self = node.json
    }

    /// The members of an object; empty for any other value.
    package var members: [Member] { if case .object(let members) = self { members } else { [] } }
}

/// A node of the document that is being written. Containers share it by reference.
private final class EncodedNode {
    enum Content {
        case value(JSON)
        case members([(name: String, node: EncodedNode)])
        case elements([EncodedNode])
    }

    var content = Content.value(.null)

    var json: JSON {
        switch content {
        case .value(let json): json
        case .members(let members): .object(members.map { JSON.Member($0.name, $0.node.json) })
        case .elements(let elements): .array(elements.map(\.json))
        }
    }

    func encode(_ value: some Encodable) throws {
        switch value {
        case let value as any JSONCoded: content = .value(value.json)
        case let choice as any Choice: content = .value(.string(choice.rawValue))
        default: try value.encode(to: JSONValueEncoder(node: self, isSparse: value is any SparselyCoded))
        }
    }

    func member(_ name: String) -> EncodedNode {
        let node = EncodedNode()
        var members: [(name: String, node: EncodedNode)] =
            if case .members(let members) = content { members } else { [] }
        // If `content` still held the array, the append would copy it.
        content = .value(.null)
        members.append((name, node))
        content = .members(members)
        return node
    }

    func element() -> EncodedNode {
        let node = EncodedNode()
        var elements: [EncodedNode] = if case .elements(let elements) = content { elements } else { [] }
        content = .value(.null)
        elements.append(node)
        content = .elements(elements)
        return node
    }
}

private struct JSONValueEncoder: Encoder {
    let node: EncodedNode
    var isSparse = false
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .members = node.content {} else { node.content = .members([]) }
        return KeyedEncodingContainer(Members<Key>(node: node, isSparse: isSparse))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.content = .elements([])
        return Elements(node: node)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(node: node) }

    struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let node: EncodedNode
        let isSparse: Bool
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) throws { _ = node.member(key.stringValue) }

        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
            try node.member(key.stringValue).encode(value)
        }

        // For the most frequent types the casts within `EncodedNode.encode` are left out.
        func encode(_ value: String, forKey key: Key) throws { add(value, key) }
        func encode(_ value: Bool, forKey key: Key) throws { add(value, key) }
        func encode(_ value: Int, forKey key: Key) throws { add(value, key) }
        func encode(_ value: Double, forKey key: Key) throws { add(value, key) }

        private func add(_ value: some JSONCoded, _ key: Key) {
            node.member(key.stringValue).content = .value(value.json)
        }

        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
            try encodeOptional(value, key)
        }

        func encodeIfPresent(_ value: String?, forKey key: Key) throws { addOptional(value, key) }
        func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { addOptional(value, key) }
        func encodeIfPresent(_ value: Int?, forKey key: Key) throws { addOptional(value, key) }
        func encodeIfPresent(_ value: Double?, forKey key: Key) throws { addOptional(value, key) }

        private func addOptional(_ value: (some JSONCoded)?, _ key: Key) {
            if value == nil, isSparse { return }
            node.member(key.stringValue).content = .value(value?.json ?? .null)
        }

        private func encodeOptional(_ value: (some Encodable)?, _ key: Key) throws {
            if value == nil, isSparse { return }
            let node = node.member(key.stringValue)
            if let value { try node.encode(value) }
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key)
            -> KeyedEncodingContainer<Nested>
        {
            JSONValueEncoder(node: node.member(key.stringValue)).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            JSONValueEncoder(node: node.member(key.stringValue)).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { JSONValueEncoder(node: node.member("super")) }
        func superEncoder(forKey key: Key) -> any Encoder { JSONValueEncoder(node: node.member(key.stringValue)) }
    }

    struct Elements: UnkeyedEncodingContainer {
        let node: EncodedNode
        var codingPath: [any CodingKey] { [] }
        var count: Int { if case .elements(let elements) = node.content { elements.count } else { 0 } }

        func encodeNil() throws { _ = node.element() }
        func encode(_ value: some Encodable) throws { try node.element().encode(value) }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            JSONValueEncoder(node: node.element()).container(keyedBy: type)
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            JSONValueEncoder(node: node.element()).unkeyedContainer()
        }

        func superEncoder() -> any Encoder { JSONValueEncoder(node: node.element()) }
    }

    struct Single: SingleValueEncodingContainer {
        let node: EncodedNode
        var codingPath: [any CodingKey] { [] }

        func encodeNil() throws { node.content = .value(.null) }
        func encode(_ value: some Encodable) throws { try node.encode(value) }
    }
}
