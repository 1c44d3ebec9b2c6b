// Rings that their owner has put off: planned rings of the same occurrence at a later time.

import Alarms
import CivilTime

/// A ring that was put off. It is stored with its alarm until it rings or is missed.
package struct PostponedRing: Hashable, Sendable {
    /// The planned instant of the occurrence.
    package let ring: Instant
    /// The instant at which it rings.
    package let until: Instant
    package let layer: Layer

    package init(ring: Instant, until: Instant, layer: Layer) {
        (self.ring, self.until, self.layer) = (ring, until, layer)
    }
}

/// The rings of an alarm: those of its schedule that have not rung, and one that was put off.
package struct AlarmRings {
    private let schedule: Schedule
    private let rung: [Instant]
    private let postponed: PlannedRing?

    package init(_ schedule: Schedule, rung: [Instant], _ postponed: PostponedRing?) {
        (self.schedule, self.rung) = (schedule, rung)
        self.postponed = postponed.map { postponed in
            PlannedRing(
                occurrence: Occurrence(alarm: schedule.alarm, at: postponed.ring), at: postponed.until,
                date: schedule.zone.local(postponed.ring).date, layer: postponed.layer)
        }
    }

    /// Returns the first ring strictly after an instant.
    package func first(after instant: Instant) -> PlannedRing? {
        let planned = schedule.first(after: instant, but: rung)
        guard let postponed, postponed.at > instant, planned.map({ postponed.at <= $0.at }) ?? true else {
            return planned
        }
        return postponed
    }
}

extension AlarmBook {
    /// Puts a ring off. It counts as one that has rung. The cursor stays, because the ring may lie ahead.
    package mutating func postpone(_ id: Alarm.ID, _ postponed: PostponedRing, isInSnapshot: Bool) {
        change(id) { old in
            isInSnapshot
                ? old.with(postponed: .some(postponed))
                : old.leavingOut(postponed.ring).with(postponed: .some(postponed))
        }
    }

    /// Leaves out a ring that is done ahead of time. The cursor stays here as well.
    package mutating func leaveOut(_ ring: Occurrence) {
        change(ring.alarm) { $0.leavingOut(ring.at) }
        forgetPostponed(ring)
    }

    package mutating func forgetPostponed(_ occurrence: Occurrence) {
        change(occurrence.alarm) { $0.postponed?.ring == occurrence.at ? $0.with(postponed: .some(nil)) : $0 }
    }
}

extension AlarmEntry {
    package func leavingOut(_ ring: Instant) -> AlarmEntry {
        with(rung: rung.filter { $0 != ring } + [ring]) { $1.handleAnchor(at: ring) }
    }
}
