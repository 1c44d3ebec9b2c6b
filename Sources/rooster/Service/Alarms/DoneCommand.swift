// `rooster done`: marks a ring of an alarm as done.

import API
import Alarms
import CivilTime
import Text

enum DoneCommand {
    static let command = Subcommand.ofService(
        "done", "Mark a chore as done",
        help: """
            Usage: rooster done ALARM [OPTIONS]

            Mark a ring of an alarm as done: the one in progress, which ends, or one that
            was missed or unanswered; otherwise the nearer one of the last and the next. A
            ring that is done ahead of time does not ring.

            A ring in progress with challenges is ended only by its challenges, and that of
            a locked alarm cannot be done ahead of time.

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
        call.say(answer, sentences("\(found.alarm.shownName)\(ring) is done", answer.body.sentence(found.alarm)))
    }
}
