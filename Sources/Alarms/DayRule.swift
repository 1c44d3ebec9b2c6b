// The rule of one weekday or date: a time, or no ring.

import CivilTime

/// A rule for one day.
public enum DayRule: Hashable, Sendable {
    /// The alarm does not ring.
    case off
    case at(ClockTime)

    /// The time of the ring; nil if the alarm does not ring.
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
