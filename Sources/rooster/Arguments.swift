// The words behind a command's name, sorted into options and the rest.

/// The arguments of one command: each option at most once, `--name value` or `--name=value`; after `--` only words.
struct Arguments {
    private(set) var words: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []
    private let help: String

    init(_ arguments: [String], of command: Command) throws(Refusal) {
        help = Arguments.hint(command)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                words.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isTaken: Bool
            if command.valued.contains(parts[0]) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw .usage("\(parts[0]) needs a value", help: help)
                }
                isTaken = values.updateValue(value, forKey: parts[0]) != nil
            } else if command.flags.contains(parts[0]), parts.count == 1 {
                isTaken = !flags.insert(parts[0]).inserted
            } else {
                throw .usage("'\(command.name)' has no option \(argument.debugDescription)", help: help)
            }
            if isTaken { throw .usage("\(parts[0]) is given twice", help: help) }
        }
        if words.count < command.words.count {
            throw .usage("\(command.words[words.count]) is missing", help: help)
        }
        let most = command.words.count + command.optionalWords.count
        if words.count > most {
            throw .usage("\(words[most].debugDescription) is one word too many", help: help)
        }
    }

    private static func hint(_ command: Command) -> String {
        let usage = command.help.split(separator: "\n").first.map(String.init) ?? ""
        return "\(usage)\n'rooster \(command.name) --help' tells more."
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func value(_ option: String) -> String? { values[option] }

    /// The option's value, which must be readable if it is there.
    func value<Value>(_ option: String, _ expected: String, _ read: (String) -> Value?) throws(Refusal) -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = read(text) else {
            throw .usage("\(option): \(text.debugDescription) is not \(expected)", help: help)
        }
        return value
    }

    func wrong(_ reason: String) -> Refusal { .usage(reason, help: help) }
}
