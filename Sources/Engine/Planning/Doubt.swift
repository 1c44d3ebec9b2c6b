// What was saved while nobody knew the time.

import CivilTime

/// When it was saved, and what it is to do about what was due before.
struct Doubt: Hashable, Sendable {
    /// By the time since the machine was started.
    var savedUptime: Int
    /// A ring that was due before is late: its owner has changed something else of it.
    var countsOn: Bool
    /// Since when it was there before, if that is certain: nothing that was due earlier is.
    var madeSince: Instant?
}

/// What all alarms depend on, and was changed while nobody knew the time: when, by the time since the machine was started.
struct ChangesInDoubt: Hashable, Sendable {
    /// By name.
    var calendars: [String: Int] = [:]
    /// The master switch was switched on.
    var switchedOn: Int?
}
