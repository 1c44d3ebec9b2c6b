// `rooster edit`: changes the named fields of an alarm.

import API
import Alarms
import JSON

enum EditCommand {
    static let command = Subcommand.ofService(
        "edit", "changes an alarm: rooster edit Work 7:15 --sound bells01",
        help: """
            Usage: rooster edit ALARM [TIME] [DAYS] [OPTIONS]

            Changes what is named here of an alarm, and nothing else.

            \(Subcommand.alarmHelp)

            \(WhenError.examples)

            \(AlarmOptions.help)
              --no-math, --no-code, --no-tag, --no-steps, --no-pattern, --no-challenges, --no-zone, --no-days
                                  takes that away
              --json              one JSON object: id, alarm (as in alarms files), next (at, local, alarm, label, layer; or
                                  null), days (in words), warnings

            Shortly before an alarm with challenges rings it cannot be made easier or later: 'rooster unlock ALARM'.
            """,
        valued: AlarmOptions.valued, flags: AlarmOptions.removing, repeated: AlarmOptions.repeated, words: ["ALARM"],
        takesMoreWords: true, run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let options = try AlarmOptions(call.arguments)
        let when = try When.read(call.arguments.words.dropFirst())
        guard when != When() || !options.isEmpty else {
            throw call.arguments.wrong("say what is to be changed")
        }
        let found = try call.service.alarm(called: call.arguments.words[0])
        let changes = AlarmPatch(when.changes(to: found.alarm) + options.changes(to: found.alarm.json))
        let edited = changes.applied(to: found.alarm)
        let names = OptionNames.ofAlarm(edited, call.arguments)
        let answer = try call.service.ask(
            EditAlarm(alarm: found.alarm.id, changes: changes, at: when.relative), naming: names)
        let saved = answer.body
        let alarm = saved.alarm ?? edited
        call.say(
            answer, "\(alarm.shownName), \(alarm.times(saved)): \(saved.words(alarm))", naming: names)
    }
}
