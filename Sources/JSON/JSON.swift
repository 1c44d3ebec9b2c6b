// JSON as a value that loses nothing: the order of members and the digits of numbers survive a round trip.

/// A JSON text (RFC 8259) as a value.
///
/// Alarms files are written by hand and by other programs; what Rooster does not know in them it must give back
/// unharmed. So members keep their order and numbers their digits, which decoding into Swift's types would not do.
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
    /// A text, or null where there is none.
    package static func text(_ value: (some CustomStringConvertible)?) -> JSON {
        value.map { .string($0.description) } ?? .null
    }
}

/// A text that is not JSON: where reading had to stop, and why.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1.
    package let line: Int
    /// In bytes, counted from 1.
    package let column: Int
    package let reason: String

    /// `line:column: reason`, as compilers say it.
    public var description: String { "\(line):\(column): \(reason)" }
}

extension JSON {
    /// This with the members that the patch names as the patch has them, at every depth (as RFC 7396 says, but that a null
    /// stays one: in an alarms file that says "as by default", or something of its own).
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
