// The dates that a recurrence gives, counted from its start.

import CivilTime

/// A recurrence with the day from which it counts, prepared for fast queries.
struct RecurrenceDays: Sendable {
    let rule: Recurrence
    let start: CivilDate
    /// The earliest possible date: the start, or the calendar's beginning.
    private let earliest: CivilDate
    private var last: CivilDate
    private let startPeriod: Int
    private let plainWeekdays: WeekdaySet
    /// The weekdays of a rule that applies every week and has no other condition; nil for any other rule.
    /// Nearly every alarm has such a rule, and its next date needs no search.
    private let everyWeek: WeekdaySet?
    /// The chosen days of a week. Bit 0 is the first day of the week.
    let week: UInt8
    private let ordinalDays: [Recurrence.Day]
    private let months: UInt16
    let skip: Recurrence.Skip

    static let never = RecurrenceDays(Recurrence(.daily), from: .last, last: .first)

    /// Prepares a rule. `last` is a bound beside the rule's own COUNT. A rule that reaches back also gives
    /// the dates before its start.
    init(_ rule: Recurrence, from start: CivilDate, last: CivilDate = .last, reachesBack: Bool = false) {
        self.rule = rule
        self.start = start
        earliest = reachesBack ? .first : start
        plainWeekdays = WeekdaySet(rule.days.lazy.filter { $0.ordinal == nil }.map(\.weekday))
        let weekdays = rule.days.isEmpty ? [Recurrence.Day(start.weekday)] : rule.days
        week = weekdays.reduce(0) { $0 | 1 << UInt8($1.weekday.days(after: rule.weekStart)) }
        ordinalDays = rule.days.filter { $0.ordinal != nil }
        months = rule.months.isEmpty ? 0b1_1111_1111_1110 : rule.months.reduce(0) { $0 | 1 << UInt16($1) }
        skip = rule.skip ?? Recurrence.skipDefault
        startPeriod = RecurrenceDays.period(of: start, rule.frequency, weekStart: rule.weekStart)
        stepsUntilItRepeats = RecurrenceDays.stepsUntilItRepeats(rule)
        everyWeek = RecurrenceDays.everyWeek(rule, from: start)
        self.last = last
        if case .count(let count) = rule.end {
            self.last = min(last, lastDate(count: count) ?? .first)
        }
        // A rule without any date is queried often, so the search runs only once.
        if !namesAnyDay || first(onOrAfter: start) == nil { self.last = .first }
    }

    /// False if the months of a daily rule lack all its days, such as 30 February. A search would find none.
    private var namesAnyDay: Bool {
        let months = rule.months.isEmpty ? Array(1...12) : rule.months
        let longest = months.map { CivilDate.daysInMonth($0, year: 2024) }.max() ?? 31
        return rule.monthDays.isEmpty || rule.frequency != .daily || rule.monthDays.contains { abs($0) <= longest }
    }

    /// The weekdays on which the rule's dates can fall.
    var possibleWeekdays: WeekdaySet {
        if last < earliest { return [] }
        if !rule.days.isEmpty { return rule.weekdays }
        let staysOnItsWeekday = rule.frequency == .weekly || rule.frequency == .daily && rule.interval % 7 == 0
        return staysOnItsWeekday ? [start.weekday] : .everyDay
    }

