// The plan of an alarm as its owner sees it.

import Alarms
import CivilTime

/// The rings of an alarm as shown, if it is on, with the engine's anchor. Times are seconds since 1970.
///
/// `Schedule` computes them. Its tests compare it with Python's zoneinfo and libical, so the checks use it.
/// Plans are compared and copied far more often than made, so copies share one.
final class RingPlan {
    let alarm: Alarm
    let anchor: Anchor?
    /// The index of the zone in `SimulatedZones.all`.
    let zoneIndex: Int
    let calendar: DayCalendar?
    private lazy var schedule = schedule(anchor)
    private lazy var scheduleWithHandledAnchor = schedule(
        anchor.map { anchor in
            var anchor = anchor
            anchor.handledAt = nil
            return anchor
        })

    init(_ alarm: Alarm, anchor: Anchor?, zoneIndex: Int, _ calendar: DayCalendar?) {
        (self.alarm, self.anchor, self.zoneIndex, self.calendar) = (alarm, anchor, zoneIndex, calendar)
    }

    private func schedule(_ anchor: Anchor?) -> Schedule {
        Schedule(alarm, in: SimulatedZones.all[zoneIndex], calendar: calendar, anchor: anchor)
    }

    /// The plan without skips and pauses.
    var withoutDaysOff: RingPlan {
        var alarm = alarm
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        return RingPlan(alarm, anchor: anchor, zoneIndex: zoneIndex, calendar)
    }

    /// Returns the ring at a second, past or future, or nil if there is none.
    func ring(at second: Int) -> PlannedRing? {
        let ring = scheduleWithHandledAnchor.next(after: Instant(secondsSince1970: second - 1))
        return ring?.occurrence.second == second ? ring : nil
    }

    func contains(_ second: Int) -> Bool { ring(at: second) != nil }

    /// Returns the first ring after a second that is still to come by the anchor, or nil.
    func first(after second: Int) -> Int? {
        schedule.next(after: Instant(secondsSince1970: second))?.occurrence.second
    }
}

extension RingPlan: Equatable {
    static func == (one: RingPlan, other: RingPlan) -> Bool {
        one === other
            || one.zoneIndex == other.zoneIndex && one.anchor == other.anchor && one.calendar == other.calendar
                && one.alarm == other.alarm
    }
}

extension Sequence<Occurrence> {
    func last(of id: Alarm.ID) -> Occurrence? { filter { $0.alarm == id }.max { $0.at < $1.at } }
}

extension Occurrence {
    init(_ alarm: Alarm.ID, _ second: Int) { self.init(alarm: alarm, at: Instant(secondsSince1970: second)) }

    var second: Int { at.secondsSince1970 }
}
