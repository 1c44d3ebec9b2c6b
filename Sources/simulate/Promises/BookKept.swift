// An alarm in the people's own account: as it was acknowledged, and since when it counts as far as they can know.

import Alarms
import CivilTime
import Engine

extension Book {
    /// An alarm as it was acknowledged.
    struct Kept {
        var alarm: Alarm
        /// The day that it was then.
        var today: CivilDate
        /// It was asked for at the first, and acknowledged at the last: somewhere between these it began to count.
        var since: ClosedRange<Int>
        /// The day that its intervals count from.
        var start = StartDay.since
        /// The same as `since` before the clock was set back behind it: from then on it counts again if that clock was wrong.
        var savedAt: ClosedRange<Int>?
        /// All that this has been, for a restart that does not know how the clock was set.
        var sinceUnkept: ClosedRange<Int>?
        /// Whether a restart does not know that the clock is right again.
        var isRightUnkept = false
        /// Whether a restart does not know when it was saved: when the time is known it counts from a while ago.
        var isDoubtLost = false
        /// Whether the clock was set between when it was asked for and when it was done: what that has switched on or off by
        /// then nobody can tell from outside.
        var isRaced = false
        /// Whether a restart does not know that the time is known since it was saved.
        var isTrustUnkept = false
        /// The same by the world's time, while the clock that it was saved by was not to be trusted.
        var doubt: ClosedRange<Int>?
        /// The one ring of its base, if that has begun.
        var spent: Occurrence?
        /// These days were left out, and are over though they are left out no longer, as far as they were until then.
        var over: (days: [DateSet], until: Int)?
        /// Whether what was due before that may be late still.
        var mayOwe = false
        /// Until when nobody can know whether its rings count, by the best-known clock.
        var uncertainUntil: Int?
        /// Whether nobody knows whether its base counts still.
        var isBaseUnsure = false
        var isCertain: Bool { uncertainUntil == nil && !isBaseUnsure }
        /// Counts how often its owner has changed it.
        var version = 0
        /// What switched it off, if its owner did not.
        var off: Off?
    }

    /// What switches an alarm off that has no ring left.
    enum Off {
        case rung
        /// That was its last ring, in seconds since 1970.
        case missed(Int)
    }
}

extension Book.Kept {
    mutating func isUncertain(until now: Int) { uncertainUntil = max(uncertainUntil ?? now, now) }

    /// The clock was set: it counts from another time.
    mutating func counts(since new: ClosedRange<Int>) {
        let old = sinceUnkept ?? since
        sinceUnkept = min(old.lowerBound, new.lowerBound)...max(old.upperBound, new.upperBound)
        since = new
    }
}
