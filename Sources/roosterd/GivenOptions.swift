// Parses roosterd's command line into options.

import Text

struct WrongUsage: Error, Hashable {
    let text: String
}

/// Options, each at most once, as `--name value` or `--name=value`.
struct GivenOptions {
    private var values: [String: String] = [:]

    init(_ arguments: [String], valued: Set<String>, flags: Set<String>) throws(WrongUsage) {
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
            guard values.updateValue(value, forKey: name) == nil else {
                throw WrongUsage(text: "\(name) is given twice")
            }
        }
    }

    func has(_ option: String) -> Bool { values[option] != nil }

    /// Returns the option's value, or nil if it is absent. An invalid value is an error.
    func value<Value>(_ option: String, _ expected: String, _ read: (String) -> Value?) throws(WrongUsage) -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = read(text) else {
            throw WrongUsage(text: "\(option) must be \(expected), not \(text.quoted)")
        }
        return value
    }
}
