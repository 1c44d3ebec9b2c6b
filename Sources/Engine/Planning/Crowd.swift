// How many may ring at once.

import CivilTime

/// The sessions that there are. Nobody can answer more than so many, and there is a bound on everything; but nothing that
/// anybody could have made from bed may keep out what somebody has to get up for.
struct Crowd {
    private var count: Int
    /// When the alarm was saved that was saved last of those that ring.
    private var youngest: Instant

    init(_ sessions: [Session]) {
        count = sessions.count
        youngest = sessions.compactMap(\.alarmSince).max() ?? .earliest
    }

    /// An alarm without challenges is one of the first thousand, one with them of the second, and what is older than
    /// something that rings is let in by all.
    func hasRoom(for kept: KeptAlarm) -> Bool {
        guard count >= Ledger.sessionsMax else { return true }
        guard !kept.alarm.challenges.isEmpty else { return false }
        return count < 2 * Ledger.sessionsMax || kept.since < youngest
    }

    mutating func add(_ kept: KeptAlarm) {
        count += 1
        youngest = max(youngest, kept.since)
    }
}
