// The command line: finds the command, runs it, and turns what it throws into a line and an exit status.

import Glibc

let commands = [PlanCommand.command, JournalCommand.command, SoundCommand.command, SpeakersCommand.command]

func run(_ arguments: [String]) throws(Refusal) {
    guard let name = arguments.first else { throw .usage("say what to do", help: overview(commands)) }
    switch name {
    case "--help", "-h", "help":
        if arguments.count > 1, let command = commands.first(where: { $0.name == arguments[1] }) {
            return print(command.help)
        }
        print(overview(commands))
    default:
        guard let command = commands.first(where: { $0.name == name }) else {
            throw .usage("there is no command \(name.debugDescription)", help: overview(commands))
        }
        let rest = arguments.dropFirst()
        if rest.contains("--help") || rest.contains("-h") { return print(command.help) }
        try command.run(try Arguments(Array(rest), of: command))
    }
}

do throws(Refusal) {
    try run(Array(CommandLine.arguments.dropFirst()))
    // What was printed may still be on its way.
    guard fflush(nil) == 0 else { throw .refused("standard output: \(String(cString: strerror(errno)))") }
} catch {
    complain("rooster: \(error)")
    exit(error.exitStatus)
}
