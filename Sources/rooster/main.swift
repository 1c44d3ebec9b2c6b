// The command line: runs the command, and reports its error on standard error and by the exit status.

import API
import Glibc

/// Moves a leading `--socket` after the command's name, so that users may put the option first.
func commandFirst(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, first == "--socket" || first.hasPrefix("--socket=") else { return arguments }
    let option = arguments.prefix(first == "--socket" ? 2 : 1)
    let rest = arguments.dropFirst(option.count)
    guard let name = rest.first else { return [] }
    // Help and version are the same for every service, so they drop `--socket`.
    if ["--help", "-h", "help", "--version", "-V", "version"].contains(name) { return Array(rest) }
    return [name] + option + rest.dropFirst()
}

func run(_ given: [String]) throws(CommandError) {
    let arguments = commandFirst(given)
    guard let name = arguments.first else { return print(CommandTable.overview) }
    switch name {
    case "--help", "-h", "help":
        guard arguments.count > 1 else { return print(CommandTable.overview) }
        guard let command = CommandTable.command(named: arguments[1]) else {
            throw CommandTable.noSuchCommand(arguments[1])
        }
        print(command.help)
    case "--version", "-V", "version": print("rooster \(roosterVersion)")
    default:
        guard let command = CommandTable.command(named: name) else { throw CommandTable.noSuchCommand(name) }
        let rest = arguments.dropFirst()
        // After "--" every argument is an operand, even "--help".
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return print(command.help)
        }
        try command.run(try CommandArguments(Array(rest), of: command))
    }
}

let given = Array(CommandLine.arguments.dropFirst())
do throws(CommandError) {
    try run(given)
    // Flushes standard output, so that a write error still sets the exit status.
    try printNow("")
} catch {
    if given.prefix(while: { $0 != "--" }).contains("--json"), let json = error.json { print(json.line) }
    // Flushes standard output, so that the results come before the error.
    fflush(nil)
    complain("rooster: \(error)")
    exit(error.exitStatus)
}
