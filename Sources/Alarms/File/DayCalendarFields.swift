// Reading and writing day calendars, and sets of dates: single ones and `from/until`, both included.

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

extension Fields {
    package mutating func dateSet(_ name: String) -> DateSet {
        var runs: [ClosedRange<CivilDate>] = []
        for (index, element) in (list(name) ?? []).enumerated() {
            let place = "\(name)[\(index)]"
            guard case .string(let text) = element,
                let ends = Optional(text.split(separator: "/", omittingEmptySubsequences: false)), ends.count <= 2,
                let first = ends.first.flatMap({ CivilDate(String($0)) }),
                let last = ends.last.flatMap({ CivilDate(String($0)) })
            else {
                note(
                    place, "\(element.shown) is not a date such as \"2026-01-15\" or a range \"2026-02-01/2026-02-08\"")
                continue
            }
            guard first <= last else {
                note(place, "\(text.quoted) ends before it begins")
                continue
            }
            runs.append(first...last)
        }
        return DateSet(runs)
    }
}

extension DateSet {
    var json: JSON {
        .array(
            runs.map { run in
                .string(run.lowerBound == run.upperBound ? "\(run.lowerBound)" : "\(run.lowerBound)/\(run.upperBound)")
            })
    }
}
