// `rooster skip`, `unskip` and `pause`: leave out one ring, undo that, or leave out all rings for some
// days.

import API
import Alarms
import CivilTime
import Text

enum SkipCommand {
    static let skip = Subcommand.ofService(
        "skip", "leaves an alarm's next ring out",
        help: """
            Usage: rooster skip ALARM [DATE] [--json]

            Leaves the ring of one day out: that of DATE, as in 2026-12-24 or tomorrow, or the next one. The one after it
            comes as ever. To say it twice is to say it once. 'rooster unskip' takes it back.

            \(Subcommand.alarmHelp)

              --json   one JSON object: id, date (the day left out), next (what rings now next; or null), days (in words)
            """,
        words: ["ALARM"], optionalWords: ["DATE"], run: runSkip)

    static let unskip = Subcommand.ofService(
        "unskip", "takes back what was skipped of an alarm",
        help: """
            Usage: rooster unskip ALARM [--json]

            Lets every ring of an alarm that was skipped and is still to come ring after all.

            \(Subcommand.alarmHelp)

              --json   one JSON object: id, next (what rings now next; or null), days (in words)
            """,
        words: ["ALARM"], run: runUnskip)

    private static func runSkip(_ call: ServiceCall) throws(CommandError) {
        let word = call.arguments.words.dropFirst().first
        let named = word.flatMap(When.Days.init(day:))
        if let word, named == nil {
            throw call.arguments.wrong("\(word.quoted) is no day, as in 2026-12-24, today or tomorrow")
        }
        let found = try call.service.alarm(called: call.arguments.words[0])
        let date = try named.flatMap { day throws(CommandError) in
            day.date(today: DeviceClock(try call.service.status().device).today(in: found.alarm.zoneName))
        }
        guard found.alarm.isEnabled else {
            throw .refused("\(found.alarm.shownName) is off: there is nothing to skip")
        }
        let answer = try call.service.ask(SkipRing(alarm: found.alarm.id, date: date))
        let clock = DeviceClock(answer.body.device)
        let rest = answer.body.next.map { "; then it \(clock.words($0))" } ?? ""
        let day = answer.body.date.map { "\(WeekdaySet([$0.weekday]).words) \($0)" } ?? ""
        call.say(answer, "\(found.alarm.shownName) does not ring on \(day)\(rest)")
    }

    private static func runUnskip(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.words[0])
        let answer = try call.service.ask(UnskipRings(alarm: found.alarm.id))
        let (name, saved) = (found.alarm.shownName, answer.body)
        guard found.alarm.isEnabled else {
            return call.say(answer, "\(name) is off: 'rooster enable \(found.alarm.shellName.asWord)' switches it on.")
        }
        let words = saved.words(found.alarm)
        call.say(answer, "\(name)\(saved.next == nil ? ":" : "") \(words)")
    }
}

enum PauseCommand {
    static let command = Subcommand.ofService(
        "pause", "keeps an alarm silent for some days: rooster pause Work 2026-12-21/2027-01-03",
        help: """
            Usage: rooster pause ALARM FROM/UNTIL… [--json]
                   rooster pause ALARM --end [--json]

            Keeps an alarm silent from one date until another, both included, or on a single date; today and tomorrow are
            dates, too. What is said here takes the place of an earlier pause. A date with an entry of its own
            (--on 2026-12-24=9:00) rings all the same.
            Two dates are said with a slash, or each as 2026-12-21/2026-12-21 where only those two days are meant.

            \(Subcommand.alarmHelp)

              --end    ends the pause
              --json   one JSON object: id, next (what rings now next; or null), days (in words)
            """,
        flags: ["--end"], words: ["ALARM"], takesMoreWords: true, run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let words = call.arguments.words.dropFirst()
        let isEnd = call.arguments.has("--end")
        guard words.isEmpty == isEnd else {
            throw call.arguments.wrong(isEnd ? "say either dates or --end" : "say from when until when, or --end")
        }
        let ranges = try words.map { word throws(CommandError) in try ends(word, call.arguments) }
        // Two dates may mean two days, or all days between them. A wrong guess would cost a ring.
        if words.count == 2, !words.contains(where: { $0.contains("/") }) {
            let (first, last) = (words[words.startIndex], words[words.endIndex - 1])
            throw call.arguments.wrong(
                "say \(first)/\(last) for all days between, or \(first)/\(first) \(last)/\(last)")
        }
        let found = try call.service.alarm(called: call.arguments.words[0])
        let today = DeviceClock(try call.service.status().device).today(in: found.alarm.zoneName)
        let dates = ranges.map { $0.compactMap { $0.date(today: today) }.map(\.description).joined(separator: "/") }
        let answer = try call.service.ask(PauseAlarm(alarm: found.alarm.id, dates: dates), naming: .ofAlarm())
        let saved = answer.body
        let what = isEnd ? "is not paused" : "is paused on \(dates.joined(separator: ", "))"
        let isAll = saved.next == nil && dates.count == 1 && found.alarm.onlyDate.map { "\($0)" } == dates[0]
        let then = isAll ? ", its only day." : ": \(saved.words(found.alarm))"
        call.say(answer, "\(found.alarm.shownName) \(what)\(then)")
    }

    /// Parses the days of FROM/UNTIL, or a single one.
    private static func ends(_ word: String, _ arguments: CommandArguments) throws(CommandError) -> [When.Days] {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let days = parts.compactMap { When.Days(day: String($0)) }
        guard days.count == parts.count, days.count <= 2 else {
            throw arguments.wrong("\(word.quoted) is neither a date nor FROM/UNTIL, as in 2026-12-21/2027-01-03")
        }
        // Only the service has today's date, so the service checks ranges that use today or tomorrow.
        if case .date(let first) = days[0], case .date(let last) = days[days.count - 1], first > last {
            throw arguments.wrong("\(word.quoted) ends before it begins")
        }
        return days
    }
}
