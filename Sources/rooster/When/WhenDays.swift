// The grammar of the days of an alarm.

import Alarms
import CivilTime

extension WhenReader {
    mutating func days() throws(WhenError) -> When.Days {
        if let day = take(When.Days.init(day:)) { return day }
        guard take("once") else { return .rule(try rule()) }
        return take({ CivilDate($0) }).map(When.Days.date) ?? .once
    }

    private mutating func rule() throws(WhenError) -> Recurrence {
        if take("every", "each") { return try every() }
        if take("daily", "everyday") { return Recurrence(.daily) }
        if take("weekly") { return try weekly(every: 1) }
        if take("fortnightly", "biweekly") { return try weekly(every: 2) }
        if take("monthly") { return try monthly(every: 1) }
        if take("quarterly") { return try monthly(every: 3) }
        if take("yearly", "annually") { return try yearly(every: 1) }
        if let first = rest.first, WhenWords.weekdays(first) != nil { return try weekly(every: 1) }
        if rest.last == "month" { return try monthly(every: 1) }
        throw rest.first.map(notUnderstood) ?? WhenError(reason: "The days are missing")
    }

    private mutating func every() throws(WhenError) -> Recurrence {
        // "every second friday of the month" is monthly. Without "month" it is ambiguous, and refused below.
        if rest.last == "month", rest.count > 1, second.flatMap(WhenWords.weekday) != nil || rest.first == "last" {
            return try monthly(every: 1)
        }
        let isNumbered = rest.first.map { $0 != "other" && WhenWords.ordinal($0) != nil } ?? false
        let isOrdinal = isNumbered && rest.first.flatMap(WhenWords.number) == nil
        let count = take("other") ? 2 : take(WhenWords.ordinal) ?? 1
        if take("day", "days") {
            var rule = Recurrence(.daily)
            rule.interval = count
            return rule
        }
        if take("week", "weeks") { return try weekly(every: count) }
        if rest.first == "month" || rest.first == "months", !isOrdinal {
            rest.removeFirst()
            return try monthly(every: count)
        }
        if take("year", "years") { return try yearly(every: count) }
        guard let day = rest.first else {
            throw WhenError(reason: "\"every\" needs days, weeks, months, years or weekdays after it")
        }
        guard WhenWords.weekdays(day) != nil || day.hasPrefix("month") else { throw notUnderstood(day) }
        if !isNumbered { return try weekly(every: count) }
        // "every second tue" may mean every two weeks or the second Tuesday of the month, so it is refused.
        let nth = Recurrence.ordinal(count)
        let weeks = count == 1 ? "every \(day)" : "every \(count) weeks on \(day)"
        throw WhenError(
            reason: day.hasPrefix("month")
                ? "Write 'every \(count) months' or 'monthly \(nth)'" : "Write '\(weeks)' or 'monthly \(nth) \(day)'")
    }

    private mutating func weekly(every count: Int) throws(WhenError) -> Recurrence {
        var rule = Recurrence(.weekly)
        rule.interval = count
        var days = WeekdaySet()
        while !rest.isEmpty {
            if rest.first == "all", second == "days" {
                rest.removeFirst(2)
                days = .everyDay
            } else if let more = take(WhenWords.weekdays) {
                for day in more.days { days.insert(day) }
            } else {
                throw rest.first.map(notUnderstood) ?? WhenError(reason: "The weekdays are missing")
            }
        }
        rule.days = days.days.map { Recurrence.Day($0) }
        return rule
    }

    private mutating func monthly(every count: Int) throws(WhenError) -> Recurrence {
        var rule = Recurrence(.monthly)
        rule.interval = count
        guard !rest.isEmpty else { return rule }
        try daysOfPeriod(&rule)
        _ = take("month")
        return rule
    }

