// What is promised of rings, whatever alarm and zone they come from.

import Alarms
import CivilTime

/// The first rings after `instant`: each strictly later than the one before and, unless the zone is mad, the same from
/// wherever it is asked. Clocks that jump over more than a day, which damaged zone data may have and no country ever had,
/// show dates out of order; of the rings around such a jump only the order is promised.
@discardableResult
func promiseRings(
    of schedule: Schedule, after instant: Instant, count: Int, zoneMayBeMad: Bool = false
) throws(BrokenPromise) -> [PlannedRing] {
    var rings: [PlannedRing] = []
    var asked = instant
    while rings.count < count, let ring = schedule.next(after: asked) {
        let at = ring.occurrence.at
        try promise(at > asked, "asked after \(asked), it rings at \(at)")
        try promise(
            zoneMayBeMad || schedule.next(after: at.advanced(by: -1)) == ring,
            "asked after \(asked) it rings at \(at), but not when asked a second before")
        rings.append(ring)
        asked = at
    }
    return rings
}

/// The rings of a plan from `instant` on: in order, none before, and the first is the one that `next` answers.
func promiseRings(of plan: Plan, from instant: Instant, count: Int) throws(BrokenPromise) {
    var previous: PlannedRing?
    for ring in plan.rings(from: instant, until: .latest).prefix(count) {
        let at = ring.occurrence.at
        try promise(at >= instant && at < .latest, "a ring at \(at) is outside the interval from \(instant)")
        if let previous {
            try promise(previous.occurrence.at <= at, "\(ring.occurrence) comes behind \(previous.occurrence)")
            try promise(previous.occurrence != ring.occurrence, "\(ring.occurrence) twice")
        } else if instant > .earliest {
            try promise(
                plan.next(after: instant.advanced(by: -1)) == ring, "\(ring.occurrence) is not what rings next")
        }
        previous = ring
    }
}
