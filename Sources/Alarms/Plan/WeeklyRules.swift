// The rules of single weekdays, made ready for asking.

import CivilTime

/// What the weekdays say, Monday to Sunday.
struct WeeklyRules: Sendable {
    private let rules: [DayRule?]
    /// Whether any weekday has a time.
    let hasTimes: Bool

    init(_ weekly: [Weekday: DayRule]) {
        rules = weekly.isEmpty ? [] : Weekday.allCases.map { weekly[$0] }
        hasTimes = weekly.values.contains { $0 != .off }
    }

    subscript(weekday: Weekday) -> DayRule? {
        rules.isEmpty ? nil : rules[weekday.rawValue - 1]
    }

    /// The first date with a time of its weekday, `date` or later.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        guard hasTimes else { return nil }
        for offset in 0..<7 {
            let candidate = date.advanced(by: offset)
            if case .at = self[candidate.weekday] { return candidate }
        }
        return nil
    }
}
