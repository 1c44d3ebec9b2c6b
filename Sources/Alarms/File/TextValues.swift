// The coding of dates, times and other values of alarms in documents.

import CivilTime
import JSON
import Text

extension CivilDate: TextCoded, JSONCodable {
    package static var expected: String { #"a date such as "2026-01-15""# }
    package static var sample: CivilDate { .first }
}

extension ClockTime: TextCoded {
    package static var expected: String { #"a time such as "07:00""# }
    package static var sample: ClockTime { .midnight }
}

extension Instant: TextCoded {
    package init?(text: String) { self.init(text, rounding: .down) }
    package var text: String { description }
    package static var expected: String { #"an instant such as "2026-01-15T06:00:00Z""# }
    package static var sample: Instant { .earliest }
}

extension Weekday: TextCoded {
    package init?(text: String) { self.init(shortName: text) }
    package var text: String { shortName }
    package static var expected: String { "a weekday, mon to sun" }
    package static var sample: Weekday { .monday }
}

extension WeekdaySet: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> WeekdaySet? {
        [Weekday].read(json, &problems).map { WeekdaySet($0) }
    }

    package var json: JSON { days.json }
    package static var schema: Schema { [Weekday].schema }
}

extension DayRule: TextCoded {
    package static var expected: String { #"a time such as "07:45", or "off""# }
    package static var sample: DayRule { .off }
}

extension Recurrence: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> Recurrence? {
        guard let text = String.read(json, &problems) else { return nil }
        do {
            return try Recurrence(parsing: text)
        } catch {
            problems += error.reasons.map { Problem("", $0) }
            return nil
        }
    }

    package var json: JSON { .text(self) }
    package static var schema: Schema { .simple("a rule (RFC 5545)", sample: "FREQ=DAILY".json) }
}

extension DateSet: JSONCoded {
    package static func read(_ json: JSON, _ problems: inout [Problem]) -> DateSet? {
        [DateRun].read(json, &problems).map { DateSet($0.map(\.dates)) }
    }

    package var json: JSON { runs.map(DateRun.init).json }
    package static var schema: Schema { [DateRun].schema }
}

/// A date, or a range of dates as `from/until`, both included.
private struct DateRun: JSONCoded {
    let dates: ClosedRange<CivilDate>

    static func read(_ json: JSON, _ problems: inout [Problem]) -> DateRun? {
        guard case .string(let text) = json,
            let ends = Optional(text.split(separator: "/", omittingEmptySubsequences: false)), ends.count <= 2,
            let first = ends.first.flatMap({ CivilDate(String($0)) }),
            let last = ends.last.flatMap({ CivilDate(String($0)) })
        else { return mismatch(json, &problems) }
        guard first <= last else {
            problems.append(Problem("", "must not end before it begins, as \(text.quoted) does"))
            return nil
        }
        return DateRun(dates: first...last)
    }

    var json: JSON {
        .string(
            dates.lowerBound == dates.upperBound ? "\(dates.lowerBound)" : "\(dates.lowerBound)/\(dates.upperBound)")
    }

    static var schema: Schema {
        .simple(#"a date such as "2026-01-15" or a range "2026-02-01/2026-02-08""#, sample: CivilDate.sample.json)
    }
}
