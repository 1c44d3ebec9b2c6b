// `rooster enable`, `rooster disable` and `rooster delete`.

import API

enum SwitchCommand {
    static let enable = command("enable", "Switch an alarm on", isOn: true)
    static let disable = command("disable", "Switch an alarm off", isOn: false)

    private static func command(_ name: String, _ summary: String, isOn: Bool) -> Subcommand {
        .ofService(
            name, summary,
            help: """
                Usage: rooster \(name) ALARM [OPTIONS]

                \(isOn ? "Switch an alarm on." : "Switch an alarm off until 'rooster enable' switches it on again.")

                \(Subcommand.alarmHelp)

                Options:
                  --json          print one JSON object: id, next (at, local, alarm, label,
                                  layer; or null), days, warnings
                """,
            operands: ["ALARM"]
        ) { call throws(CommandError) in try run(call, isOn) }
    }

    private static func run(_ call: ServiceCall, _ isOn: Bool) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let (id, name) = (found.alarm.id, found.alarm.shownName)
        let names = OptionNames.mending(found.alarm.shellName, found.alarm)
        let answer = try call.service.ask(EnableAlarm(alarm: id, on: isOn), naming: names)
        guard isOn else { return call.say(answer, sentences("\(name) is off", answer.body.goesOn)) }
        let saved = answer.body
        var alarm = found.alarm
        alarm.isEnabled = true
        call.say(answer, "\(name) is on: \(saved.text(alarm))", naming: names)
    }
}

enum DeleteCommand {
    static let command = Subcommand.ofService(
        "delete", "Delete an alarm",
        help: """
            Usage: rooster delete ALARM [OPTIONS]

            Delete an alarm.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: id
            """,
        operands: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let answer = try call.service.ask(DeleteAlarm(alarm: found.alarm.id))
        call.say(
            answer,
            sentences("Deleted \(found.alarm.shownName) (\(found.days.asSentence.daysAfterTime))", answer.body.goesOn))
    }
}
