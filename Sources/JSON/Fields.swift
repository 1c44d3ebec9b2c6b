// Taking known fields out of a JSON object, with the place of each that does not fit, and keeping the rest.

import Text

/// The members of one object while they are being read. Each mistake is noted with its place, so that the owner can mend
/// all at once. `null` means the same as a member that is not there.
package struct Fields {
    /// Where the object stands, as in `alarms[2].ring`.
    package let place: String
    /// What nobody has asked for yet.
    private var rest: [JSON.Member]
    private var missing: [String] = []
    package private(set) var problems: [Problem] = []

    package init(_ members: [JSON.Member], at place: String) {
        self.place = place
        rest = members
    }

    /// What is wrong with a value by what its own text says: what would not be read again must not be written.
    package static func problems<Value>(reading json: JSON, _ read: (inout Fields) -> Value) -> [Problem] {
        guard case .object(let members) = json else { return [] }
        var fields = Fields(members, at: "")
        _ = read(&fields)
        return fields.problems.filter { $0.weight == .refused }
    }

    /// Takes the member out, whatever it is.
    package mutating func take(_ name: String) -> JSON? {
        guard let index = rest.firstIndex(where: { $0.name == name }) else {
            missing.append(name)
            return nil
        }
        return rest.remove(at: index).value
    }

    /// The fields that nobody asked for, in the end: they mean nothing here and are kept as they are. One that is spelt
    /// nearly as a field that is missing was hardly meant to mean nothing.
    package mutating func unknown() -> [JSON.Member] {
        for member in rest {
            guard let meant = missing.first(where: member.name.isNearly) else { continue }
            note(member.name, "means nothing here: did you mean \"\(meant)\"?", .warning)
        }
        // They are kept for as long as the value: without the room of all that was taken out.
        return rest.map(\.self)
    }

    /// Takes out all that nobody has asked for yet.
    package mutating func takeAll() -> [JSON.Member] {
        defer { rest = [] }
        return rest
    }

    package mutating func note(_ name: String, _ reason: String, _ weight: Problem.Weight = .refused) {
        problems.append(Problem(path(name), reason, weight))
    }

    package var isSound: Bool { !problems.contains { $0.weight == .refused } }

    private func path(_ name: String) -> String {
        let name = name.inOneLine
        return place.isEmpty ? name : name.hasPrefix("[") ? place + name : "\(place).\(name)"
    }

    /// Whether the member is there and says `null`, for the few that mean something by it.
    package func isNull(_ name: String) -> Bool {
        rest.contains { $0.name == name && $0.value == .null }
    }

    /// Takes a member that must be of one kind; notes it if it is of another.
    private mutating func take<Value>(
        _ name: String, _ expected: @autoclosure () -> String, as convert: (JSON) -> Value?
    ) -> Value? {
        guard let json = take(name), json != .null else { return nil }
        guard let value = convert(json) else {
            note(name, "\(json.shown) is not \(expected())")
            return nil
        }
        return value
    }

    package mutating func text(_ name: String) -> String? {
        take(name, "a text in quotes") { if case .string(let text) = $0 { text } else { nil } }
    }

    package mutating func bool(_ name: String) -> Bool? {
        take(name, "true or false") { if case .bool(let bool) = $0 { bool } else { nil } }
    }

    package mutating func integer(_ name: String) -> Int? {
        take(name, "a whole number", as: \.integer)
    }

    package mutating func decimal(_ name: String) -> Double? {
        take(name, "a number", as: \.decimal)
    }

    /// A value that is written as a text, such as a time or a date.
    package mutating func parsed<Value: LosslessStringConvertible>(_ name: String, _ expected: String) -> Value? {
        take(name, expected) { if case .string(let text) = $0 { Value(text) } else { nil } }
    }

    package mutating func texts(_ name: String) -> [String]? {
        take(name, "a list of texts") { json in
            guard case .array(let elements) = json else { return nil }
            let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
            return texts.count == elements.count ? texts : nil
        }
    }

    /// A list whose elements are read one by one.
    package mutating func list(_ name: String) -> [JSON]? {
        take(name, "a list") { if case .array(let elements) = $0 { elements } else { nil } }
    }

    /// An object that is read by its own fields.
    package mutating func object<Value>(_ name: String, _ read: (inout Fields) -> Value) -> Value? {
        let members: [JSON.Member]? = take(name, "an object { … }") {
            if case .object(let members) = $0 { members } else { nil }
        }
        guard let members else { return nil }
        return nested(members, at: name, read)
    }

    /// A list of objects, each read by its own fields. What cannot be read is left out, and noted.
    package mutating func each<Value>(of name: String, _ read: (inout Fields) -> Value?) -> [Value] {
        (list(name) ?? []).enumerated().compactMap { index, element in
            guard case .object(let members) = element else {
                note("\(name)[\(index)]", "is no object")
                return nil
            }
            return nested(members, at: "\(name)[\(index)]") { fields in
                let value = read(&fields)
                if value == nil, fields.problems.isEmpty { fields.note("…", "something is missing") }
                return value
            }
        }
    }

    /// Reads every member by itself, for objects whose names are the owner's own. Taking them out one after the other
    /// would move all the rest each time.
    package mutating func each(_ read: (inout Fields, String) -> Void) {
        for member in rest {
            var single = Fields([member], at: place)
            read(&single, member.name)
            problems += single.problems
        }
        rest = []
    }

    /// Reads an object that stands at `name` within this one, and notes what it noted.
    package mutating func nested<Value>(_ members: [JSON.Member], at name: String, _ read: (inout Fields) -> Value)
        -> Value
    {
        var fields = Fields(members, at: path(name))
        let value = read(&fields)
        problems += fields.problems
        return value
    }
}

extension JSON {
    var integer: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits) ?? Double(digits).flatMap { Int(exactly: $0) }
    }

    var decimal: Double? {
        guard case .number(let digits) = self, let number = Double(digits), number.isFinite else { return nil }
        return number
    }

    /// The value as a message shows it: short, and in one line.
    package var shown: String {
        switch self {
        case .string(let text): text.quoted
        case .number(let digits): String(digits.prefix(60))
        case .null, .bool: description
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// One thing that is wrong, and where.
public struct Problem: Hashable, Sendable {
    /// What follows from it.
    public enum Weight: Hashable, Sendable {
        /// The alarm cannot be taken.
        case refused
        /// A challenge of the alarm cannot be met: it is not saved, and an imported one is kept but off.
        case unmet
        /// The alarm is taken; the owner should know.
        case warning
    }

    /// The field it is about, as in `alarms[2].weekly.tue`.
    package var place: String
    package var reason: String
    package var weight: Weight

    package init(_ place: String, _ reason: String, _ weight: Weight = .refused) {
        (self.place, self.reason, self.weight) = (place, reason, weight)
    }
}

extension Problem: CustomStringConvertible {
    /// `place: reason`.
    public var description: String {
        place.isEmpty ? reason : "\(place): \(reason)"
    }
}
