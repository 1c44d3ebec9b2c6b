// A planned ring: its alarm, its instant, and the layer that decided it.

import CivilTime
import Text

/// The level that decides whether an alarm rings on a date, and at which time.
public enum Layer: String, Choice {
    /// The alarm's time on the days of its base.
    case base
    /// The rule of the weekday.
    case weekly
    /// The entry of the date itself.
    case date
}

/// One ring of an alarm. Its planned instant identifies it, however late it rings.
public struct Occurrence: Hashable, Sendable, CustomStringConvertible {
    package let alarm: Alarm.ID
    /// The planned instant.
    package let at: Instant

    package init(alarm: Alarm.ID, at: Instant) {
        self.alarm = alarm
        self.at = at
    }

    /// The id and the instant.
    public var description: String { "\(alarm) at \(at)" }
}

/// A planned occurrence, with its date and its layer.
public struct PlannedRing: Hashable, Sendable {
    package let occurrence: Occurrence
    /// The instant at which it rings: later than the planned one if its owner has put it off.
    package let at: Instant
    /// The date of the plan. If the clocks go forward over midnight, the ring comes on the next date.
    package let date: CivilDate
    package let layer: Layer

    init(occurrence: Occurrence, date: CivilDate, layer: Layer) {
        self.init(occurrence: occurrence, at: occurrence.at, date: date, layer: layer)
    }

    package init(occurrence: Occurrence, at: Instant, date: CivilDate, layer: Layer) {
        (self.occurrence, self.at, self.date, self.layer) = (occurrence, at, date, layer)
    }

    package var isPostponed: Bool { at > occurrence.at }

    /// Returns the same occurrence at another instant.
    package func moved(to at: Instant) -> PlannedRing {
        PlannedRing(occurrence: occurrence, at: at, date: date, layer: layer)
    }
}
