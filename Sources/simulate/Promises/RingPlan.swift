// The plan of an alarm as its owner is shown it.

import Alarms
import CivilTime

/// The rings of an alarm as it is shown, if it is on, with the anchor that the engine keeps. `Schedule` gives them: its own tests
/// hold it to Python's zoneinfo and to libical, so the checks plan nothing a second time. Times are seconds since 1970.
///
/// Plans are compared and copied far more often than made, so copies share one.
final class RingPlan {
    let alarm: Alarm
    let anchor: Anchor?
    /// The zone's place among the simulated ones.
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

    /// The plan without the days that its owner has left out.
    var withoutDaysOff: RingPlan {
        var alarm = alarm
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        return RingPlan(alarm, anchor: anchor, zoneIndex: zoneIndex, calendar)
    }

    /// A ring at a second, past or to come.
    func ring(at second: Int) -> PlannedRing? {
        let ring = scheduleWithHandledAnchor.next(after: Instant(secondsSince1970: second - 1))
        return ring?.occurrence.second == second ? ring : nil
    }

    func contains(_ second: Int) -> Bool { ring(at: second) != nil }

    /// The first ring after a second that is still to come, by the anchor.
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
