// Every command, in the groups and the order of `rooster --help`.

import Text

struct CommandGroup: Sendable {
    let title: String
    let commands: [Subcommand]
}

enum CommandTable {
    static let groups = [
        CommandGroup(
            title: "Alarms",
            commands: [
                ListCommand.command, ShowCommand.command, AddCommand.command, EditCommand.command,
                SwitchCommand.enable, SwitchCommand.disable, DeleteCommand.command, SkipCommand.skip,
                SkipCommand.unskip, PauseCommand.command, PostponeCommand.command,
                DoneCommand.command,
            ]),
        CommandGroup(
            title: "Rings",
            commands: [
                StatusCommand.command, SnoozeCommand.command, StopCommand.command, AnswerCommand.command,
                AwakeCommand.command, UnlockCommand.command, EmergencyCommand.command, RingTestCommand.command,
                InBedCommand.command,
            ]),
        CommandGroup(
            title: "Device",
            commands: [
                DoctorCommand.command, HistoryCommand.command, SettingsCommand.command, DefaultsCommand.command,
                CalendarCommand.command,
                CodeCommand.command, ExportCommand.command, ImportCommand.command, BedsideCommand.command,
                SoundCommand.command, SpeakersCommand.command, WebCommand.command, PairCommand.command,
                ClientsCommand.command,
                TokenCommand.command,
            ]),
        CommandGroup(
            title: "Files, without the service",
            commands: [PlanCommand.command, ScanCommand.command, JournalCommand.command]),
    ]

    static let all = groups.flatMap(\.commands)

    /// Names of the same commands in other programs.
    private static let aliases = ["ls": "list", "rm": "delete", "del": "delete"]

    static func command(named name: String) -> Subcommand? { all.first { $0.name == aliases[name] ?? name } }

    static var overview: String {
        let width = all.map(\.name.count).max() ?? 0
        let parts = groups.map { group in
            let lines = group.commands.map { command in
                let padding = String(repeating: " ", count: width - command.name.count)
                return "  \(command.name)\(padding)   \(command.summary)"
            }
            return "\(group.title):\n\(lines.joined(separator: "\n"))"
        }
        return """
            Usage: rooster COMMAND [ARGUMENTS] [OPTIONS]

            Set, see and stop the alarms of a Rooster.

            \(parts.joined(separator: "\n\n"))

            Examples:
              rooster add 7:00 weekdays --label Work --math 3
              rooster edit Work 7:15 --sound bells01
              rooster status

            'rooster COMMAND --help' explains a command, 'rooster --version' prints the
            version. 'ls' is short for list, 'rm' and 'del' for delete.
            """
    }

    static func noSuchCommand(_ name: String) -> CommandError {
        if name.hasPrefix("-") {
            return .usage(
                "There is no option \(name.debugDescription) before a command",
                help: "Usage: rooster COMMAND … ('rooster --help' lists all commands)")
        }
        let meant = all.first { name.isNearly($0.name) }.map { "Did you mean '\($0.name)'?" }
        return .usage(
            sentences("There is no command \(name.debugDescription)", meant),
            help: "Usage: rooster COMMAND … ('rooster --help' lists all commands)")
    }
}
