// The options of a service's command line.

import Text

package struct WrongUsage: Error, Hashable {
    package let text: String

    package init(text: String) { self.text = text }
}

/// Options as `--name value` or `--name=value`, each at most once unless it is in `repeatable`.
package struct GivenOptions {
    private var values: [String: [String]] = [:]

    package init(
        _ arguments: [String], valued: Set<String>, flags: Set<String>, repeatable: Set<String> = []
    ) throws(WrongUsage) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            let value: String
            if valued.contains(name) {
                guard let text = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw WrongUsage(text: "\(name) needs a value")
                }
                value = text
            } else if flags.contains(argument) {
                value = ""
            } else {
                guard argument.hasPrefix("-") else { throw WrongUsage(text: "Unexpected argument \(argument.quoted)") }
                throw WrongUsage(text: "There is no option \(argument.quoted)")
            }
            guard values[name] == nil || repeatable.contains(name) else {
                throw WrongUsage(text: "\(name) is given twice")
            }
            values[name, default: []].append(value)
        }
    }

    package func has(_ option: String) -> Bool { values[option] != nil }

    /// Returns the option's value, or nil if it is absent. An invalid value is an error.
    package func value<Value>(
        _ option: String, _ expected: String, _ read: (String) -> Value?
    ) throws(WrongUsage) -> Value? {
        try values(option, expected, read).first
    }

    /// Returns all values of an option, in their order. An invalid value is an error.
    package func values<Value>(
        _ option: String, _ expected: String, _ read: (String) -> Value?
    ) throws(WrongUsage) -> [Value] {
        var all: [Value] = []
        for text in values[option] ?? [] {
            guard let value = read(text) else {
                throw WrongUsage(text: "\(option) must be \(expected), not \(text.quoted)")
            }
            all.append(value)
        }
        return all
    }
}
