// An alarm that was saved while nobody knew the time.

import CivilTime

/// When it was saved, and what it is to do about what was due before.
struct Doubt: Hashable, Sendable {
    /// By the time since the machine was started.
    var savedUptime: Int
    /// When its intervals began, by the same; nothing where that was before a restart, and nobody knows how long ago.
    var begunUptime: Int?
    /// A ring that was due before is late: its owner has changed something else of it.
    var countsOn: Bool
    /// Since when it was there before, if that is certain: nothing that was due earlier is.
    var madeSince: Instant?
}
