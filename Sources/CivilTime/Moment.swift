// Readings of the machine's two clocks, and times to wake at.

/// A point in time: a reading of both of the machine's clocks, taken together.
package struct Moment: Hashable, Sendable {
    /// The system's clock, in milliseconds since 1970-01-01T00:00:00Z. It may be wrong, and it may be set.
    package var wallMilliseconds: Int
    /// Milliseconds since the machine was started, including suspended time. The uptime never goes back.
    package var uptimeMilliseconds: Int

    package init(wallMilliseconds: Int, uptimeMilliseconds: Int) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}

/// The times of a wake-up, by each of the clocks; nil for none.
package struct WakeTimes: Hashable, Sendable {
    /// The time on the system's clock.
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
