// What a weekday or a date of its own says: ring then, or not at all.

import CivilTime

/// A rule for one day.
public enum DayRule: Hashable, Sendable {
    /// It does not ring.
    case off
    /// It rings at another time.
    case at(ClockTime)

    /// When the alarm rings; nil where it does not.
    package var time: ClockTime? {
        switch self {
        case .off: nil
        case .at(let time): time
        }
    }
}

extension DayRule: LosslessStringConvertible {
    /// Reads `off`, `HH:MM` or `HH:MM:SS`.
    public init?(_ description: String) {
        if description == "off" {
            self = .off
        } else if let time = ClockTime(description) {
            self = .at(time)
        } else {
            return nil
        }
    }

    /// `off` or the time.
    public var description: String {
        switch self {
        case .off: "off"
        case .at(let time): time.description
        }
    }
}
