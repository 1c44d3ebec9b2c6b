// The shape of a value in a document, read from its type.

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

        package init(_ name: String, _ schema: Schema, isOptional: Bool) {
            (self.name, self.schema, self.isOptional) = (name, schema, isOptional)
        }
    }

    package var fields: [Field] { if case .object(_, let fields) = self { fields } else { [] } }

    /// A value of this shape, without optional members.
    package var sample: JSON {
        switch self {
        case .simple(_, let sample): sample
        case .list: .array([])
        case .object(_, let fields): .object(fields.filter { !$0.isOptional }.map { .init($0.name, $0.schema.sample) })
        }
    }
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

extension Schema {
    /// The shape that a type decodes from.
    package init<Value: Decodable>(of type: Value.Type) {
        let decoder = JSONValueDecoder(json: .null, place: "", probe: SchemaProbe())
        let sample = try? decoder.value() as Value
        // A type that cannot be decoded from samples has no shape. There is none in this package.
        self = sample.flatMap { _ in decoder.probe?.shape } ?? JSON.schema
    }

    /// An object, named without its module.
    static func object(of type: Any.Type) -> Schema {
        .object(String(reflecting: type).split(separator: ".").dropFirst().joined(separator: "."), [])
    }
}

/// The shape of what a decoder is asked for.
final class SchemaProbe {
    var shape = JSON.schema
    /// The member that may be missing.
    var optionalName: String?

    /// Notes a shape. Returns a sample of it.
    func note(_ shape: Schema) -> JSON {
        self.shape = shape
        return shape.sample
    }

    /// Adds a member to the object.
    func add(_ name: String, _ schema: Schema) {
        guard case .object(let type, let fields) = shape else { return }
        shape = .object(type, fields + [Schema.Field(name, schema, isOptional: name == optionalName)])
    }
}
