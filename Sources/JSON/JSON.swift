// JSON as a value that loses nothing: the order of members and the digits of numbers survive a round trip.

/// A JSON text (RFC 8259) as a value.
///
/// People and other programs write alarms files, and Rooster must keep the members that it does not know. So
/// members keep their order and numbers their digits. Swift's own types would lose both.
public enum JSON: Hashable, Sendable {
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, as it was written.
    case number(String)
    case string(String)
    case array([JSON])
    /// Named members, each name once.
    case object([Member])

    /// One member of an object.
    public struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSON

        package init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }
}

extension JSON {
    package static func number(_ value: Int) -> JSON { .number(String(value)) }
    package static func number(_ value: Double) -> JSON { .number("\(value)") }
    /// Returns a string, or null for nil.
    package static func text(_ value: (some CustomStringConvertible)?) -> JSON {
        value.map { .string($0.description) } ?? .null
    }
}

/// A syntax error: the line and column at which parsing stopped, and the reason.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    /// In bytes, counted from 1.
    package let column: Int
    package let reason: String

    /// `line:column: reason`, as compilers print it.
    public var description: String { "\(line):\(column): \(reason)" }
}

extension JSON {
    /// Returns the value merged with a patch, at every depth (RFC 7396). Unlike in RFC 7396, a null is kept.
    /// In an alarms file it restores a default, or is an unknown member's value.
    package func patched(with patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [Member] = if case .object(let members) = self { members } else { [] }
        for change in changes {
            if let index = members.firstIndex(where: { $0.name == change.name }) {
                members[index].value = members[index].value.patched(with: change.value)
            } else {
                members.append(Member(change.name, JSON.null.patched(with: change.value)))
            }
        }
        return .object(members)
    }
}
