// A reader that removes known members from a JSON object, reports unreadable ones and keeps the rest.

import JSON
import Text

/// The members of one object during reading. Each problem has its path, so that the owner can correct all of
/// them at once. `null` means the same as a missing member.
package struct Fields {
    /// The members that have not been read yet.
    private var rest: [JSON.Member]
    private var missing: [String] = []
    package private(set) var problems: [Problem] = []

    package init(_ members: [JSON.Member]) { rest = members }

    package var isSound: Bool { problems.areHarmless }

    package mutating func note(_ name: String, _ reason: String) {
        problems.append(Problem(name.inOneLine, reason))
    }

    /// Removes a member and reads it. Returns nil if it is missing or unreadable, or if it is null and the
    /// type has no null.
    package mutating func value<Value: JSONCoded>(_ name: String) -> Value? {
        guard let index = rest.firstIndex(where: { $0.name == name }) else {
            missing.append(name)
            return nil
        }
        let json = rest.remove(at: index).value
        let found = problems.count
        let value = problems.collect(within: name) { Value.read(json, &$0) }
        if case .null = json { problems.removeSubrange(found...) }
        return value
    }

    /// Removes a member and reads one of a few names. Returns nil for any other name.
    package mutating func choice<Value: RawRepresentable<String>>(_ name: String) -> Value? {
        value(name).flatMap(Value.init(rawValue:))
    }

    /// Returns the members that were not read, which are kept unchanged. Warns if a name is nearly that of a
    /// missing member.
    package mutating func unknown() -> [JSON.Member] {
        for member in rest {
            guard let meant = missing.first(where: member.name.isNearly) else { continue }
            let reason = "is an unknown field: did you mean \"\(meant)\"?"
            problems.append(Problem(.unknownField, member.name.inOneLine, reason))
        }
        // The copy frees the capacity of all members that were removed.
        return rest.map(\.self)
    }
}

/// A value that is written as an object.
package protocol ObjectCoded: JSONCoded {
    init?(reading fields: inout Fields)
    var members: [JSON.Member] { get }
}

extension ObjectCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Self? { readObject(json, &problems) }

    /// Reads the value from an object.
    package static func readObject(_ json: JSON, _ problems: inout [Problem]) -> Self? {
        guard case .object(let members) = json else { return mismatch(json, &problems, "an object { … }") }
        var fields = Fields(members)
        let value = Self(reading: &fields)
        problems += fields.problems
        return value
    }

    package var json: JSON { .object(members) }
    package static var schema: Schema { .object("\(Self.self)", []) }
}

extension JSON.Member {
    package init(_ name: String, _ value: some JSONCoded) { self.init(name, value.json) }
}
