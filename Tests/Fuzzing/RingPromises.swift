// The promises of rings, for any alarm and zone.

import Alarms
import CivilTime

/// Checks the first rings after `instant`. Each must be strictly later than its predecessor, and a query
/// from one second before must return the same ring. With `zoneMayBeMad` only the order is checked. In
/// damaged zone data, clocks can jump over more than a day and then show dates out of order. No country has
/// had that.
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

/// Checks the rings of a plan from `instant` on: ordered, none earlier, the first equal to `next`.
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
