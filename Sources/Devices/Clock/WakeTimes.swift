// What a timer was asked for.

/// The times at which somebody wants to be woken, by each of the clocks.
public struct WakeTimes: Hashable, Sendable {
    /// By the system's clock.
    public var wallMilliseconds: Int?
    /// By the time since the machine was started.
    public var uptimeMilliseconds: Int?

    /// These times.
    public init(wallMilliseconds: Int? = nil, uptimeMilliseconds: Int? = nil) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }

    /// Forgets what has come, and answers whether anything has.
    package mutating func removeDue(at reading: ClockReading) -> Bool {
        let isWallDue = wallMilliseconds.map { $0 <= reading.wallMilliseconds } ?? false
        let isUptimeDue = uptimeMilliseconds.map { $0 <= reading.uptimeMilliseconds } ?? false
        if isWallDue { wallMilliseconds = nil }
        if isUptimeDue { uptimeMilliseconds = nil }
        return isWallDue || isUptimeDue
    }
}
