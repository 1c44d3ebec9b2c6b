// The clock on the wall, and the zone that it stands in.

/// Tells the time.
public protocol WallClock: Sendable {
    /// What the clocks show now.
    var reading: ClockReading { get }
    /// How far the time can be believed, now.
    var trust: ClockTrust { get }
    /// The name of the zone that the machine is set to, now.
    var zoneName: String { get }
}
