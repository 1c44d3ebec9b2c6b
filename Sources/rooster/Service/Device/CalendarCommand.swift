// `rooster calendar`: lists, sets or deletes day calendars.

import API
import Alarms
import CivilTime
import JSON
import Text

enum CalendarCommand {
    static let command = Subcommand.ofService(
        "calendar", "lists, sets or deletes day calendars, as for school days",
        help: """
            Usage: rooster calendar [list] [--json]
                   rooster calendar save NAME [--weekdays DAYS] [--from DATE] [--until DATE] [--off DATES]… [--on DATES]…
                   rooster calendar save NAME --file FILE
                   rooster calendar delete NAME

            A day calendar says which days count: those of --on, and of the rest those from --from until --until that fall
            on one of the weekdays and are not --off. An alarm with '--days NAME' rings only on such days.

              --weekdays DAYS   as in mon-fri or mon,wed; without it, all
              --from DATE       the first day that counts, as in 2026-08-17
              --until DATE      the last
              --off DATES       days that do not count, as in 2026-11-23/2026-11-27 or 2027-01-18; may be given again
              --on DATES        days that count whatever the rest says; may be given again
              --file FILE       the calendar as in an alarms file; - reads standard input
              --json            list: one JSON object a line, name, calendar (as in the alarms file) and revision

            save replaces a calendar of that name as a whole.
            """,
        valued: ["--weekdays", "--from", "--until", "--file"], repeated: ["--off", "--on"],
        optionalWords: ["list, save or delete", "NAME"], run: run)

    private static let fields: [FieldOption] = [
        FieldOption("--weekdays", "weekdays", "weekdays, as in mon-fri or mon,wed", weekdays),
        FieldOption("--from", "from", "a date, as in 2026-08-17", date),
        FieldOption("--until", "until", "a date, as in 2026-08-17", date),
        FieldOption("--off", "off", isList: true), FieldOption("--on", "on", isList: true),
    ]

    private static func weekdays(_ text: String) -> JSON? {
        let sets = text.lowercased().split(separator: ",").map { WhenWords.weekdays(String($0)) }
        guard !sets.contains(nil), !sets.isEmpty else { return nil }
        return .array(WeekdaySet(sets.compactMap(\.self).flatMap(\.days)).days.map { .string($0.shortName) })
    }

    private static func date(_ text: String) -> JSON? { CivilDate(text).map { .text($0) } }

    private static func run(_ call: ServiceCall) throws(CommandError) {
        let arguments = call.arguments
        switch (arguments.words.first ?? "list", arguments.words.count) {
        case ("list", ...1): try list(call)
        case ("save", 2):
            let name = arguments.words[1]
            let path = arguments.value("--file")
            let said = try fields.patch(arguments)
            guard path == nil || said.members.isEmpty else {
                throw arguments.wrong("--file says all of a calendar: leave the other options out")
            }
            let calendar: Patch<DayCalendar> = if let path { try calendar(at: path) } else { Patch(said.members) }
            // The problems of a file name its own fields.
            let names = path == nil ? OptionNames(fields) : nil
            let answer = try call.service.ask(SaveCalendar(name: name, calendar: calendar), naming: names)
            call.say(answer, "Saved the calendar \(name.quoted).")
        case ("delete", 2):
            let name = arguments.words[1]
            guard try calendars(call.service).contains(where: { $0.name == name }) else {
                throw .notFound("there is no calendar \(name.quoted): 'rooster calendar' lists all")
            }
            let answer = try call.service.ask(DeleteCalendar(name: name))
            call.say(answer, "Deleted the calendar \(name.quoted).")
        case ("list", _): throw arguments.wrong("\(arguments.words[1].quoted) is one word too many")
        case ("save", _), ("delete", _): throw arguments.wrong("NAME is missing")
        case (let word, _): throw arguments.wrong("\(word.quoted) is none of list, save and delete")
        }
    }

    private static func calendar(at path: String) throws(CommandError) -> Patch<DayCalendar> {
        let json = try json(at: path)
        do throws(JSONMismatch) {
            return try json.decoded()
        } catch {
            throw .refused("\(shownPath(path)): \(error)")
        }
    }

    private static func calendars(_ service: RunningService) throws(CommandError) -> [ListCalendars.Calendar] {
        try service.ask(ListCalendars()).body.calendars
    }

    private static func list(_ call: ServiceCall) throws(CommandError) {
        let calendars = try calendars(call.service)
        guard !call.isJSON else { return calendars.forEach { print($0.line) } }
        guard !calendars.isEmpty else { return print("There is no calendar: 'rooster calendar save NAME' sets one.") }
        let rows = calendars.map { [Table.Cell($0.name.inOneLine, .bold), Table.Cell(words($0.calendar))] }
        call.show(Table(rows: rows, elastic: 1))
    }

    private static func words(_ calendar: DayCalendar) -> String {
        var parts = [calendar.weekdays.words]
        if let from = calendar.from { parts.append("from \(from)") }
        if let until = calendar.until { parts.append("until \(until)") }
        if !calendar.off.isEmpty { parts.append("but \(calendar.off.words(atMost: 6, "/", " "))") }
        if !calendar.on.isEmpty { parts.append("and \(calendar.on.words(atMost: 6, "/", " "))") }
        return parts.joined(separator: ", ")
    }
}
