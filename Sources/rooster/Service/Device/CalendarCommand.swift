// `rooster calendar`: lists, sets or deletes day calendars.

import API
import Alarms
import CivilTime
import JSON
import Text

enum CalendarCommand {
    static let command = Subcommand.ofService(
        "calendar", "List, save or delete day calendars",
        help: """
            Usage: rooster calendar [list] [OPTIONS]
                   rooster calendar save NAME [OPTIONS]
                   rooster calendar delete NAME [OPTIONS]

            List, save or delete day calendars, such as one of school days. An alarm with
            '--days NAME' rings only on the days of that calendar: the days of --on, and the
            weekdays from --from until --until that are not in --off. 'save' replaces a
            calendar as a whole.

            Options of save:
              --weekdays DAYS  weekdays, such as mon-fri or mon,wed (default: all)
              --from DATE      first day, such as 2026-08-17
              --until DATE     last day
              --off DATES      days off, such as 2026-12-24 or 2026-11-23/2026-11-27; may be
                               repeated
              --on DATES       days that count in any case; may be repeated
              --file FILE      read the calendar as JSON, as in an alarms file; - is
                               standard input

            Options:
              --json           list: print one JSON object a line: name, calendar (as in an
                               alarms file), revision
            """,
        valued: ["--weekdays", "--from", "--until", "--file"], repeated: ["--off", "--on"],
        optionalOperands: ["list, save or delete", "NAME"], run: run)

    private static let fields: [FieldOption] = [
        FieldOption("--weekdays", "weekdays", "weekdays such as mon-fri or mon,wed", weekdays),
        FieldOption("--from", "from", "a date such as 2026-08-17", date),
        FieldOption("--until", "until", "a date such as 2026-08-17", date),
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
        switch (arguments.operands.first ?? "list", arguments.operands.count) {
        case ("list", ...1): try list(call)
        case ("save", 2):
            let name = arguments.operands[1]
            let path = arguments.value("--file")
            let said = try fields.patch(arguments)
            guard path == nil || said.members.isEmpty else {
                throw arguments.wrong("--file has the whole calendar: leave out the other options")
            }
            let calendar: Patch<DayCalendar> = if let path { try calendar(at: path) } else { Patch(said.members) }
            // The problems of a file name its own fields.
            let names = path == nil ? OptionNames(fields) : nil
            let answer = try call.service.ask(SaveCalendar(name: name, calendar: calendar), naming: names)
            call.say(answer, "Saved the calendar \(name.quoted)")
        case ("delete", 2):
            let name = arguments.operands[1]
            guard try calendars(call.service).contains(where: { $0.name == name }) else {
                throw .notFound(sentences("There is no calendar \(name.quoted)", "'rooster calendar' lists all"))
            }
            let answer = try call.service.ask(DeleteCalendar(name: name))
            call.say(answer, "Deleted the calendar \(name.quoted)")
        case ("list", _): throw arguments.wrong("The argument \(arguments.operands[1].quoted) is not expected")
        case ("save", _), ("delete", _): throw arguments.wrong("NAME is missing")
        case (let word, _): throw arguments.wrong("The argument must be list, save or delete, not \(word.quoted)")
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
        guard !calendars.isEmpty else {
            return print("There is no calendar yet: 'rooster calendar save NAME' saves one")
        }
        let rows = calendars.map { [Table.Cell($0.name.inOneLine, .bold), Table.Cell(text($0.calendar))] }
        call.show(Table(rows: rows, elastic: 1))
    }

    private static func text(_ calendar: DayCalendar) -> String {
        var parts = [calendar.weekdays.summary]
        if let from = calendar.from { parts.append("from \(from)") }
        if let until = calendar.until { parts.append("until \(until)") }
        if !calendar.off.isEmpty { parts.append("not \(calendar.off.text(atMost: 6, "/", " "))") }
        if !calendar.on.isEmpty { parts.append("and \(calendar.on.text(atMost: 6, "/", " "))") }
        return parts.joined(separator: ", ")
    }
}
