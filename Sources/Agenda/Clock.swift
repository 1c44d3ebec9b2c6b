// The best-known time and its trust.

import CivilTime

/// The system's clock and its trust. After a power cut, a machine without a hardware clock shows the time at
/// which it stopped, or an earlier one. An untrusted time counts as no earlier than the newest record.
package struct Clock: Sendable {
    /// True if the system reports that a time server or a hardware clock has set the clock.
    package private(set) var isTrusted = false
    /// Milliseconds since the machine was started: a monotonic clock, time asleep included.
    package private(set) var uptime = 0
    /// The best-known time, in milliseconds since 1970.
    package private(set) var now = 0
    /// The lead of the best-known time over the system's clock, in milliseconds.
    private var ahead = 0
    /// The wall time at boot by the present clock. It changes only when the clock is set.
    private var wallAtStart: Int?

    /// A number that changes whenever the clock is set.
    package private(set) var version = 0

    /// The largest adjustment in milliseconds between two readings. A clock that jumps by more was set.
    package static let creepMax = 500

    /// A step of the best-known time, in milliseconds since 1970.
    package struct Step: Hashable, Sendable {
        /// The time that the clock would show without the step.
        package let from: Int
        package let to: Int

        package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

        package var instant: Instant { Instant(milliseconds: to) }

        package var fromInstant: Instant { Instant(milliseconds: from) }
    }

    /// Reads the clocks; `newest` is the time of the newest record. Returns a jump of the best-known time.
    mutating func update(at moment: Moment, newest: Int) -> Step? {
        let elapsed = max(0, moment.uptimeMilliseconds - uptime)
        let expected = now + elapsed
        uptime += elapsed
        let wall = moment.wallMilliseconds
        let start = wall - moment.uptimeMilliseconds
        let wasSet = wallAtStart.map { abs(start - $0) > Clock.creepMax } ?? true
        let isFirst = wallAtStart == nil
        wallAtStart = start
        if wasSet, !isTrusted { ahead = max(0, newest - wall) }
        now = wall + ahead
        guard wasSet, !isFirst, abs(now - expected) > Clock.creepMax else { return nil }
        version += 1
        return Step(from: expected, to: now)
    }

    mutating func trust(_ isTrusted: Bool) {
        self.isTrusted = isTrusted
        if isTrusted, ahead > 0 {
            now -= ahead
            ahead = 0
            version += 1
        }
    }

    /// True if the system's clock shows less than the newest record, and has not been set since.
    package var hasGoneBack: Bool { !isTrusted && ahead > Clock.creepMax }

    package var instant: Instant { Instant(milliseconds: now) }

    /// Returns the reading of the system's clock when the best-known time is `milliseconds`.
    package func wall(_ milliseconds: Int) -> Int { milliseconds - ahead }
}
