// The shared part of all commands that use the running service.

import API

/// One run of such a command: its arguments, the service, and the style of the output.
struct ServiceCall {
    let arguments: CommandArguments
    let service: RunningService
    let style: Style

    init(_ arguments: CommandArguments) {
        self.arguments = arguments
        service = RunningService(arguments)
        style = .ofStandardOutput()
    }

    /// Returns the same call, whose waits for the service end with these signals.
    func interrupted(by signals: StopSignals) -> ServiceCall {
        var arguments = arguments
        arguments.interruption = signals.descriptor
        return ServiceCall(arguments)
    }

    var isJSON: Bool { arguments.has("--json") }

    /// Prints the answer: as JSON for scripts, or in words with its warnings for people.
    func say<Body>(
        _ answer: SuccessResponse<Body>, _ text: @autoclosure () -> String, naming names: OptionNames? = nil
    ) {
        guard !isJSON else { return print(answer.forScripts.line) }
        print(text())
        warn(answer.warnings.map((names ?? OptionNames([])).text))
    }

    func show(_ table: Table) {
        for line in table.lines(style) { print(line) }
    }

    func warn(_ warnings: [String]) {
        for warning in warnings { complain("rooster: warning: \(warning.asSentence)") }
    }
}

extension Subcommand {
    /// Returns a command of the running service. It accepts `--json` and `--socket` beside its own options.
    static func ofService(
        _ name: String, _ summary: String, help: String, valued: Set<String> = [], flags: Set<String> = [],
        counted: Set<String> = [], repeated: Set<String> = [], operands: [String] = [], optionalOperands: [String] = [],
        takesMoreOperands: Bool = false,
        run: @escaping @Sendable (ServiceCall) throws(CommandError) -> Void
    ) -> Subcommand {
        Subcommand(
            name: name, summary: summary, help: withSocket(help),
            valued: valued.union(["--socket"]), flags: flags.union(["--json"]), counted: counted,
            repeated: repeated, operands: operands, optionalOperands: optionalOperands,
            takesMoreOperands: takesMoreOperands
        ) { arguments throws(CommandError) in
            try run(ServiceCall(arguments))
        }
    }

    /// Returns the help with the option `--socket` behind `--json`, in the same columns.
    private static func withSocket(_ help: String) -> String {
        var lines = help.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let json = lines.firstIndex(where: { $0.hasPrefix("  --json") }) else { return help }
        let column = lines[json].count - lines[json].dropFirst("  --json".count).drop { $0 == " " }.count
        let end = lines[(json + 1)...].firstIndex { !$0.hasPrefix("   ") } ?? lines.endIndex
        let option = "  --socket PATH"
        lines.insert(
            contentsOf: [
                option + String(repeating: " ", count: column - option.count)
                    + "socket of the service (default: $ROOSTER_SOCKET, or",
                String(repeating: " ", count: column) + "\(RunningService.standardSocket))",
            ], at: end)
        return lines.joined(separator: "\n")
    }

    /// The help on naming an alarm, for commands that take one.
    static let alarmHelp = """
        ALARM is a label, an id, or the first four or more letters of an id, as
        'rooster list' shows them. Upper and lower case are the same.
        """
}