    private mutating func yearly(every count: Int) throws(WhenError) -> Recurrence {
        var rule = Recurrence(.yearly)
        rule.interval = count
        guard let first = rest.first else { return rule }
        let isPair = WhenWords.ordinal(first) != nil && second.flatMap(WhenWords.month) != nil
        if isPair || WhenWords.month(first) != nil || WhenWords.monthAndDay(first) != nil {
            try dates(&rule)
            return rule
        }
        try daysOfPeriod(&rule)
        if take("year") {
            // `monthDays` count within a month, so a day of the year becomes a position among all days.
            guard rule.monthDays.count < 2 else { throw WhenError(reason: "Give one day of the year, not several") }
            if let day = rule.monthDays.first {
                (rule.monthDays, rule.positions) = ([], [day])
                rule.days = Weekday.allCases.map { Recurrence.Day($0) }
            }
            return rule
        }
        while let month = take(WhenWords.month) { rule.months.append(month) }
        guard !rule.months.isEmpty else {
            throw WhenError(reason: "The month is missing, such as in 'yearly last sun of march' or 'yearly 24 dec'")
        }
        return rule
    }

    /// Parses dates of the year: `24 december 25 december`, `dec 24`, `12-24`.
    private mutating func dates(_ rule: inout Recurrence) throws(WhenError) {
        var dates: [(month: Int, day: Int)] = []
        while let first = rest.first {
            if let date = take(WhenWords.monthAndDay) {
                dates.append(date)
            } else if let day = WhenWords.ordinal(first), let month = second.flatMap(WhenWords.month) {
                rest.removeFirst(2)
                dates.append((month, day))
            } else if let month = WhenWords.month(first), let day = second.flatMap(WhenWords.ordinal) {
                rest.removeFirst(2)
                dates.append((month, day))
            } else {
                throw notUnderstood(first)
            }
        }
        for date in dates {
            // A leap year such as 2024 has every date that a year can have.
            guard CivilDate(year: 2024, month: date.month, day: date.day) != nil else {
                throw WhenError(reason: "No year has day \(date.day) in month \(date.month)")
            }
        }
        rule.months = Set(dates.map(\.month)).sorted()
        rule.monthDays = Set(dates.map(\.day)).sorted()
        // A rule lists days and months, and covers all their pairs.
        let pairs = Set(dates.map { $0.month * 100 + $0.day })
        guard pairs.count == rule.months.count * rule.monthDays.count else {
            throw WhenError(reason: "One rule cannot have exactly these dates. Add an alarm for each.")
        }
    }

    /// Parses days by their position in a month or year: `15th`, `1 15`, `last day`, `first mon third mon`,
    /// `last weekday`.
    private mutating func daysOfPeriod(_ rule: inout Recurrence) throws(WhenError) {
        while let first = rest.first, first != "month", first != "year", WhenWords.month(first) == nil {
            guard let place = takePlace() else { throw notUnderstood(first) }
            if take("day", "days") {
                guard rest.first == "a", second == "weekend" else {
                    rule.monthDays.append(place)
                    continue
                }
                rest.removeFirst(2)
                try choose(place, of: .weekend, &rule)
            } else if take("weekday", "workday") {
                try choose(place, of: .weekdays, &rule)
            } else if let weekday = take(WhenWords.weekday) {
                rule.days.append(Recurrence.Day(weekday, ordinal: place))
            } else if place > 0 {
                guard place <= 31 || rest.last == "year" else {
                    throw WhenError(reason: "No month has a day \(place): the last possible is 31")
                }
                rule.monthDays.append(place)
            } else {
                throw WhenError(
                    reason: "\"last\" needs a day after it, such as 'last fri', 'last day' or 'last weekday'")
            }
        }
        let isMixed = !rule.days.isEmpty && !rule.monthDays.isEmpty
        let isNothing = rule.days.isEmpty && rule.monthDays.isEmpty
        guard !isMixed, !isNothing else {
            throw WhenError(
                reason: isMixed
                    ? "Give dates or weekdays, not both. Add an alarm for each."
                    : "The day is missing, such as '15th', 'last day' or 'first mon'")
        }
    }

    private func choose(_ place: Int, of weekdays: WeekdaySet, _ rule: inout Recurrence) throws(WhenError) {
        guard rule.days.isEmpty else { throw WhenError(reason: "A rule can have only one such day") }
        rule.positions = [place]
        rule.days = weekdays.days.map { Recurrence.Day($0) }
    }

    /// Parses `first`, `15th`, `last` or `2nd to last`. A negative number counts from the end.
    private mutating func takePlace() -> Int? {
        if take("last") { return -1 }
        guard let place = take(WhenWords.ordinal) else { return nil }
        guard rest.first == "to", second == "last" else { return place }
        rest.removeFirst(2)
        return -place
    }
}
