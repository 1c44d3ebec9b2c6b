// The coding of optional values, lists, and objects by key.

import JSON
import Text

/// Nil is null.
extension Optional: JSONCoded where Wrapped: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Wrapped?? {
        if case .null = json { .some(nil) } else { Wrapped.read(json, &problems).map(Optional.some) }
    }

    package var json: JSON { self?.json ?? .null }
    package static var schema: Schema { Wrapped.schema }
}

/// An element that cannot be read is left out.
extension Array: JSONCoded where Element: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> [Element]? {
        guard case .array(let elements) = json else { return mismatch(json, &problems, "a list") }
        return elements.enumerated().compactMap { index, element in
            problems.collect(within: "[\(index)]") { Element.read(element, &$0) }
        }
    }

    package var json: JSON { .array(map(\.json)) }
    package static var schema: Schema { .list(Element.schema) }
}

/// An object whose names are keys, such as days. An entry that is null or has a refused problem is left out.
extension Dictionary: JSONCoded where Key: TextCoded & Comparable, Value: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> [Key: Value]? {
        guard case .object(let members) = json else { return mismatch(json, &problems, "an object { … }") }
        var entries: [Key: Value] = [:]
        for member in members {
            let name = member.name.inOneLine
            guard let key = Key(text: member.name) else {
                problems.append(Problem(name, "must be \(Key.expected), not \(member.name.quoted)"))
                continue
            }
            if case .null = member.value { continue }
            let found = problems.count
            let value = problems.collect(within: name) { Value.read(member.value, &$0) }
            if problems[found...].allSatisfy({ $0.weight != .refused }) { entries[key] = value }
        }
        return entries
    }

    package var json: JSON { .object(sorted { $0.key < $1.key }.map { JSON.Member($0.key.text, $0.value.json) }) }
    package static var schema: Schema {
        .simple("an object that maps \(Key.schema) to \(Value.schema)", sample: .object([]))
    }
}

extension [Problem] {
    /// Appends the problems of reading a part of the value, and prefixes their paths with `path`.
    mutating func collect<Value>(within path: @autoclosure () -> String, _ read: (inout [Problem]) -> Value) -> Value {
        let start = count
        let value = read(&self)
        for index in start..<count { self[index] = self[index].within(path()) }
        return value
    }
}
