// The arguments after a command's name, parsed into options and operands.

import Text

/// The arguments of one command. An option is `--name value` or `--name=value`, and most may occur once.
/// After `--`, every argument is an operand.
struct CommandArguments {
    struct Option: Hashable {
        let name: String
        /// Nil for a flag. A counted flag has its number.
        var value: String?
    }

    private(set) var operands: [String] = []
    private(set) var options: [Option] = []
    /// A descriptor that ends every wait for the service when it becomes readable; negative for none.
    var interruption: Int32 = -1
    private let help: String

    init(_ arguments: [String], of command: Subcommand) throws(CommandError) {
        help = CommandArguments.hint(command, arguments)
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-", !CommandArguments.isNegative(argument) else {
                operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            var option = Option(name: parts[0])
            if command.takesValue(option.name) {
                guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                    throw .usage("\(parts[0]) needs a value", help: help)
                }
                option.value = value
            } else if command.counted.contains(option.name) {
                if parts.count == 2 {
                    option.value = parts[1]
                } else if let next = rest.first, Int(next) != nil {
                    option.value = rest.popFirst()
                } else {
                    option.value = "1"
                }
            } else if !command.flags.contains(option.name) || parts.count == 2 {
                let meant = command.optionNames.first(where: option.name.isNearly).map { "Did you mean \($0)?" }
                throw .usage(
                    sentences("'\(command.name)' has no option \(argument.debugDescription)", meant), help: help)
            }
            if !command.repeated.contains(option.name), options.contains(where: { $0.name == option.name }) {
                throw .usage("\(option.name) is given twice", help: help)
            }
            options.append(option)
        }
        try countOperands(command)
    }

    /// Returns true for a negative number: it is an operand, since it can answer a sum.
    private static func isNegative(_ argument: String) -> Bool {
        let digits = argument.utf8.dropFirst()
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    private func countOperands(_ command: Subcommand) throws(CommandError) {
        if operands.count < command.operands.count {
            throw .usage("\(command.operands[operands.count]) is missing", help: help)
        }
        let most = command.operands.count + command.optionalOperands.count
        if operands.count > most, !command.takesMoreOperands {
            throw .usage("The argument \(operands[most].debugDescription) is not expected", help: help)
        }
    }

    /// Returns the usage line for error messages. If the command has several and no verb selects one,
    /// returns a pointer to `--help`.
    private static func hint(_ command: Subcommand, _ given: [String]) -> String {
        // The usage lines end at the first empty line of the help.
        let ways = command.help.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .map { $0.split(separator: " ").drop { $0 != "rooster" } }
        let meant = ways.count == 1 ? ways : ways.filter { given.contains(String($0.dropFirst(2).first ?? "")) }
        guard meant.count == 1 else {
            return "Usage: rooster \(command.name) … ('rooster \(command.name) --help' lists all forms)"
        }
        return "Usage: \(meant[0].joined(separator: " ")) ('rooster \(command.name) --help' explains it)"
    }

    func has(_ flag: String) -> Bool { options.contains { $0.name == flag } }

    func value(_ option: String) -> String? { options.first { $0.name == option }?.value }

    func values(_ option: String) -> [String] { options.filter { $0.name == option }.compactMap(\.value) }

    /// Returns the parsed value of the option, or nil if the option is not given.
    func value<Value>(_ option: String, _ expected: String, _ read: (String) -> Value?) throws(CommandError) -> Value? {
        try value(option).map { text throws(CommandError) in try value(text, of: option, expected, read) }
    }

    func value<Value>(
        _ text: String, of option: String, _ expected: String, _ read: (String) -> Value?
    ) throws(CommandError) -> Value {
        guard let value = read(text) else { throw wrong("\(option) must be \(expected), not \(text.quoted)") }
        return value
    }

    func wrong(_ reason: String) -> CommandError { .usage(reason, help: help) }
}
