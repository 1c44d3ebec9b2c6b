// `rooster skip` and `rooster unskip`: not the next time, or after all; `rooster pause`: not for some days.

import Alarms
import CivilTime

enum SkipCommand {
    static let skip = Command.ofService(
        "skip", "leaves an alarm's next ring out",
        help: """
            Usage: rooster skip ALARM [--json]

            Leaves the next ring of an alarm out; the one after it comes as ever. 'rooster unskip' takes that back.

            \(Command.alarmHelp)

              --json   one JSON object: id, next (what rings now next; or null)
            """,
        words: ["ALARM"], run: runSkip)

    static let unskip = Command.ofService(
        "unskip", "takes back what was skipped of an alarm",
        help: """
            Usage: rooster unskip ALARM [--json]

            Lets every ring of an alarm that was skipped and is still to come ring after all.

            \(Command.alarmHelp)

              --json   one JSON object: id, next (what rings now next; or null)
            """,
        words: ["ALARM"], run: runUnskip)

    private static func runSkip(_ call: ServiceCall) throws(Refusal) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        guard let next = found.next else { throw .refused("\(found.alarm.shownName) has no ring to come") }
        let clock = HouseClock(try call.service.status())
        // What is meant is the ring that is next now, whatever happens until the service reads this.
        let meant = JSON.object([.init("alarm", .string(found.alarm.id)), .init("at", .text(next.at))])
        let answer = try call.service.ask("skip", .init("alarm", .string(found.alarm.id)), .init("meant", meant))
        let rest = try SavedAlarm(answer).next.map { "; then it \(clock.words($0))" } ?? ""
        call.say(answer, "\(found.alarm.shownName) does not ring \(clock.day(next))\(rest)")
    }

    private static func runUnskip(_ call: ServiceCall) throws(Refusal) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask("unskip", .init("alarm", .string(found.alarm.id)))
        let saved = try SavedAlarm(answer)
        let status = try call.service.status()
        call.say(answer, "\(found.alarm.shownName) \(saved.words(status, found.alarm))")
    }
}

enum PauseCommand {
    static let command = Command.ofService(
        "pause", "keeps an alarm silent for some days: rooster pause Work 2026-12-21/2027-01-03",
        help: """
            Usage: rooster pause ALARM FROM/UNTIL… [--json]
                   rooster pause ALARM --end [--json]

            Keeps an alarm silent from one date until another, both included, or on a single date. What is said here takes
            the place of an earlier pause. A date with an entry of its own (--on 2026-12-24=9:00) rings all the same.
            Two dates are said with a slash, or each as 2026-12-21/2026-12-21 where only those two days are meant.

            \(Command.alarmHelp)

              --end    ends the pause
              --json   one JSON object: id, next (what rings now next; or null)
            """,
        flags: ["--end"], words: ["ALARM"], takesMoreWords: true, run: run)

    private static func run(_ call: ServiceCall) throws(Refusal) {
        let words = call.arguments.words.dropFirst()
        let isEnd = call.arguments.has("--end")
        guard words.isEmpty == isEnd else {
            throw call.arguments.wrong(isEnd ? "say either dates or --end" : "say from when until when, or --end")
        }
        for word in words where !isDates(word) {
            throw call.arguments.wrong(
                "\(word.quoted) is neither a date nor FROM/UNTIL, as in 2026-12-21/2027-01-03")
        }
        // One means both days by that, another all between.
        if words.count == 2, words.allSatisfy({ CivilDate($0) != nil }) {
            let (first, last) = (words[words.startIndex], words[words.endIndex - 1])
            throw call.arguments.wrong(
                "say \(first)/\(last) for all days between, or \(first)/\(first) \(last)/\(last)")
        }
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask(
            "pause", .init("alarm", .string(found.alarm.id)), .init("dates", .array(words.map(JSON.string))))
        let saved = try SavedAlarm(answer)
        let status = try call.service.status()
        let what = isEnd ? "is not paused" : "is paused \(words.joined(separator: ", "))"
        call.say(answer, "\(found.alarm.shownName) \(what): \(saved.words(status, found.alarm))")
    }

    private static func isDates(_ word: String) -> Bool {
        let dates = word.split(separator: "/", omittingEmptySubsequences: false).map { CivilDate(String($0)) }
        guard let first = dates[0], let last = dates[dates.count - 1] else { return false }
        return dates.count <= 2 && first <= last
    }
}
