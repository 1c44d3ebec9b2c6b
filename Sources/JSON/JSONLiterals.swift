// JSON values as literals in the code.

extension JSON: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral text: String) { self = .string(text) }
}

extension JSON: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Creates an object. The members keep their order.
    public init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member($0, $1) })
    }
}
