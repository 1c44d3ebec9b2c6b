// The plan of an alarm as its owner is shown it.

import Alarms
import CivilTime

/// The rings of an alarm as it is shown, with the day that Rooster fixed. `Schedule` gives them: its own tests hold it to Python's
/// zoneinfo and to libical, so the checks plan nothing a second time. Times are seconds since 1970.
struct RingPlan: Equatable {
    /// All that the rings depend on except the master switch. It is shared, for plans are copied far more often than made.
    final class RingRule: Equatable {
        let alarm: Alarm
        /// The zone's place among the simulated ones.
        let zoneIndex: Int
        let calendar: DayCalendar?
        fileprivate lazy var schedule = schedule { _ in }
        fileprivate lazy var scheduleInSecondHour = schedule { $0.isSecondInFold = true }
        fileprivate lazy var scheduleWithoutAnchor = schedule { $0.handledAt = .earliest }

        init(_ alarm: Alarm, zoneIndex: Int, _ calendar: DayCalendar?) {
            (self.alarm, self.zoneIndex, self.calendar) = (alarm, zoneIndex, calendar)
        }

        static func == (one: RingRule, other: RingRule) -> Bool {
            one === other
                || one.zoneIndex == other.zoneIndex && one.calendar == other.calendar && one.alarm == other.alarm
        }

        private func schedule(_ change: (inout Anchor) -> Void) -> Schedule {
            let anchor = (alarm.recurrence == nil ? alarm.date ?? alarm.anchor : alarm.anchor).map { day in
                var anchor = Anchor(day)
                change(&anchor)
                return anchor
            }
            return Schedule(alarm, in: SimulatedZones.all[zoneIndex], calendar: calendar, anchor: anchor)
        }
    }

    var rule: RingRule
    var isHouseOn: Bool
    /// Whether a one-time alarm rings at the second of two times that its day has: it was saved between the two.
    var isSecondInFold = false
    /// Whether the anchor's ring of a one-time alarm is over.
    var isAnchorOver = false

    var alarm: Alarm { rule.alarm }

    var isOn: Bool { alarm.isEnabled && isHouseOn }

    var withAnchor: RingPlan {
        var plan = self
        plan.isAnchorOver = false
        return plan
    }

    private var schedule: Schedule {
        isAnchorOver ? rule.scheduleWithoutAnchor : isSecondInFold ? rule.scheduleInSecondHour : rule.schedule
    }

    /// Whether it would ring at a second, if it were on.
    func contains(_ second: Int) -> Bool { ring(at: second) != nil || isSecondInFold(second) }

    func ring(at second: Int) -> PlannedRing? {
        let ring = schedule.next(after: Instant(secondsSince1970: second - 1))
        return ring?.occurrence.second == second ? ring : nil
    }

    /// Whether a second is the latter of two at which a one-time alarm can ring on its day.
    func isSecondInFold(_ second: Int) -> Bool {
        guard !isAnchorOver, alarm.recurrence == nil else { return false }
        var later = self
        (later.isSecondInFold, later.isAnchorOver) = (true, false)
        var earlier = self
        earlier.isSecondInFold = false
        return later.ring(at: second) != nil && earlier.ring(at: second) == nil
    }

    func first(after second: Int, where isMeant: (Int) -> Bool = { _ in true }) -> Int? {
        guard isOn else { return nil }
        let schedule = schedule
        var last = Instant(secondsSince1970: second)
        for _ in 0..<RingPlan.ringsMax {
            guard let ring = schedule.next(after: last) else { return nil }
            last = ring.occurrence.at
            if isMeant(ring.occurrence.second) { return ring.occurrence.second }
        }
        return nil
    }

    /// The bound of the search: no alarm of the nights has had more past rings ahead of its next one.
    private static let ringsMax = 100

    /// The ring of a one-time alarm's anchor, past or to come, if it were on.
    var anchorSecond: Int? {
        guard alarm.recurrence == nil, alarm.time != nil, let day = alarm.date ?? alarm.anchor else { return nil }
        let schedule = isSecondInFold ? rule.scheduleInSecondHour : rule.schedule
        var last = Instant(secondsSince1970: (day.dayNumber - 2) * 86_400)
        while let ring = schedule.next(after: last), ring.date <= day {
            if ring.date == day { return ring.occurrence.second }
            last = ring.occurrence.at
        }
        return nil
    }
}

extension Sequence<Occurrence> {
    func last(of id: Alarm.ID) -> Occurrence? { filter { $0.alarm == id }.max { $0.at < $1.at } }
}

extension Occurrence {
    init(_ alarm: Alarm.ID, _ second: Int) { self.init(alarm: alarm, at: Instant(secondsSince1970: second)) }

    var second: Int { at.secondsSince1970 }
}
