// The context in which alarms are planned: zones, settings and day calendars.

import CivilTime

/// The present zones, settings and day calendars, or those that a change would make.
package struct PlanningContext: Sendable {
    package var zones: Zones
    package var settings: Settings
    package var calendars: [String: DayCalendar]

    package init(zones: Zones, settings: Settings, calendars: [String: DayCalendar]) {
        (self.zones, self.settings, self.calendars) = (zones, settings, calendars)
    }

    package func zone(of alarm: Alarm) -> Zone { zones.zone(of: alarm, settings) }

    private func calendar(of alarm: Alarm) -> DayCalendar? { alarm.calendarName.flatMap { calendars[$0] } }

    package func schedule(_ alarm: Alarm, _ anchor: Anchor?) -> Schedule {
        Schedule(alarm, in: zone(of: alarm), calendar: calendar(of: alarm), anchor: anchor)
    }

    /// Returns the anchor of an alarm whose rings count after an instant, or nil if it needs none or has no
    /// such ring.
    package func anchor(of alarm: Alarm, after instant: Instant, rung: [Instant]) -> Anchor? {
        Schedule.anchor(
            of: alarm, in: zone(of: alarm), calendar: calendar(of: alarm), after: instant, isHandled: rung.contains)
    }

    /// Returns the anchor that another device fixed on a date, or nil if it has no ring to come.
    package func anchor(imported date: CivilDate, for alarm: Alarm, after instant: Instant) -> Anchor? {
        guard alarm.needsAnchor else { return nil }
        let schedule = schedule(alarm, Anchor(date))
        guard let next = schedule.next(after: instant) else { return nil }
        // If the next ring is on a later day, the other device handled the anchor's own day.
        var anchor = Anchor(date, at: next.occurrence.at)
        if next.date > date { anchor.handledAt = instant }
        return anchor
    }
}

extension Schedule {
    /// Returns the first ring strictly after an instant that is not in `rung`.
    package func first(after instant: Instant, but rung: [Instant]) -> PlannedRing? {
        var ring = next(after: instant)
        while let found = ring, rung.contains(found.occurrence.at) { ring = next(after: found.occurrence.at) }
        return ring
    }
}
