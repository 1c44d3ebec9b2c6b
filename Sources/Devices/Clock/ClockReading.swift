// What the machine's clocks show.

/// Both of the machine's clocks, read at once.
public struct ClockReading: Hashable, Sendable {
    /// What the system's clock shows, in milliseconds since 1970-01-01T00:00:00Z. It may be wrong, and it may be set.
    public var wallMilliseconds: Int
    /// Milliseconds since the machine was started, time spent suspended included. It only goes forward.
    public var uptimeMilliseconds: Int

    /// Clocks that show these.
    public init(wallMilliseconds: Int, uptimeMilliseconds: Int) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}
