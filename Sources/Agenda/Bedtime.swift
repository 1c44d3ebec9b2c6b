// Bedtime: a reminder in the evening.

import Alarms
import CivilTime

/// The bedtime of which the owner is reminded next. Neither a restart nor a small step of the clock repeats one.
package struct Bedtime: Sendable {
    package private(set) var next: Instant?
    /// The bedtimes up to this instant were given or dropped, or are older than the setting.
    package private(set) var handled: Instant?

    /// A bedtime that is late by more than this is dropped.
    package static let lateSecondsMax = 3600

    mutating func handle(until instant: Instant) { handled = instant }

    /// A clock that is set back by hours reaches the bedtime of another day.
    mutating func setBack(by step: Clock.Step) {
        guard step.from - step.to > AlarmBook.setBackMillisecondsMax else { return }
        handled = handled.map { min($0, step.instant.advanced(by: -Bedtime.lateSecondsMax)) }
    }

    mutating func plan(_ settings: Settings, in zone: Zone, now: Instant) {
        guard !settings.bedtime.isEmpty else { return next = nil }
        var alarm = Alarm(id: "bedtime")
        alarm.weekly = settings.bedtime
        let earliest = now.advanced(by: -Bedtime.lateSecondsMax - 1)
        next = Schedule(alarm, in: zone).next(after: max(earliest, handled ?? earliest))?.occurrence.at
    }
}
