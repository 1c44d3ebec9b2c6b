// How many may ring at once.

import CivilTime

/// The sessions that there are. Nobody can answer more than so many, and there is a bound on everything; but nothing that
/// anybody could have made from bed may keep out what somebody has to get up for.
struct Crowd {
    var count: Int
    /// When that of all alarms that ring was saved that was saved last.
    private let youngest: Instant
    /// So long before a ring nothing that is set weakens it.
    private let lockSeconds: Int

    init(_ sessions: [Session], lockSeconds: Int) {
        (count, self.lockSeconds) = (sessions.count, lockSeconds)
        youngest = sessions.compactMap(\.alarmSince).max() ?? .earliest
    }

    /// The first thousand are for all alarms, the second for those with challenges, and the third for those of them that were
    /// there as they are before they were locked, or before something that rings.
    func hasRoom(for kept: KeptAlarm, at instant: Instant) -> Bool {
        if count < Ledger.sessionsMax { return true }
        guard !kept.alarm.challenges.isEmpty else { return false }
        let isOld = kept.since < max(youngest, instant.advanced(by: -lockSeconds))
        return count < (isOld ? 3 : 2) * Ledger.sessionsMax
    }
}