    /// Returns the first date of the rule from `date` on.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        let date = max(date, earliest)
        guard date <= last else { return nil }
        if let everyWeek { return everyWeek.first(onOrAfter: date).flatMap { $0 <= last ? $0 : nil } }
        if rule.frequency == .daily { return firstDaily(onOrAfter: date) }
        // A day that SKIP moves forward lies one day after its period.
        let spills = rule.frequency != .weekly
        let step = firstStep(
            reaching: RecurrenceDays.period(
                of: spills ? date.advanced(by: -1) : date, rule.frequency, weekStart: rule.weekStart))
        for step in step...step + stepsUntilItRepeats {
            guard let days = days(ofStep: step), days.dayBefore <= last.dayNumber else { return nil }
            if let found = days.first(onOrAfter: date) { return found <= last ? found : nil }
        }
        return nil
    }

    private static func everyWeek(_ rule: Recurrence, from start: CivilDate) -> WeekdaySet? {
        guard rule.interval == 1, rule.months.isEmpty, rule.monthDays.isEmpty, rule.positions.isEmpty
        else { return nil }
        let days = rule.weekdays
        switch rule.frequency {
        case .daily: return days.isEmpty ? .everyDay : days
        case .weekly: return days.isEmpty ? [start.weekday] : days
        case .monthly, .yearly: return nil
        }
    }

    /// Returns the first date of a daily rule. Each period is a single day and needs no set.
    private func firstDaily(onOrAfter date: CivilDate) -> CivilDate? {
        guard rule.positions.isEmpty || rule.positions.contains(1) || rule.positions.contains(-1) else { return nil }
        var step = firstStep(reaching: date.dayNumber)
        let lastStep = step + stepsUntilItRepeats
        while step <= lastStep, startPeriod + step * rule.interval <= last.dayNumber {
            let date = CivilDate(dayNumber: startPeriod + step * rule.interval)
            if gives(day: date) { return date }
            step = promisingStep(after: step)
        }
        return nil
    }

    private func gives(day date: CivilDate) -> Bool {
        isWanted(weekday: date) && isInMonth(date) && (rule.monthDays.isEmpty || isOnMonthDay(date))
    }

    /// Returns the number of intervals from the start to `period` or beyond. It is negative before the start
    /// of a rule that reaches back.
    private func firstStep(reaching period: Int) -> Int {
        let distance = period - startPeriod
        if distance > 0 { return (distance + rule.interval - 1) / rule.interval }
        return earliest < start ? distance / rule.interval : 0
    }

    /// The number of steps after which the periods repeat. The calendar repeats after 400 years: 146,097
    /// days, which are whole weeks. If a rule has no date within these steps, it has no date at all: they
    /// cover every kind of period that its interval meets.
    let stepsUntilItRepeats: Int

    private static func stepsUntilItRepeats(_ rule: Recurrence) -> Int {
        let periods: Int =
            switch rule.frequency {
            case .daily: 146_097
            case .weekly: 20_871
            case .monthly: 4800
            case .yearly: 400
            }
        return periods / greatestCommonDivisor(periods, rule.interval)
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }

    /// The number of days after which the dates repeat.
    var daysUntilItRepeats: Int {
        switch rule.frequency {
        case .daily: stepsUntilItRepeats * rule.interval
        case .weekly: stepsUntilItRepeats * rule.interval * 7
        case .monthly: stepsUntilItRepeats * rule.interval / 4800 * 146_097
        case .yearly: stepsUntilItRepeats * rule.interval / 400 * 146_097
        }
    }

    /// Returns the next step that may have a date. A daily rule skips the months that it leaves out.
    func promisingStep(after step: Int) -> Int {
        guard rule.frequency == .daily, !rule.months.isEmpty else { return step + 1 }
        let number = startPeriod + (step + 1) * rule.interval
        let (year, month, _) = CivilDate(dayNumber: number).yearMonthDay
        var ahead = 0
        while months >> UInt16((month + ahead - 1) % 12 + 1) & 1 == 0 { ahead += 1 }
        guard ahead > 0 else { return step + 1 }
        let target = year * 12 + month - 1 + ahead
        guard let wanted = CivilDate(year: target / 12, month: target % 12 + 1, day: 1) else { return step + 1 }
        return step + 1 + (wanted.dayNumber - number + rule.interval - 1) / rule.interval
    }

    /// Returns the dates of the period that is `step` intervals after the start's, or nil beyond the end of
    /// the calendar.
    func days(ofStep step: Int) -> PeriodDays? {
        days(ofPeriod: startPeriod + step * rule.interval)
    }

    /// Returns the number of the period that contains a date.
    private static func period(of date: CivilDate, _ frequency: Recurrence.Frequency, weekStart: Weekday) -> Int {
        switch frequency {
        case .daily:
            return date.dayNumber
        case .weekly:
            // Day 0, 1970-01-01, was a Thursday.
            let shifted = date.dayNumber + Weekday.thursday.days(after: weekStart)
            return shifted >= 0 ? shifted / 7 : (shifted - 6) / 7
        case .monthly:
            let (year, month, _) = date.yearMonthDay
            return year * 12 + month - 1
        case .yearly:
            return date.year
        }
    }

    /// Returns the dates of one day, week, month or year, or nil beyond the end of the calendar.
    private func days(ofPeriod period: Int) -> PeriodDays? {
        let days: PeriodDays? =
            switch rule.frequency {
            case .daily: daily(period)
            case .weekly: weekly(period)
            case .monthly: monthly(year: period / 12, month: period % 12 + 1)
            case .yearly: yearly(period)
            }
        return rule.positions.isEmpty ? days : days?.chosen(rule.positions)
    }

    private func daily(_ period: Int) -> PeriodDays? {
        guard period <= CivilDate.last.dayNumber else { return nil }
        let date = CivilDate(dayNumber: period)
        var days = PeriodDays(firstDay: date)
        if gives(day: date) { days.insert(date) }
        return days
    }

    private func weekly(_ period: Int) -> PeriodDays? {
        let firstNumber = period * 7 - Weekday.thursday.days(after: rule.weekStart)
        guard firstNumber <= CivilDate.last.dayNumber else { return nil }
        var days = PeriodDays(firstDay: CivilDate(dayNumber: firstNumber))
        for offset in 0..<7 where week >> offset & 1 == 1 {
            let date = CivilDate(dayNumber: firstNumber + offset)
            // The calendar may begin or end within the week.
            if date.dayNumber == firstNumber + offset, isInMonth(date) { days.insert(date) }
        }
        return days
    }

    private func monthly(year: Int, month: Int) -> PeriodDays? {
        guard let firstDay = CivilDate(year: year, month: month, day: 1) else { return nil }
        var days = PeriodDays(firstDay: firstDay)
        if months >> UInt16(month) & 1 == 1 { insertDays(ofMonth: firstDay, into: &days) }
        return days
    }

    private func yearly(_ year: Int) -> PeriodDays? {
        guard let newYear = CivilDate(year: year, month: 1, day: 1) else { return nil }
        var days = PeriodDays(firstDay: newYear)
        let hasDaysOfYear = !rule.days.isEmpty && rule.monthDays.isEmpty && rule.months.isEmpty
        if hasDaysOfYear {
            insertWeekdays(from: newYear, count: CivilDate.isLeap(year: year) ? 366 : 365, into: &days)
            return days
        }
        let startMonth = rule.monthDays.isEmpty && rule.months.isEmpty ? start.month : nil
        for month in 1...12 where months >> UInt16(month) & 1 == 1 && startMonth.map({ $0 == month }) ?? true {
            guard let firstDay = CivilDate(year: year, month: month, day: 1) else { continue }
            insertDays(ofMonth: firstDay, into: &days)
        }
        return days
    }

    /// Inserts the days of the rule within one month.
    private func insertDays(ofMonth firstDay: CivilDate, into days: inout PeriodDays) {
        let (year, month, _) = firstDay.yearMonthDay
        let length = CivilDate.daysInMonth(month, year: year)
        if rule.monthDays.isEmpty, !rule.days.isEmpty {
            insertWeekdays(from: firstDay, count: length, into: &days)
            return
        }
        let wanted = rule.monthDays.isEmpty ? [start.day] : rule.monthDays
        for number in wanted {
            guard let date = day(number, ofMonth: firstDay, length: length) else { continue }
            if rule.days.isEmpty || isWanted(weekday: date) || isOrdinalDay(date) { days.insert(date) }
        }
    }

    /// Returns the day with that number. If the month lacks it, SKIP gives the nearest day before or after
    /// it, or nil.
    private func day(_ number: Int, ofMonth firstDay: CivilDate, length: Int) -> CivilDate? {
        if abs(number) <= length { return firstDay.advanced(by: number > 0 ? number - 1 : length + number) }
        switch (skip, number > 0) {
        case (.omit, _): return nil
        case (.backward, true): return firstDay.advanced(by: length - 1)
        case (.backward, false): return firstDay.advanced(by: -1)
        case (.forward, true): return firstDay.advanced(by: length)
        case (.forward, false): return firstDay
        }
    }

    /// Inserts the weekdays, plain and by ordinal, among the `count` days from `firstDay` on.
    private func insertWeekdays(from firstDay: CivilDate, count: Int, into days: inout PeriodDays) {
        for weekday in plainWeekdays.days {
            for offset in stride(from: weekday.days(after: firstDay.weekday), to: count, by: 7) {
                days.insert(firstDay.advanced(by: offset))
            }
        }
        for day in ordinalDays {
            if let date = firstDay.nth(day.ordinal ?? 0, day.weekday, inDays: count) { days.insert(date) }
        }
    }

    private func isWanted(weekday date: CivilDate) -> Bool {
        rule.days.isEmpty || plainWeekdays.contains(date.weekday)
    }

    private func isInMonth(_ date: CivilDate) -> Bool {
        rule.months.isEmpty || months >> UInt16(date.month) & 1 == 1
    }

    private func isOnMonthDay(_ date: CivilDate) -> Bool {
        let (year, month, day) = date.yearMonthDay
        let fromEnd = day - CivilDate.daysInMonth(month, year: year) - 1
        return rule.monthDays.contains(day) || rule.monthDays.contains(fromEnd)
    }

    /// Returns whether the date is an nth weekday of its month. A yearly rule without months counts through
    /// the year.
    private func isOrdinalDay(_ date: CivilDate) -> Bool {
        let (year, month, _) = date.yearMonthDay
        let countsByYear = rule.frequency == .yearly && rule.months.isEmpty
        let length =
            countsByYear ? (CivilDate.isLeap(year: year) ? 366 : 365) : CivilDate.daysInMonth(month, year: year)
        guard let firstDay = CivilDate(year: year, month: countsByYear ? 1 : month, day: 1) else { return false }
        return ordinalDays.contains { firstDay.nth($0.ordinal ?? 0, $0.weekday, inDays: length) == date }
    }
}

extension RecurrenceDays {
    /// Returns the last of the first `count` dates, or of fewer if the calendar ends before. After one round
    /// of all kinds of periods, whole rounds are skipped. Otherwise a rule with few dates would be searched
    /// through all the centuries.
    func lastDate(count: Int) -> CivilDate? {
        var left = count
        var last: CivilDate?
        var step = 0
        // The start cuts the first period short, so a round begins with the second.
        let roundStart = promisingStep(after: 0)
        var leftAtRoundStart = count
        while var days = days(ofStep: step) {
            // SKIP may have moved a day of the previous period onto a day of this one.
            days.removeDays(before: last?.advanced(by: 1) ?? start)
            if let date = days.nth(left - 1) { return date }
            left -= days.count
            last = days.nth(days.count - 1) ?? last
            step = promisingStep(after: step)
            if step == roundStart {
                leftAtRoundStart = left
            } else if step == roundStart + stepsUntilItRepeats {
                let inRound = leftAtRoundStart - left
                guard inRound > 0 else { break }
                let rounds = (left - 1) / inRound
                left -= rounds * inRound
                step += rounds * stepsUntilItRepeats
                last = last?.advanced(by: rounds * daysUntilItRepeats)
            }
        }
        return last
    }
}
