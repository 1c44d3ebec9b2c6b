// Reading and writing day calendars.

import CivilTime
import JSON
import Text

extension DayCalendar {
    package init(reading fields: inout Fields) {
        self.init()
        if let names = fields.texts("weekdays") {
            weekdays = WeekdaySet(names.compactMap { Weekday(shortName: $0) })
            for (index, name) in names.enumerated() where Weekday(shortName: name) == nil {
                fields.note("weekdays[\(index)]", "\(name.quoted) is not a weekday, mon to sun")
            }
        }
        from = fields.parsed("from", "a date such as \"2025-08-18\"")
        until = fields.parsed("until", "a date such as \"2026-06-03\"")
        if let from, let until, until < from { fields.note("until", "\(until) is before \(from)") }
        off = fields.dateSet("off")
        on = fields.dateSet("on")
        unknown = fields.unknown()
    }

    /// Everything for which the calendar cannot be taken.
    package var problems: [Problem] { Fields.problems(reading: json) { DayCalendar(reading: &$0) } }

    package var json: JSON {
        .object(
            [
                .init("weekdays", .array(weekdays.days.map { .string($0.shortName) })),
                .init("from", .text(from)), .init("until", .text(until)), .init("off", off.json), .init("on", on.json),
            ] + unknown)
    }
}
