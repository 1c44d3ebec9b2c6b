// Where COUNT ends: the date after which a recurrence gives no more.

import CivilTime

extension RecurrenceDays {
    /// The last of the first `count` dates, or of fewer where the calendar ends before.
    ///
    /// It goes through the periods one by one, until it has met all kinds of them; then it leaves out whole rounds. A rule
    /// with few dates would otherwise lead it through all the centuries of the calendar.
    func lastDate(count: Int) -> CivilDate? {
        var left = count
        var last: CivilDate?
        var step = 0
        // The start cuts the first period short, so a round begins with the second.
        let roundStart = promisingStep(after: 0)
        var leftAtRoundStart = count
        while var days = days(ofStep: step) {
            // SKIP may have moved a day of the period before to where this one has one.
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
