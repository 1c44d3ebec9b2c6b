// The days on which an alarm does not ring although some of its rules would ring, and why.
//
// A calendar view shows more than rings: "Fri off", "skipped", "paused", and the usual time beside a date's
// own. The rules are those of BEHAVIOUR 1.2. A day is left out if the alarm does not ring on it, and would
// without one or more of the rules that only take rings away. The reason is the first rule in the order of
// 1.2 that decides. `instead` is the ring that the rules below it give.

import CivilTime
import Text

/// A day on which an alarm does not ring, and the first rule that decides so.
package struct LeftOutDay: Hashable, Sendable {
    package enum Reason: String, Choice, Hashable, Sendable {
        /// The alarm, or the master switch, is off.
        case off
        case skip
        /// The date's own entry is `off`.
        case date
        case pause, calendar
        /// The weekday's own rule is `off`.
        case weekday
    }

    package let alarm: Alarm.ID
    package let date: CivilDate
    package let reason: Reason
    /// The ring without the rule; nil if the rules below it give none either.
    package let instead: PlannedRing?
}

/// An alarm's schedules with and without each of its rules, in one planning context.
package struct ScheduleLayers {
    private let alarm: Alarm
    private let anchor: Anchor?
    private let context: PlanningContext
    private let isOff: Bool
    /// The alarm without all rules that only take rings away.
    package let everyDay: Schedule
    private let actual: Schedule

    package init(_ alarm: Alarm, _ anchor: Anchor?, in context: PlanningContext) {
        (self.alarm, self.anchor, self.context) = (alarm, anchor, context)
        isOff = !alarm.isEnabled || !context.settings.isEnabled
        actual = context.schedule(alarm, anchor)
        var everyDay = alarm
        (everyDay.skipped, everyDay.paused, everyDay.calendarName) = (DateSet(), DateSet(), nil)
        everyDay.dates = alarm.dates.filter { $0.value != .off }
        everyDay.weekly = alarm.weekly.filter { $0.value != .off }
        self.everyDay = context.schedule(everyDay, anchor)
    }

    /// Returns whether any rule of the alarm takes rings away. Most alarms have none.
    package static func canLeaveOut(_ alarm: Alarm, in context: PlanningContext) -> Bool {
        let hasDaysOff = !alarm.skipped.isEmpty || !alarm.paused.isEmpty || alarm.calendarName != nil
        let isOff = !alarm.isEnabled || !context.settings.isEnabled
        return isOff || hasDaysOff || (Array(alarm.dates.values) + alarm.weekly.values).contains(.off)
    }

    /// Returns the day of a ring of `everyDay` if the alarm does not ring on it.
    package func leftOut(_ date: CivilDate) -> LeftOutDay? {
        guard isOff || actual.ring(on: date) == nil else { return nil }
        let (reason, below): (LeftOutDay.Reason, Alarm) =
            if isOff {
                (.off, alarm)
            } else if alarm.skipped.contains(date) {
                (.skip, changed { $0.skipped = DateSet() })
            } else if alarm.dates[date] == .off {
                (.date, changed { $0.dates = [:] })
            } else if alarm.paused.contains(date) {
                (.pause, changed { $0.paused = DateSet() })
            } else if alarm.weekly[date.weekday] == .off, isCounted(date) {
                (.weekday, changed { $0.weekly = [:] })
            } else {
                (.calendar, changed { $0.calendarName = nil })
            }
        return LeftOutDay(
            alarm: alarm.id, date: date, reason: reason, instead: context.schedule(below, anchor).ring(on: date))
    }

    /// Returns the ring that the layers below a ring's own would give on its date, or nil if they give none.
    package func below(_ ring: PlannedRing) -> PlannedRing? {
        switch ring.layer {
        case .base: nil
        case .weekly: context.schedule(changed { ($0.weekly, $0.dates) = ([:], [:]) }, anchor).ring(on: ring.date)
        case .date: context.schedule(changed { $0.dates = [:] }, anchor).ring(on: ring.date)
        }
    }

    private func isCounted(_ date: CivilDate) -> Bool {
        alarm.calendarName.flatMap { context.calendars[$0] }?.counts(date) ?? true
    }

    private func changed(_ change: (inout Alarm) -> Void) -> Alarm {
        var alarm = alarm
        change(&alarm)
        return alarm
    }
}

extension Schedule {
    /// Returns the ring of a date, or nil if the alarm does not ring on it.
    package func ring(on date: CivilDate) -> PlannedRing? {
        // A gap may move a ring over midnight, so the search begins a day earlier.
        var last = zone.instants(of: CivilDateTime(date, .midnight)).first.advanced(by: -86_400)
        while let ring = next(after: last), ring.date <= date {
            if ring.date == date { return ring }
            last = ring.occurrence.at
        }
        return nil
    }
}
