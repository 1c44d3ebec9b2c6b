// Where COUNT ends: the date after which a recurrence gives no more.

import CivilTime

extension RecurrenceDays {
    /// The last of the first `count` dates.
    func lastDate(count: Int) -> CivilDate {
        guard var days = days(ofStep: 0) else { return .last }
        days.removeDays(before: start)
        if let date = days.nth(count - 1) { return date }
        if let perPeriod = datesPerPeriod {
            let (periods, index) = (count - days.count - 1).quotientAndRemainder(dividingBy: perPeriod)
            return self.days(ofStep: periods + 1)?.nth(index) ?? .last
        }
        return lastDateByCounting(count, first: days)
    }

    /// Goes through the periods. When all kinds of them have been met, whole rounds of them can be left out.
    private func lastDateByCounting(_ count: Int, first: PeriodDays) -> CivilDate {
        var left = count - first.count
        var last = first.nth(first.count - 1)
        var step = promisingStep(after: 0)
        var roundEnd: Int? = step + stepsUntilItRepeats
        let leftBefore = left
        while var days = days(ofStep: step) {
            // SKIP may move a day to where the period before it has one.
            days.removeDays(before: last?.advanced(by: 1) ?? start)
            if let date = days.nth(left - 1) { return date }
            if let date = days.nth(days.count - 1) { last = date }
            left -= days.count
            step = promisingStep(after: step)
            if let end = roundEnd, step >= end {
                let inRound = leftBefore - left
                guard inRound > 0 else { break }
                let rounds = (left - 1) / inRound
                left -= rounds * inRound
                step += rounds * stepsUntilItRepeats
                last = last?.advanced(by: rounds * daysUntilItRepeats)
                roundEnd = nil
            }
        }
        return last ?? start.advanced(by: -1)
    }

    /// How many dates every period has, where all have the same number.
    private var datesPerPeriod: Int? {
        guard rule.positions.isEmpty else { return nil }
        switch rule.frequency {
        case .daily: return rule.days.isEmpty && rule.monthDays.isEmpty && rule.months.isEmpty ? 1 : nil
        case .weekly: return rule.months.isEmpty ? week.nonzeroBitCount : nil
        case .monthly: return rule.months.isEmpty && hasOneDayInEveryMonth ? 1 : nil
        case .yearly:
            let months =
                rule.monthDays.isEmpty && rule.months.isEmpty ? 1 : rule.months.isEmpty ? 12 : rule.months.count
            return rule.days.isEmpty && hasOneDayInEveryMonth ? months : nil
        }
    }

    /// Whether each month that the rule names has exactly one date: a number that no month lacks or SKIP makes up for, or
    /// a weekday that every month has so often.
    private var hasOneDayInEveryMonth: Bool {
        if rule.days.isEmpty {
            return rule.monthDays.count <= 1 && (abs(rule.monthDays.first ?? start.day) <= 28 || skip != .omit)
        }
        guard rule.monthDays.isEmpty, rule.days.count == 1, let ordinal = rule.days[0].ordinal else { return false }
        return abs(ordinal) <= 4
    }
}
