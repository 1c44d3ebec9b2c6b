// `rooster done`: marks a ring of an alarm as done.

import API
import Alarms
import CivilTime
import Text

enum DoneCommand {
    static let command = Subcommand.ofService(
        "done", "Mark a ring as done, before or after it",
        help: """
            Usage: rooster done ALARM [OPTIONS]

            Mark a ring of an alarm as done: the one in progress, which ends, or else the
            last one. If that is done already, mark the next, as soon as it is nearer. A
            ring that is done ahead of time does not ring, and this cannot be undone.

            An alarm without challenges, or with '--postpone', is a chore: if it is missed
            or unanswered, the status shows it until it is done or rings again. Another
            alarm is not done ahead of time, and challenges alone end its ring.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: id, done (the ring, as in 'history'),
                              next (the next ring; or null), days

            Examples:
              rooster done Bins
            """,
        operands: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let answer = try call.service.ask(MarkDone(alarm: found.alarm.id), naming: .ofAlarm())
        let clock = DeviceClock(answer.body.device)
        let ring = answer.body.done.map { " (\(clock.day($0.local.dateTime)))" } ?? ""
        let isAhead = answer.body.done?.ended == .done
        call.say(
            answer,
            sentences(
                "\(found.alarm.shownName)\(ring) is done\(isAhead ? " and does not ring" : "")",
                answer.body.sentence(found.alarm)))
    }
}
