// When an alarm rings, in the words its owner would use.

import CivilTime

extension Alarm {
    /// The days of the alarm: "Weekdays", "Once", "Once on 2026-01-15"; of an alarm without a base those of its weekly
    /// rules, else "On chosen dates".
    public var daysInWords: String {
        if time != nil {
            return recurrence.map { $0.words(from: start) } ?? date.map { "Once on \($0)" } ?? "Once"
        }
        let weekdays = WeekdaySet(weekly.filter { $0.value != .off }.map(\.key))
        return weekdays.isEmpty ? "On chosen dates" : weekdays.words
    }
}
