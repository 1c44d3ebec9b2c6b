// Changes to some members of a value.

import JSON
import Text

/// Some members of a value: changes to one that exists, or a new one, whose other members are as by default.
///
/// It is a JSON merge patch (RFC 7396) whose null means "as by default". It is read once, where it comes in. Its problems are
/// known then, and applying it finds no others.
package struct Patch<Value: TableCoded>: JSONCodable, Hashable {
    /// The new value.
    package let value: Value
    package let problems: [Problem]
    private let members: [JSON.Member]

    package init(_ members: [JSON.Member]) {
        self.members = members
        (value, problems) = Value.read(members)
    }

    /// Reads a patch from any object: the patch itself has the problems of the members.
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Patch? {
        if case .object(let members) = json { Patch(members) } else { mismatch(json, &problems, "an object { … }") }
    }

    package var json: JSON { .object(members) }
    package static var schema: Schema { Value.schema }

    /// The patch with further members, each in place of one of the same name.
    package func with(_ more: [JSON.Member]) -> Patch {
        more.isEmpty ? self : Patch(json.patched(with: .object(more)).members)
    }

    /// The value with the members of the patch, at every depth; the others stay as they are.
    package func applied(to value: Value) -> Value {
        Value.read(value.json.patched(with: json).members).value
    }
}
