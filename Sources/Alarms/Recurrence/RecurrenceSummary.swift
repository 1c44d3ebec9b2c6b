// The summary of a recurrence, for its owner.

import CivilTime
import Text

extension Recurrence {
    /// Summarises the rule: "Weekdays", "Every 2 weeks on Mon", "Last Friday of the month". If no
    /// short text fits, it quotes the rule. If the rule names no day, `start` gives it.
    package func summary(from start: CivilDate? = nil) -> String {
        let rule = sayingWhatStartSays(start)
        guard let text = rule.plainText else { return "By the rule \(self)" }
        return text + rule.skipText + rule.endText
    }

    /// Returns the rule with its day filled in from the start.
    private func sayingWhatStartSays(_ start: CivilDate?) -> Recurrence {
        guard let start, days.isEmpty, monthDays.isEmpty else { return self }
        var rule = self
        switch frequency {
        case .daily: break
        case .weekly: rule.days = [Day(start.weekday)]
        case .monthly: rule.monthDays = [start.day]
        case .yearly:
            rule.monthDays = [start.day]
            if months.isEmpty { rule.months = [start.month] }
        }
        return rule
    }

    private var plainText: String? {
        switch frequency {
        case .daily: dailyText
        case .weekly: weeklyText
        case .monthly: monthlyText
        case .yearly: yearlyText
        }
    }

    private func every(_ unit: String) -> String {
        interval == 1 ? "Every \(unit)" : "Every \(interval) \(unit)s"
    }

    private var dailyText: String? {
        guard monthDays.isEmpty, positions.isEmpty, months.isEmpty else { return nil }
        if days.isEmpty { return every("day") }
        return interval == 1 ? weekdays.weeklySummary : nil
    }

    private var weeklyText: String? {
        guard positions.isEmpty, months.isEmpty else { return nil }
        guard !days.isEmpty else { return every("week") }
        guard interval > 1 else { return weekdays.weeklySummary }
        let names =
            switch weekdays {
            case .everyDay: "all days"
            case .weekdays: "weekdays"
            case .weekend: "weekends"
            default: weekdays.summary
            }
        // The first day of the week decides which days share a week.
        let weeks = weekStart == .monday ? "" : ", weeks beginning on \(weekStart.name)"
        return "\(every("week")) on \(names)\(weeks)"
    }

    private var monthlyText: String? {
        guard months.isEmpty else { return nil }
        if days.isEmpty, monthDays.isEmpty, positions.isEmpty { return every("month") }
        if let numbers = monthDayText {
            return "\(interval == 1 ? "Monthly" : every("month")) on the \(numbers)"
        }
        guard let weekdays = nthWeekdayText else { return nil }
        return interval == 1 ? "\(weekdays.capitalisedFirst) of the month" : "\(every("month")) on the \(weekdays)"
    }

    private var yearlyText: String? {
        if days.isEmpty, monthDays.isEmpty, positions.isEmpty { return months.isEmpty ? every("year") : nil }
        let names = months.map { Recurrence.monthNames[$0 - 1] }
        if days.isEmpty, positions.isEmpty, monthDays.count * months.count <= 4, !months.isEmpty {
            guard monthDays.allSatisfy({ $0 > 0 }) else {
                return monthDayText.map { "\(every("year")) on the \($0) of \(names.joinedWithAnd)" }
            }
            let dates = names.flatMap { name in monthDays.map { "\($0) \(name)" } }
            return "\(every("year")) on \(dates.joinedWithAnd)"
        }
        // Positions count through the whole year, not through each of its months.
        guard let weekdays = nthWeekdayText, positions.isEmpty || months.count < 2 else { return nil }
        return "\(every("year")) on the \(weekdays) of \(names.isEmpty ? "the year" : names.joinedWithAnd)"
    }

    /// "1st and 15th", "last day".
    private var monthDayText: String? {
        guard days.isEmpty, positions.isEmpty, !monthDays.isEmpty else { return nil }
        let fromStart = monthDays.filter { $0 > 0 }.map(Recurrence.ordinal)
        let fromEnd = monthDays.filter { $0 < 0 }.reversed().map {
            $0 == -1 ? "last day" : "\(Recurrence.place($0)) day"
        }
        return (fromStart + fromEnd).joinedWithAnd
    }

    /// "last Friday", "first weekday", "first Monday and third Monday".
    private var nthWeekdayText: String? {
        guard monthDays.isEmpty, !days.isEmpty else { return nil }
        let weekdays = self.weekdays
        if positions.count == 1, days.allSatisfy({ $0.ordinal == nil }) {
            let what: String? =
                switch weekdays.summary {
                case "Every day": "day"
                case "Weekdays": "weekday"
                case "Weekends": "day of a weekend"
                default: days.count == 1 ? days[0].weekday.name : nil
                }
            return what.map { "\(Recurrence.place(positions[0])) \($0)" }
        }
        guard positions.isEmpty, days.count <= 4 else { return nil }
        let places = days.map { day in day.ordinal.map { "\(Recurrence.place($0)) \(day.weekday.name)" } }
        return places.contains(nil) ? nil : places.compactMap(\.self).joinedWithAnd
    }

    /// The text for a day that a month lacks, unless the alarm rings on the nearest day before it.
    private var skipText: String {
        let months = self.months.isEmpty ? Array(1...12) : self.months
        let shortest = months.map { CivilDate.daysInMonth($0, year: 2025) }.min() ?? 28
        guard monthDays.contains(where: { abs($0) > shortest }) else { return "" }
        return switch skip ?? Recurrence.skipDefault {
        case .backward: ""
        case .forward: ", or the day after if there is none"
        case .omit: ", left out if there is none"
        }
    }

    private var endText: String {
        switch end {
        case .never: ""
        case .count(let count): count == 1 ? ", once" : ", \(count) times"
        case .date(let date): ", until \(date)"
        case .local(let local): ", until \(local.date)"
        case .instant(let instant): ", until \(Zone.utc.local(instant).date)"
        }
    }

    /// "first", "2nd to last".
    private static func place(_ n: Int) -> String {
        switch n {
        case 1: "first"
        case 2: "second"
        case 3: "third"
        case 4: "fourth"
        case 5: "fifth"
        case -1: "last"
        case ..<0: "\(ordinal(-n)) to last"
        default: ordinal(n)
        }
    }

    /// "1st", "22nd", "13th".
    package static func ordinal(_ n: Int) -> String {
        switch (n % 10, n / 10 % 10) {
        case (1, let tens) where tens != 1: "\(n)st"
        case (2, let tens) where tens != 1: "\(n)nd"
        case (3, let tens) where tens != 1: "\(n)rd"
        default: "\(n)th"
        }
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}

extension WeekdaySet {
    /// "Every day", "Weekdays", "Weekends", or the days in a week that begins on Sunday: "Sun, Mon, Fri".
    package var summary: String {
        switch self {
        case .everyDay: "Every day"
        case .weekdays: "Weekdays"
        case .weekend: "Weekends"
        default:
            days.sorted { $0.days(after: .sunday) < $1.days(after: .sunday) }
                .map { String($0.name.prefix(3)) }.joined(separator: ", ")
        }
    }

    /// The same for a weekly repeat, in which a single day is "Every Monday".
    var weeklySummary: String { days.count == 1 ? "Every \(days[0].name)" : summary }
}

extension Weekday {
    /// "Monday" … "Sunday".
    fileprivate var name: String { "\(self)".capitalisedFirst }
}

extension [String] {
    /// "a", "a and b", "a, b and c".
    fileprivate var joinedWithAnd: String {
        count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
