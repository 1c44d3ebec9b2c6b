// Types whose members are declared once, in a table: reading, writing and the schema follow from it.
//
// It is in the module of the alarms for speed: from another one, the compiler does not specialise `member` for their types, and
// writing an alarm takes three times as long.

import JSON
import Text

/// A value that is an object, each of whose members has a default. Unknown members are kept.
package protocol TableCoded: ObjectCoded, JSONCodable, Hashable {
    /// The value that an object without members has.
    init()
    init(reading fields: inout Fields)
    /// Names every member, in the order in which they are written.
    mutating func visit(_ table: inout MemberTable)
    var unknown: [JSON.Member] { get set }
}

/// The members of a value while they are read, written or described.
package struct MemberTable {
    /// The members that are read; nil for any other use.
    fileprivate var fields: Fields?
    fileprivate var written: [JSON.Member] = []
    /// The members that are described; nil for any other use.
    fileprivate var described: [Schema.Field]?

    /// A member. `isOmitted`: it has its default value, which is not written.
    package mutating func member<Value: JSONCoded>(
        _ name: String, _ value: inout Value, isOmitted: Bool = false, schema: @autoclosure () -> Schema = Value.schema
    ) {
        if fields != nil {
            if let new: Value = fields?.value(name) { value = new }
        } else if described != nil {
            described?.append(Schema.Field(name, schema(), isOptional: true))
        } else if !isOmitted {
            written.append(JSON.Member(name, value))
        }
    }

    /// Notes a problem of a member that has been read.
    package mutating func note(_ name: String, _ reason: String) { fields?.note(name, reason) }
}

extension TableCoded {
    /// Reads what can be read; the rest is left as by default.
    package init(reading fields: inout Fields) {
        self.init()
        var table = MemberTable(fields: fields)
        visit(&table)
        fields = table.fields ?? fields
        unknown = fields.unknown()
    }

    /// Reads a value; unreadable members are left as by default.
    package static func read(_ members: [JSON.Member]) -> (value: Self, problems: [Problem]) {
        var fields = Fields(members)
        let value = Self(reading: &fields)
        return (value, fields.problems)
    }

    package var members: [JSON.Member] {
        var (value, table) = (self, MemberTable())
        table.written.reserveCapacity(24)
        value.visit(&table)
        return table.written + unknown
    }

    package static var schema: Schema {
        var (value, table) = (Self(), MemberTable(described: []))
        value.visit(&table)
        return .object("\(Self.self)", table.described ?? [])
    }

    /// Everything for which the value cannot be taken: a value that could not be read again must not be written.
    package var memberProblems: [Problem] { Self.read(members).problems.refused }
}

/// An object without known members: all are kept.
package struct OpenObject: TableCoded {
    package var unknown: [JSON.Member] = []

    package init() {}
    package func visit(_ table: inout MemberTable) {}
    package static var schema: Schema { .simple("an object", sample: .object([])) }
}
