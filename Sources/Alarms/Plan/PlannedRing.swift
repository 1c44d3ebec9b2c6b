// One ring to come: which alarm, when, and what decided it.

import CivilTime
import Text

/// What decided that an alarm rings on a date, and at what time.
public enum Layer: String, Choice {
    /// The alarm's time on the days it repeats.
    case base
    /// The rule of the weekday.
    case weekly
    /// The entry of the date itself.
    case date
}

/// One alarm ringing once. The instant it was planned for names it for ever, however late it rings.
public struct Occurrence: Hashable, Sendable, CustomStringConvertible {
    package let alarm: Alarm.ID
    /// When it was planned for.
    package let at: Instant

    package init(alarm: Alarm.ID, at: Instant) {
        self.alarm = alarm
        self.at = at
    }

    /// The id and the instant.
    public var description: String { "\(alarm) at \(at)" }
}

/// A ring that is planned.
public struct PlannedRing: Hashable, Sendable {
    package let occurrence: Occurrence
    /// The date it is for. Where the clocks are set forward over midnight, it rings on the next.
    package let date: CivilDate
    package let layer: Layer
}
