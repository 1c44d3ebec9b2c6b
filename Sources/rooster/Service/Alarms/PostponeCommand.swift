// `rooster postpone`: puts off a ring by some time.

import API
import Alarms
import Text

enum PostponeCommand {
    static let command = Subcommand.ofService(
        "postpone", "Put off a ring of an alarm",
        help: """
            Usage: rooster postpone ALARM LENGTH [OPTIONS]

            Put off the alarm's ring, the one in progress or else the next: by 1h, 90min or
            1h30 from its time or from now, whichever is later; or to the same time of
            another day: tomorrow, 3d, 1week, at most 31 days, and before the alarm's next
            ring after that. It rings once more then.

            An alarm with challenges can be put off only if it allows that ('rooster edit
            ALARM --postpone').

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: id, next (the next ring; or null), days

            Examples:
              rooster postpone Bins 1h
              rooster postpone Bins tomorrow
            """,
        operands: ["ALARM", "LENGTH"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let word = call.arguments.operands[1]
        guard let length = length(word.lowercased()) else {
            throw call.arguments.wrong("LENGTH must be such as 1h, 90min, tomorrow, 3d or 1week, not \(word.quoted)")
        }
        if let days = length.days, !(1...31).contains(days) {
            throw call.arguments.wrong("LENGTH must be at most 31 days, not \(word.quoted)")
        }
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let answer = try call.service.ask(
            PostponeRing(alarm: found.alarm.id, seconds: length.seconds, days: length.days), naming: .ofAlarm())
        call.say(
            answer, sentences("\(found.alarm.shownName) is put off", answer.body.sentence(found.alarm)))
    }

    private static func length(_ text: String) -> (seconds: Int?, days: Int?)? {
        if text == "tomorrow" { return (nil, 1) }
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if digits.count <= 3, let count = Int(digits) {
            switch text.dropFirst(digits.count) {
            case "d", "day", "days": return (nil, count)
            case "w", "week", "weeks": return (nil, count * 7)
            default: break
            }
        }
        return LengthText.seconds(text, bare: 0).map { ($0, nil) }
    }
}
