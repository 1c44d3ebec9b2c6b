// The rules of single weekdays, made ready for asking.

import CivilTime

/// What the weekdays say, Monday to Sunday.
struct WeeklyRules: Sendable {
    private let rules: [DayRule?]
    let ruled: WeekdaySet
    let timed: WeekdaySet

    init(_ weekly: [Weekday: DayRule]) {
        rules = weekly.isEmpty ? [] : Weekday.allCases.map { weekly[$0] }
        ruled = WeekdaySet(weekly.keys)
        timed = WeekdaySet(weekly.filter { $0.value != .off }.keys)
    }

    subscript(weekday: Weekday) -> DayRule? {
        rules.isEmpty ? nil : rules[weekday.rawValue - 1]
    }

    /// The first date with a time of its weekday, `date` or later.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        timed.first(onOrAfter: date)
    }
}
