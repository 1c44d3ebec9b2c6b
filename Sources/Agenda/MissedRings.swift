// Rings that were missed.

import Alarms
import CivilTime
import Text

/// Consecutive missed occurrences of one alarm, grouped as one.
package struct MissedRings: Hashable, Sendable {
    /// The last missed occurrence.
    package var occurrence: Occurrence
    /// The instant of the first one.
    package var first: Instant
    package var label: String
    package var lateWindowSeconds: Int
    package var revision: Int
    /// True if this miss switches off the alarm: a one-time alarm with no ring left.
    package var switchesOff: Bool
    package var reason = Reason.tooLate
    /// The alarm's note and category.
    package var note = ""
    package var category = ""
    /// The layer of a ring that was put off; `first` is then the instant at which it would have rung.
    package var postponedLayer: Layer?

    package enum Reason: String, Choice, Hashable, Sendable {
        /// It was too old when Rooster could ring again, or when the clock was set past it.
        case tooLate
        /// As many alarms as Rooster holds were ringing already.
        case tooManyRings
    }

    /// The ring that was put off and missed; nil for any other.
    package var postponed: PostponedRing? {
        postponedLayer.map { PostponedRing(ring: occurrence.at, until: first, layer: $0) }
    }

    /// The instant of the last missed ring.
    package var last: Instant { max(first, occurrence.at) }

    package init(
        occurrence: Occurrence, first: Instant, label: String, lateWindowSeconds: Int, revision: Int,
        switchesOff: Bool
    ) {
        (self.occurrence, self.first, self.label) = (occurrence, first, label)
        (self.lateWindowSeconds, self.revision, self.switchesOff) = (lateWindowSeconds, revision, switchesOff)
    }
}
