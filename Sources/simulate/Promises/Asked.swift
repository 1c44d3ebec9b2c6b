// What somebody asks for, as the people of the house know it.

import CivilTime
import Engine

/// Something that somebody asks for, and when that was.
struct Asked {
    var command: Command
    /// From when it was asked for until it was done, by the best-known clock.
    var span: ClosedRange<Int>
    /// The same by the clock before it was set back, if it was done by then.
    var savedAt: ClosedRange<Int>?
    /// The same by the world's time, where the clock is not to be trusted.
    var doubt: ClosedRange<Int>?
    /// Whether nobody knew the time from when it was asked for until it was done; nothing where that changed.
    var isTimeUnknown: Bool? = false
    /// Whether the clock was set between.
    var isRaced = false
    /// The machine's zone, and what it was when it was asked for.
    var zoneIndex: Int
    var zoneIndexBefore: Int?
    /// Whether it was acknowledged: of what was not, nobody knows since when it counts.
    var isCertain = true
    /// Whether nobody knows any more how long ago it was asked for by a clock that nobody trusted.
    var isDoubtLost = false
    /// The day of the alarm's next ring.
    var nextDate: CivilDate?
    /// Whether the alarm was off when it was asked for.
    var wasOff: Bool?
    /// From which day its intervals were shown to count then.
    var shownStart: CivilDate?
}
