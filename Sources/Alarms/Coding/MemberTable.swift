// Tables that declare the members of a type once, for reading, writing and the schema.
//
// The table is in the alarms' module for speed. From another module, the compiler does not specialise
// `member` for their types, and writing an alarm takes three times as long.

import JSON
import Text

/// An object whose members all have defaults. Unknown members are kept.
package protocol TableCoded: ObjectCoded, JSONCodable, Hashable {
    /// Creates the value of an object without members.
    init()
    init(reading fields: inout Fields)
    /// Passes every member to the table, in the order of writing.
    mutating func visit(_ table: inout MemberTable)
    var unknown: [JSON.Member] { get set }
}

/// The members of a value during reading, writing or description.
package struct MemberTable {
    /// The members to read; nil for any other use.
    fileprivate var fields: Fields?
    fileprivate var written: [JSON.Member] = []
    /// The members described so far; nil for any other use.
    fileprivate var described: [Schema.Field]?

    /// Reads, writes or describes a member. `isOmitted` is true for a default value that is not written.
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

    /// Reports a problem of a member that has been read.
    package mutating func note(_ name: String, _ reason: String) { fields?.note(name, reason) }
}

extension TableCoded {
    /// Reads the readable members. The others keep their defaults.
    package init(reading fields: inout Fields) {
        self.init()
        var table = MemberTable(fields: fields)
        visit(&table)
        fields = table.fields ?? fields
        unknown = fields.unknown()
    }

    /// Reads a value. Unreadable members keep their defaults.
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

    /// Every reason to refuse the value. A value that could not be read again must not be written.
    package var memberProblems: [Problem] { Self.read(members).problems.refused }
}

/// An object without known members: all are kept.
package struct OpenObject: TableCoded {
    package var unknown: [JSON.Member] = []

    package init() {}
    package func visit(_ table: inout MemberTable) {}
    package static var schema: Schema { .simple("an object", sample: .object([])) }
}
