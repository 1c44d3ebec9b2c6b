// What rings when the time has come, and when somebody has moved the hands.

/// Tells when one of the clocks shows a time, and when the clock is no longer what it was.
public protocol WakeTimer: Sendable {
    /// Asks to be told `due` as soon as one of the clocks shows what is said here, in the place of all that was asked before.
    /// A time that is over is due at once. Each of the two is told once.
    func set(wallMilliseconds: Int?, uptimeMilliseconds: Int?)

    /// What happens, for one listener. It may be told twice of the same, but what has happened since it listened last is
    /// never lost: of each kind the newest is still to come.
    var events: AsyncStream<TimerEvent> { get }
}

/// Something that whoever plans by a clock has to know.
public enum TimerEvent: Hashable, Sendable, CaseIterable {
    /// A time that was asked for has come. Never early: the clock shows it.
    case due
    /// The system's clock was set: it may show another time than it should by the other.
    case clockSet
    /// The machine may have been set to another zone.
    case zoneChanged
    /// The time is to be believed more, or less, than before.
    case trustChanged
}
