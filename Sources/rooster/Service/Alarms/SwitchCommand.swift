// `rooster enable`, `rooster disable` and `rooster delete`.

import API

enum SwitchCommand {
    static let enable = command("enable", "switches an alarm on", isOn: true)
    static let disable = command("disable", "switches an alarm off, until it is enabled again", isOn: false)

    private static func command(_ name: String, _ summary: String, isOn: Bool) -> Subcommand {
        .ofService(
            name, summary,
            help: """
                Usage: rooster \(name) ALARM [--json]

                \(isOn ? "Switches an alarm on." : "Switches an alarm off: it does not ring until it is enabled again.")

                \(Subcommand.alarmHelp)

                  --json   one JSON object: id, next (at, local, alarm, label, layer; or null), days (in words),
                           warnings
                """,
            words: ["ALARM"]
        ) { call throws(CommandError) in try run(call, isOn) }
    }

    private static func run(_ call: ServiceCall, _ isOn: Bool) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let (id, name) = (found.alarm.id, found.alarm.shownName)
        let names = OptionNames.mending(found.alarm.shellName, found.alarm)
        let answer = try call.service.ask(EnableAlarm(alarm: id, on: isOn), naming: names)
        guard isOn else { return call.say(answer, "\(name) is off.\(answer.body.whatGoesOn)") }
        let saved = answer.body
        var alarm = found.alarm
        alarm.isEnabled = true
        call.say(answer, "\(name) is on: \(saved.words(alarm))", naming: names)
    }
}

enum DeleteCommand {
    static let command = Subcommand.ofService(
        "delete", "deletes an alarm",
        help: """
            Usage: rooster delete ALARM [--json]

            Deletes an alarm: it never rings again.

            \(Subcommand.alarmHelp)

              --json   one JSON object: id
            """,
        words: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask(DeleteAlarm(alarm: found.alarm.id))
        let words = "Deleted \(found.alarm.shownName) (\(found.days.asSentence)).\(answer.body.whatGoesOn)"
        call.say(answer, words)
    }
}

extension AlarmOutcome {
    /// A ring that has begun goes on after its alarm is switched off or deleted: only the sleeper ends it.
    fileprivate var whatGoesOn: String { open ? " What it rings now goes on: 'rooster stop'." : "" }
}
