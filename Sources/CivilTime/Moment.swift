// The two clocks of a machine: what they show, and when to wake by them.

/// A point in time by both of the machine's clocks, read at once.
package struct Moment: Hashable, Sendable {
    /// The system's clock, in milliseconds since 1970-01-01T00:00:00Z. It may be wrong, and it may be set.
    package var wallMilliseconds: Int
    /// The uptime: milliseconds since the machine was started, time asleep included. It is monotonic.
    package var uptimeMilliseconds: Int

    package init(wallMilliseconds: Int, uptimeMilliseconds: Int) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}

/// The times of a wake-up, by each of the clocks; nil for none.
package struct WakeTimes: Hashable, Sendable {
    /// By the system's clock.
    package var wallMilliseconds: Int?
    /// By the uptime.
    package var uptimeMilliseconds: Int?

    package init(wallMilliseconds: Int? = nil, uptimeMilliseconds: Int? = nil) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }

    /// Removes the times that have come. Returns whether any has.
    package mutating func removeDue(at moment: Moment) -> Bool {
        let isWallDue = wallMilliseconds.map { $0 <= moment.wallMilliseconds } ?? false
        let isUptimeDue = uptimeMilliseconds.map { $0 <= moment.uptimeMilliseconds } ?? false
        if isWallDue { wallMilliseconds = nil }
        if isUptimeDue { uptimeMilliseconds = nil }
        return isWallDue || isUptimeDue
    }
}
