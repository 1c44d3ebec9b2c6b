// The command line: finds the command, runs it, and turns what it throws into a line and an exit status.

import Glibc
import Vocabulary

/// Which service is meant may be said before what it is to do.
func commandFirst(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, first == "--socket" || first.hasPrefix("--socket=") else { return arguments }
    let option = arguments.prefix(first == "--socket" ? 2 : 1)
    let rest = arguments.dropFirst(option.count)
    guard let name = rest.first else { return [] }
    // Help is the same of every service.
    if ["--help", "-h", "help", "--version", "-V", "version"].contains(name) { return Array(rest) }
    return [name] + option + rest.dropFirst()
}

func run(_ words: [String]) throws(CommandError) {
    let arguments = commandFirst(words)
    guard let name = arguments.first else { throw .usage("say what to do", help: CommandTable.overview) }
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
        // Behind "--" stand words, whatever they look like.
        if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            return print(command.help)
        }
        try command.run(try CommandArguments(Array(rest), of: command))
    }
}

let words = Array(CommandLine.arguments.dropFirst())
do throws(CommandError) {
    try run(words)
    // What was printed may still be on its way.
    try printNow("")
} catch {
    if words.prefix(while: { $0 != "--" }).contains("--json"), let json = error.json { print(json.line) }
    // What was done is said before what was not.
    fflush(nil)
    complain("rooster: \(error)")
    exit(error.exitStatus)
}
