// An alarm that was saved while nobody knew the time.

import CivilTime

/// When it was saved, and what it is to do about what was due before.
struct Doubt: Sendable {
    /// By the time since the machine was started.
    var savedUptime: Int
    /// When its intervals began, by the same and by the clock as it was when that was looked at last; nothing where that was not
    /// in this doubt.
    var begun: (uptime: Int, instant: Instant)?
    /// A ring that was due before is late: its owner has changed something else of it.
    var countsOn: Bool
    /// Since when it was there before, if that is certain: nothing that was due earlier is.
    var madeSince: Instant?
}
