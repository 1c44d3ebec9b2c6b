// The last resort: something that makes a noise when no card does.

/// A buzzer on a line of its own.
public protocol Buzzer: Sendable {
    /// Pulses in that rhythm until it is told something else, or is silent. It returns at once.
    func buzz(_ rhythm: Rhythm?) throws(BuzzerError)
}

/// Why a buzzer does not do what it is told.
public enum BuzzerError: Error, Hashable, Sendable {
    /// The system says no to the line, in its own number.
    case line(String, errorNumber: Int32)
}
