// `rooster enable`, `rooster disable` and `rooster delete`.

import Alarms
import JSON

enum SwitchCommand {
    static let enable = command("enable", "switches an alarm on", isOn: true)
    static let disable = command("disable", "switches an alarm off, until it is enabled again", isOn: false)

    private static func command(_ name: String, _ summary: String, isOn: Bool) -> Command {
        .ofService(
            name, summary,
            help: """
                Usage: rooster \(name) ALARM [--json]

                \(isOn ? "Switches an alarm on." : "Switches an alarm off: it does not ring until it is enabled again.")

                \(Command.alarmHelp)

                  --json   one JSON object: id, next (at, local, alarm, label, layer; or null), days (in words),
                           warnings
                """,
            words: ["ALARM"]
        ) { call throws(Refusal) in try run(call, isOn) }
    }

    private static func run(_ call: ServiceCall, _ isOn: Bool) throws(Refusal) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let (id, name) = (found.alarm.id, found.alarm.shownName)
        let names = OptionNames.mending(found.alarm.shellName, found.json)
        let answer = try call.service.ask(
            "enable", .init("alarm", .string(id)), .init("on", .bool(isOn)), naming: names)
        guard isOn else {
            let rest = call.isJSON ? "" : try call.service.whatGoesOn(of: found.alarm)
            return call.say(answer, "\(name) is off.\(rest)")
        }
        let saved = try SavedAlarm(answer)
        let status = try call.service.status()
        var alarm = found.alarm
        alarm.isEnabled = true
        call.say(answer, "\(name) is on: \(saved.words(status, alarm))", naming: names)
    }
}

enum DeleteCommand {
    static let command = Command.ofService(
        "delete", "deletes an alarm",
        help: """
            Usage: rooster delete ALARM [--json]

            Deletes an alarm: it never rings again.

            \(Command.alarmHelp)

              --json   one JSON object: id
            """,
        words: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask("delete", .init("alarm", .string(found.alarm.id)))
        let named = Answer(members: [.init("id", .string(found.alarm.id))] + answer.members.filter { $0.name != "id" })
        guard !call.isJSON else { return call.say(named, "") }
        let rest = try call.service.whatGoesOn(of: found.alarm)
        call.say(named, "Deleted \(found.alarm.shownName) (\(found.days.asSentence)).\(rest)")
    }
}

extension RunningService {
    /// What has begun to ring is ended only by whoever it wakes.
    fileprivate func whatGoesOn(of alarm: Alarm) throws(Refusal) -> String {
        let isOpen = try status().sessions.contains { $0.alarm == alarm.id }
        return isOpen ? " What it rings now goes on: 'rooster stop'." : ""
    }
}
