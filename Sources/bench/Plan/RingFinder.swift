// What every contender in finding the next ring can do, and how Rooster does it.

import Alarms
import CivilTime

/// Finds the next ring of one alarm.
protocol RingFinder {
    /// What it is called in the results.
    var name: String { get }
    /// The first ring strictly after `instant`.
    func next(after instant: Instant) -> Instant?
}

/// Rooster's own way.
struct ScheduleFinder: RingFinder {
    let name: String
    let schedule: Schedule

    func next(after instant: Instant) -> Instant? {
        schedule.next(after: instant)?.occurrence.at
    }
}
