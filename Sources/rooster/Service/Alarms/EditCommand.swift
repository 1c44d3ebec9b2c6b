// `rooster edit`: changes the named fields of an alarm.

import API
import Alarms
import JSON

enum EditCommand {
    static let command = Subcommand.ofService(
        "edit", "Change an alarm",
        help: """
            Usage: rooster edit ALARM [TIME] [DAYS] [OPTIONS]

            Change an alarm. Everything that is not named stays as it is.

            \(Subcommand.alarmHelp)

            From half an hour before its ring, an alarm with challenges cannot be made
            easier or later; 'rooster unlock ALARM' begins its challenges first.

            A time alone keeps the days: 'rooster edit Work 7:15'. To make the alarm ring
            once, name a date as well: 7:15 today.

            \(WhenError.examples)

            \(AlarmOptions.help(showsDefaults: false))

            Other options:
              --no-math, --no-code, --no-tag, --no-steps, --no-pattern, --no-roulette,
              --no-challenges, --no-zone, --no-days, --no-shake, --no-postpone
                                   remove the challenge, all challenges, the zone, the
                                   calendar, the shaker or the permission to put it off
              --json               print one JSON object: id, alarm (as in an alarms file),
                                   next (at, local, alarm, label, layer; or null), days,
                                   warnings
            """,
        valued: AlarmOptions.valued, flags: AlarmOptions.flags.union(AlarmOptions.removing),
        repeated: AlarmOptions.repeated, operands: ["ALARM"],
        takesMoreOperands: true, run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let options = try AlarmOptions(call.arguments)
        let when = try When.read(call.arguments.operands.dropFirst())
        guard when != When() || !options.isEmpty else {
            throw call.arguments.wrong("Nothing to change: give a time, days or options")
        }
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let members = try options.changes(to: found.alarm.json, call.arguments)
        let changes = AlarmPatch(when.changes(to: found.alarm) + members)
        let edited = changes.applied(to: found.alarm)
        let names = OptionNames.ofAlarm(edited, call.arguments)
        let answer = try call.service.ask(
            EditAlarm(alarm: found.alarm.id, changes: changes, at: when.relative), naming: names)
        let saved = answer.body
        let alarm = saved.alarm ?? edited
        call.say(
            answer, sentences("\(alarm.shownName), \(alarm.times(saved)): \(saved.text(alarm))", saved.goesOn),
            naming: names)
    }
}
