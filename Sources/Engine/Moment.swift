// When something happens, by both of the machine's clocks.

/// A point in time, as the machine sees it.
public struct Moment: Hashable, Sendable {
    /// What the system's clock shows, in milliseconds since 1970-01-01T00:00:00Z. It may be wrong, and it may be set.
    public var wallMilliseconds: Int
    /// Milliseconds since the machine was started, time spent suspended included. It only goes forward.
    public var uptimeMilliseconds: Int

    /// A moment at which the clocks show these.
    public init(wallMilliseconds: Int, uptimeMilliseconds: Int) {
        self.wallMilliseconds = wallMilliseconds
        self.uptimeMilliseconds = uptimeMilliseconds
    }
}

/// When the engine wants to be called if nothing else happens: as soon as one of the clocks shows what it says. It wants no
/// call for a clock that it names no time of.
public struct Wake: Hashable, Sendable {
    /// By the system's clock: alarms are set by it.
    public var wallMilliseconds: Int?
    /// By the time since the machine was started: snoozes and whatever else simply takes so long.
    public var uptimeMilliseconds: Int?
    /// When something will be heard next, or the speaker is to be opened for it, by either clock: a machine that sleeps is
    /// to be awake by then.
    public var soundWallMilliseconds: Int?
    /// The same by the time since the machine was started.
    public var soundUptimeMilliseconds: Int?

    /// No call at all.
    public init() {}

    mutating func byUptime(_ milliseconds: Int?) {
        guard let milliseconds else { return }
        uptimeMilliseconds = min(uptimeMilliseconds ?? .max, milliseconds)
    }

    mutating func byWall(_ milliseconds: Int?) {
        guard let milliseconds else { return }
        wallMilliseconds = min(wallMilliseconds ?? .max, milliseconds)
    }
}
