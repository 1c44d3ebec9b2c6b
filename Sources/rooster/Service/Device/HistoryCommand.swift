// `rooster history`: the past rings and how each ended, the events, and the success.

import API
import Alarms
import CivilTime
import Text

enum HistoryCommand {
    static let command = Subcommand.ofService(
        "history", "Show past rings, events and success",
        help: """
            Usage: rooster history [ALARM] [OPTIONS]
                   rooster history --clear [OPTIONS]

            Show past rings, the oldest first: time, alarm, ending, delay, snoozes, length,
            challenges with those that were replaced, who ended it, and the hours in bed
            before it ('rooster in-bed'). Test rings are left out. The device keeps rings
            for 400 days, and the newest 2000 events.

            \(Subcommand.alarmHelp)
            An alarm that was deleted is found by its label or its whole id.

            Options:
              --days N        only the last N days (default: everything)
              --since DAY     only from DAY on: 2026-12-24, today or yesterday
              --category TEXT only the alarms that have this category now
              --events        show events instead: refused stops, wrong answers, sounds that
                              failed, skipped days, steps of the clock and the like
              --success       show by alarm, category and week how many rings were dismissed
              --clear         clear rings and events, but those of the last 24 hours
              --csv           print a table for spreadsheets (RFC 4180) with a header; an
                              apostrophe precedes a text that looks like a formula
              --json          print one JSON object a line: alarm, at, local, label, ended,
                              end, endLocal, fired, lateSeconds, earlySeconds, snoozes,
                              snoozedAt, challenges (kind, done, replacedBy: the
                              challenge that replaced it), checks and failedChecks
                              (wake-up checks, and those without an answer), with (the
                              alarm whose challenges ended it), unheard (true if no
                              speaker and no buzzer played), shaken, inBed (when its
                              owner had gone to bed), inBedSeconds, doneAt, doneBy,
                              doneClient, postponedTo, postponedToLocal, firstMissed,
                              by, client, note, category. With --events: at, local,
                              name, text, alarm, label, ring. With --success: group,
                              name, alarm, rings, dismissed, inTenMinutes
            """,
        valued: ["--days", "--since", "--category"], flags: ["--csv", "--events", "--success", "--clear"],
        optionalOperands: ["ALARM"], run: run)

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        let forms = ["--json", "--csv"].filter(arguments.has)
        guard forms.count < 2 else { throw arguments.wrong("Give either --json or --csv") }
        let views = ["--events", "--success", "--clear"].filter(arguments.has) + forms.filter { $0 == "--csv" }
        guard views.count < 2 else { throw arguments.wrong("Give either \(views[0]) or \(views[1])") }
        guard !arguments.has("--clear") else { return try clear(call) }
        let request = try request(call)
        let answer = try call.service.ask(request).body
        if arguments.has("--events") { return try show(answer.events ?? [], call) }
        if arguments.has("--success") { return try show(answer.successes ?? [], call) }
        try show(answer, call, isFiltered: request.isFiltered)
    }

    private static func clear(_ call: ServiceCall) throws(CommandError) {
        let options = call.arguments.options.map(\.name)
        guard call.arguments.operands.isEmpty, Set(options).isSubset(of: ["--clear", "--json", "--socket"]) else {
            throw call.arguments.wrong("--clear clears the whole history: give no ALARM and no other option")
        }
        call.say(try call.service.ask(ClearHistory()), "The history is cleared, but for the last 24 hours")
    }

    private static func request(_ call: ServiceCall) throws(CommandError) -> GetHistory {
        let arguments = call.arguments
        let days = try arguments.value("--days", "a number of days from 1 to \(GetHistory.daysMax)") { text in
            Int(text).flatMap { (1...GetHistory.daysMax).contains($0) ? $0 : nil }
        }
        let day = try arguments.value("--since", "a date such as 2026-12-24, today or yesterday") {
            $0 == "yesterday" ? .inDays(-1) : $0 == "tomorrow" ? nil : When.Days(day: $0)
        }
        let since = try day.flatMap { day throws(CommandError) in
            if case .date(let date) = day { return date }
            return day.date(today: DeviceClock(try call.service.status().device).today)
        }
        let id = try arguments.operands.first.map { name throws(CommandError) in try self.id(of: name, call.service) }
        let category = try arguments.value("--category").map { typed throws(CommandError) in
            // Upper and lower case are the same, as in labels.
            try call.service.alarms().map(\.alarm.category).first { $0.isLike(typed) } ?? typed
        }
        return GetHistory(
            days: days, since: since, alarm: id, category: category, events: arguments.has("--events") ? true : nil)
    }

    /// Returns the id of an alarm. One that was deleted has its label in its rings and events.
    private static func id(of name: String, _ service: RunningService) throws(CommandError) -> String {
        do throws(CommandError) {
            return try service.alarm(called: name).alarm.id
        } catch {
            guard case .notFound = error else { throw error }
            let past = try service.ask(GetHistory(events: true)).body
            let found = Set(past.history.filter { $0.label.isLike(name) || $0.alarm == name }.map(\.alarm))
                .union(
                    (past.events ?? []).filter { $0.label?.isLike(name) ?? false || $0.alarm == name }.compactMap(
                        \.alarm))
            guard let id = found.first, found.count == 1 else { throw error }
            return id
        }
    }

    // MARK: Views

    private static func show(_ events: [EventReport], _ call: ServiceCall) throws(CommandError) {
        guard !call.isJSON else { return events.forEach { print($0.line) } }
        guard !events.isEmpty else { return print("No event is recorded") }
        let hours = try call.service.status().device.hourFormat
        call.show(Table(rows: events.map { $0.row(hours) }, elastic: 1))
    }

    private static func show(_ groups: [SuccessReport], _ call: ServiceCall) throws(CommandError) {
        guard !call.isJSON else { return groups.forEach { print($0.line) } }
        guard !groups.isEmpty else { return print("No ring is over") }
        call.show(Table(rows: groups.map(\.row), elastic: 1))
    }

    private static func show(
        _ answer: GetHistory.Response, _ call: ServiceCall, isFiltered: Bool
    ) throws(CommandError) {
        let rings = answer.history
        guard !call.isJSON else { return rings.forEach { print($0.line) } }
        guard !call.arguments.has("--csv") else {
            for record in [CSV.ringHeader] + rings.map(\.record) { print(CSV.line(record), terminator: "\r\n") }
            return
        }
        guard !rings.isEmpty else {
            if isFiltered { return print("No ring of this choice is over") }
            // The history holds a ring only after its end.
            guard try call.service.status().sessions.isEmpty else {
                return print("No ring is over yet: 'rooster status' shows the present one")
            }
            return print("No alarm has rung yet")
        }
        let hours = try call.service.status().device.hourFormat
        call.show(Table(rows: rings.map { $0.row(hours) }, elastic: 1))
        if let success = answer.success {
            let percent = Int((min(max(success, 0), 1) * 100).rounded())
            let rings = answer.successRings.map { "\($0) \($0 == 1 ? "ring" : "rings")" } ?? "rings"
            print("Of the \(rings) with challenges, \(percent) % were ended by them")
        }
    }
}

extension GetHistory {
    /// True if rings may have been left out.
    fileprivate var isFiltered: Bool { days != nil || since != nil || alarm != nil || category != nil }
}
