// Changes to some members of a value.

import JSON
import Text

/// Changes to some members of an existing value, or a new value whose other members have their defaults.
///
/// A patch is a JSON merge patch (RFC 7396), except that null restores the default. It is read once, when it
/// arrives. All its problems are known then, and applying it finds no others.
package struct Patch<Value: TableCoded>: JSONCodable, Hashable {
    /// The patch read as a new value.
    package let value: Value
    package let problems: [Problem]
    private let members: [JSON.Member]

    package init(_ members: [JSON.Member]) {
        self.members = members
        (value, problems) = Value.read(members)
    }

    /// Reads a patch from any object. The patch itself keeps the problems of its members.
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Patch? {
        if case .object(let members) = json { Patch(members) } else { mismatch(json, &problems, "an object { … }") }
    }

    package var json: JSON { .object(members) }
    package static var schema: Schema { Value.schema }

    /// Returns the patch merged with further members, which take precedence.
    package func with(_ more: [JSON.Member]) -> Patch {
        more.isEmpty ? self : Patch(json.patched(with: .object(more)).members)
    }

    /// Returns the value with the members of the patch, at every depth. The others stay unchanged.
    package func applied(to value: Value) -> Value {
        Value.read(value.json.patched(with: json).members).value
    }
}
