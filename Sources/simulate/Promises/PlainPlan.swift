// When an alarm rings, found the long way: day by day, each day by the layers as the owner is told of them.

import Alarms
import CivilTime

/// The rings of an alarm as it is shown, with the day that Rooster fixed. It shares no code with the engine's planner, and
/// knows what the alarms of the nights can say and no more. Days are counted since 1970, seconds too.
struct PlainPlan: Equatable {
    /// What it is made of. Plans are compared and handed on far more often than they are made.
    final class Rule: Sendable {
        let alarm: Alarm
        let zone: PlainZone
        let calendar: DayCalendar?

        init(_ alarm: Alarm, _ zone: PlainZone, _ calendar: DayCalendar?) {
            (self.alarm, self.zone, self.calendar) = (alarm, zone, calendar)
        }
    }

    var rule: Rule
    /// Whether the master switch is on.
    var isHouseOn: Bool
    /// Whether the day of a one-time alarm shows its time twice, and it is told for the second: it was set between them.
    var isSecondInFold = false
    /// Whether the one day of a one-time alarm had its turn: its base plans nothing more, in another zone neither.
    var isAnchorOver = false

    /// No alarm of the nights has its next ring further away.
    static let daysAhead = 100

    static func == (one: PlainPlan, other: PlainPlan) -> Bool {
        one.isHouseOn == other.isHouseOn && one.isSecondInFold == other.isSecondInFold
            && one.isAnchorOver == other.isAnchorOver
            && (one.rule === other.rule
                || one.zone == other.zone && one.calendar == other.calendar && one.alarm == other.alarm)
    }

    var alarm: Alarm { rule.alarm }
    var zone: PlainZone { rule.zone }
    var calendar: DayCalendar? { rule.calendar }

    var isOn: Bool { alarm.isEnabled && isHouseOn }

    /// All rings from one second to another, the earliest first.
    func rings(_ seconds: ClosedRange<Int>) -> [Int] {
        guard isOn else { return [] }
        return (zone.day(at: seconds.lowerBound) - 1...zone.day(at: seconds.upperBound) + 1)
            .compactMap { ring(on: $0) }.filter(seconds.contains).sorted()
    }

    /// Whether a second is one at which it rings, were it on.
    func contains(_ second: Int) -> Bool {
        let day = zone.day(at: second)
        return (day - 1...day + 1).contains { ring(on: $0) == second } || isSecondInFold(second)
    }

    /// Whether a second is the latter of two at which a one-time alarm can ring on its day. Which it takes, nobody judges here.
    func isSecondInFold(_ second: Int) -> Bool {
        guard let time = alarm.time, let day = onceDay, ring(on: day) != nil else { return false }
        let (first, last) = zone.seconds(of: day, time.secondsSinceMidnight)
        return second == last && first < last
    }

    /// The first ring after a second that is one of these.
    func first(after second: Int, where isMeant: (Int) -> Bool = { _ in true }) -> Int? {
        guard isOn else { return nil }
        let today = zone.day(at: second)
        for day in today - 1...today + PlainPlan.daysAhead {
            // A ring that a gap has moved over midnight may be behind the next day's own.
            let rings = [day, day + 1].compactMap { ring(on: $0) }.filter { $0 > second && isMeant($0) }
            if let first = rings.min() { return first }
        }
        return nil
    }

    /// When it rings on a day.
    func ring(on day: Int) -> Int? {
        let date = CivilDate(dayNumber: day)
        guard !alarm.skipped.contains(date) else { return nil }
        let time: ClockTime?
        if let rule = alarm.dates[date] {
            time = rule.time
        } else if calendar?.counts(date) == false || alarm.paused.contains(date) {
            time = nil
        } else if let rule = alarm.weekly[date.weekday] {
            time = rule.time
        } else {
            time = hasBase(on: day) ? alarm.time : nil
        }
        return time.map { time in
            let (first, second) = zone.seconds(of: day, time.secondsSinceMidnight)
            return isSecondInFold && day == onceDay ? second : first
        }
    }

    // MARK: the base

    /// The one day of a one-time alarm's base.
    var onceDay: Int? { alarm.recurrence == nil ? day : nil }

    /// The day that is named or fixed.
    var day: Int? { (alarm.date ?? alarm.anchor)?.dayNumber }

    /// Whether the base rings on a day.
    private func hasBase(on day: Int) -> Bool {
        guard alarm.time != nil else { return false }
        guard let rule = alarm.recurrence else { return onceDay == day && !isAnchorOver }
        let weekday = CivilDate(dayNumber: day).weekday
        guard rule.days.isEmpty || rule.days.contains(where: { $0.weekday == weekday }) else { return false }
        guard rule.countsFromStart else { return alarm.start.map { $0.dayNumber <= day } ?? true }
        guard let start = (alarm.start ?? alarm.anchor)?.dayNumber else { return false }
        let isCounted = rule.end != .never
        if day < start, alarm.start != nil || isCounted { return false }
        if rule.frequency == .weekly, rule.days.isEmpty, (day - start) % 7 != 0 { return false }
        // Weeks begin on Monday, and the first day of 1970 was a Thursday.
        let periods = rule.frequency == .weekly ? (day + 3) / 7 - (start + 3) / 7 : day - start
        if case .count(let count) = rule.end, periods / rule.interval >= count { return false }
        return periods % rule.interval == 0
    }

    // MARK: the day that Rooster fixes

    /// Whether Rooster is to fix a day that its owner did not name.
    var needsAnchor: Bool {
        guard alarm.time != nil else { return false }
        guard let rule = alarm.recurrence else { return alarm.date == nil }
        return alarm.start == nil && rule.countsFromStart
    }
}

extension Recurrence {
    /// Whether it gives other days when it starts on another.
    fileprivate var countsFromStart: Bool { interval > 1 || end != .never || frequency != .daily && days.isEmpty }
}

extension Alarm {
    /// Without the day that Rooster fixed: what its owner has said of it.
    var withoutAnchor: Alarm {
        var alarm = self
        alarm.anchor = nil
        return alarm
    }

    /// Whether both say the same of when they ring.
    func hasWhen(of other: Alarm) -> Bool {
        time == other.time && date == other.date && start == other.start && recurrence == other.recurrence
            && weekly == other.weekly && dates == other.dates && calendarName == other.calendarName
            && zoneName == other.zoneName
    }

    /// Whether it rings on a day that it does not repeat: it switches itself off after its last ring.
    var isOneTime: Bool { recurrence == nil && time != nil && !weekly.values.contains { $0 != .off } }

    /// Whether nobody can make an alarm of it.
    var isMistaken: Bool { label.count > 200 || time == nil && weekly.isEmpty && dates.isEmpty }

    /// Without its days left out.
    var leavingNothingOut: Alarm {
        var alarm = self
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        return alarm
    }
}
