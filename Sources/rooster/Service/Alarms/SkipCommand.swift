// `rooster skip`, `unskip` and `pause`: leave out one ring, undo that, or leave out all rings for some
// days.

import API
import Alarms
import CivilTime
import Text

enum SkipCommand {
    static let skip = Subcommand.ofService(
        "skip", "Skip one ring of an alarm",
        help: """
            Usage: rooster skip ALARM [DATE] [OPTIONS]

            Skip the alarm's ring on DATE, such as 2026-12-24, today or tomorrow. Without
            DATE, skip its next ring. 'rooster unskip' undoes this.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: id, date (the skipped day), next (the
                              next ring; or null), days
            """,
        operands: ["ALARM"], optionalOperands: ["DATE"], run: runSkip)

    static let unskip = Subcommand.ofService(
        "unskip", "Undo all skips of an alarm",
        help: """
            Usage: rooster unskip ALARM [OPTIONS]

            Undo all skips of an alarm that are still ahead.

            \(Subcommand.alarmHelp)

            Options:
              --json          print one JSON object: id, next (the next ring; or null), days
            """,
        operands: ["ALARM"], run: runUnskip)

    private static func runSkip(_ call: ServiceCall) throws(CommandError) {
        let word = call.arguments.operands.dropFirst().first
        let named = word.flatMap(When.Days.init(day:))
        if let word, named == nil {
            throw call.arguments.wrong("DATE must be a date such as 2026-12-24, today or tomorrow, not \(word.quoted)")
        }
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let date = try named.flatMap { day throws(CommandError) in
            day.date(today: DeviceClock(try call.service.status().device).today(in: found.alarm.zoneName))
        }
        guard found.alarm.isEnabled else {
            throw .refused("\(found.alarm.shownName) is off: there is no ring to skip")
        }
        let answer = try call.service.ask(SkipRing(alarm: found.alarm.id, date: date), naming: .ofAlarm())
        let saved = answer.body
        let day = saved.date.map { "\(WeekdaySet([$0.weekday]).summary) \($0)" } ?? ""
        call.say(
            answer,
            sentences("\(found.alarm.shownName) skips \(day)", saved.sentence(found.alarm), saved.goesOn),
            naming: .ofAlarm())
    }

    private static func runUnskip(_ call: ServiceCall) throws(CommandError) {
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let answer = try call.service.ask(UnskipRings(alarm: found.alarm.id))
        let (name, saved) = (found.alarm.shownName, answer.body)
        guard found.alarm.isEnabled else {
            return call.say(answer, "\(name) is off: 'rooster enable \(found.alarm.shellName.asWord)' switches it on")
        }
        let text = "\(name)\(saved.next == nil ? ":" : "") \(saved.text(found.alarm))"
        call.say(answer, sentences(found.alarm.skipped.isEmpty ? "\(name) had no skip" : nil, text))
    }
}

enum PauseCommand {
    static let command = Subcommand.ofService(
        "pause", "Pause an alarm for some days",
        help: """
            Usage: rooster pause ALARM FROM/UNTIL… [OPTIONS]
                   rooster pause ALARM --end [OPTIONS]

            Pause an alarm from one date to another, both included, or on single dates.
            Dates are 2026-12-24, today or tomorrow. A new pause replaces the old one. On a
            date with its own time (--on 2026-12-24=9:00) the alarm rings in a pause too.

            \(Subcommand.alarmHelp)

            Options:
              --end           end the pause
              --json          print one JSON object: id, next (the next ring; or null), days

            Examples:
              rooster pause Work 2026-12-21/2027-01-03
              rooster pause Work today
            """,
        flags: ["--end"], operands: ["ALARM"], takesMoreOperands: true, run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let given = call.arguments.operands.dropFirst()
        let isEnd = call.arguments.has("--end")
        guard given.isEmpty == isEnd else {
            throw call.arguments.wrong(isEnd ? "Give either dates or --end" : "FROM/UNTIL is missing")
        }
        let ranges = try given.map { word throws(CommandError) in try ends(word, call.arguments) }
        // Two dates may mean two days, or all days between them. A wrong guess would cost a ring.
        if given.count == 2, !given.contains(where: { $0.contains("/") }) {
            let (first, last) = (given[given.startIndex], given[given.endIndex - 1])
            throw call.arguments.wrong(
                "Two dates are ambiguous. Write \(first)/\(last) for all days between, or "
                    + "\(first)/\(first) \(last)/\(last) for these two days.")
        }
        let found = try call.service.alarm(called: call.arguments.operands[0])
        let today = DeviceClock(try call.service.status().device).today(in: found.alarm.zoneName)
        let dates = ranges.map { $0.compactMap { $0.date(today: today) }.map(\.description).joined(separator: "/") }
        let answer = try call.service.ask(PauseAlarm(alarm: found.alarm.id, dates: dates), naming: .ofAlarm())
        let saved = answer.body
        let days = dates.map { $0.replacing("/", with: " to ") }.joined(separator: ", ")
        let ended = found.alarm.paused.isEmpty ? "was not paused" : "is no longer paused"
        let what = isEnd ? ended : "is paused on \(days)"
        // A warning says already that no day is left.
        let isAll = saved.next == nil && found.alarm.onlyDate.map { "\($0)" } == days
        let next = isAll || saved.next == nil && !answer.warnings.isEmpty ? nil : saved.sentence(found.alarm)
        let only = isAll && answer.warnings.isEmpty ? ", its only day" : ""
        call.say(answer, sentences("\(found.alarm.shownName) \(what)\(only)", next, saved.goesOn))
    }

    /// Parses the days of FROM/UNTIL, or a single one.
    private static func ends(_ word: String, _ arguments: CommandArguments) throws(CommandError) -> [When.Days] {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false)
        let days = parts.compactMap { When.Days(day: String($0)) }
        guard days.count == parts.count, days.count <= 2 else {
            throw arguments.wrong("FROM/UNTIL must be dates such as 2026-12-21/2027-01-03, not \(word.quoted)")
        }
        // Only the service has today's date, so the service checks ranges that use today or tomorrow.
        if case .date(let first) = days[0], case .date(let last) = days[days.count - 1], first > last {
            throw arguments.wrong("\(word.quoted) ends before it begins")
        }
        return days
    }
}
