// The shape of a value in a document, derived from its type.

/// The shape of a value: simple, a list or an object.
package indirect enum Schema: Hashable, Sendable {
    /// A simple kind, described by a text, and any value of it.
    case simple(String, sample: JSON)
    case list(Schema)
    case object(String, [Field])

    /// One member of an object.
    package struct Field: Hashable, Sendable {
        package let name: String
        package let schema: Schema
        /// True if the member may be null or missing.
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
    /// The name in documents, such as `list of RingReport`.
    package var description: String {
        switch self {
        case .simple(let text, _): text
        case .list(let element): "list of \(element)"
        case .object(let name, _): name
        }
    }
}

extension Schema {
    /// Derives the shape that a type decodes.
    package init<Value: Decodable>(of type: Value.Type) {
        let decoder = JSONValueDecoder(json: .null, path: "", probe: SchemaProbe())
        let sample = try? decoder.value() as Value
        // A type that cannot be decoded from samples has no shape. This package has no such type.
        self = sample.flatMap { _ in decoder.probe?.shape } ?? JSON.schema
    }

    /// Returns an object's shape, named as its type without the module.
    static func object(of type: Any.Type) -> Schema {
        .object(String(reflecting: type).split(separator: ".").dropFirst().joined(separator: "."), [])
    }
}

/// A recorder of the shape that a type decodes.
final class SchemaProbe {
    var shape = JSON.schema
    /// The name of the last optional member.
    var optionalName: String?

    /// Records a shape, and returns a sample of it.
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
