// Texts for owners: the days of an alarm and the names of challenges.

import CivilTime

extension Alarm {
    /// The days of the alarm, such as "Weekdays" or "Once, on Thu 15 Jan 2026". If Rooster fixed the day,
    /// the day is near, and the year is left out. An alarm without a base has the days of its weekly rules,
    /// or else "On chosen dates".
    package var daysSummary: String {
        if time != nil {
            if let recurrence { return recurrence.summary(from: start ?? anchor) }
            return date.map { "Once, on \($0.shortText) \($0.year)" } ?? anchor.map { "Once, on \($0.shortText)" }
                ?? "Once"
        }
        let weekdays = WeekdaySet(weekly.filter { $0.value != .off }.map(\.key))
        return weekdays.isEmpty ? "On chosen dates" : weekdays.weeklySummary
    }
}

extension CivilDate {
    /// "Tue 13 Jan".
    fileprivate var shortText: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(WeekdaySet([weekday]).summary) \(day) \(months[month - 1])"
    }
}

extension Challenge {
    /// Text such as "5 sums".
    package var summary: String {
        switch task {
        case .sums(_, let count, _): "\(count) sums"
        case .pattern(let length): "a pattern of \(length)"
        default: "the \(kind?.name.lowercased() ?? "challenge")"
        }
    }
}

extension Challenge.Kind {
    /// The name that owners read.
    package var name: String {
        switch self {
        case .qr: "Code"
        case .math: "Math"
        case .steps: "Steps"
        case .pattern: "Pattern"
        case .tag: "Tag"
        case .roulette: "Roulette"
        }
    }
}
