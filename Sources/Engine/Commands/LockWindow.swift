// From a while before an alarm that has challenges until its session ends, nothing may be done to escape it.

import Alarms
import CivilTime

extension Engine {
    /// Whether an alarm rings soon or rings, and has challenges, and they have not been done ahead.
    func isLocked(_ entry: AlarmEntry) -> Bool {
        guard ledger.settings.lockSeconds > 0 else { return false }
        if sessions.all.contains(where: { $0.occurrence.alarm == entry.id && !$0.terms.challenges.isEmpty }) {
            return true
        }
        guard !entry.alarm.challenges.isEmpty, let next = nextToLock(entry)?.occurrence.at else { return false }
        return next <= clock.instant.advanced(by: ledger.settings.lockSeconds)
    }

    /// The next ring of an alarm ahead of which its challenges have not been done.
    func nextToLock(_ entry: AlarmEntry) -> PlannedRing? {
        var next = due[entry.id]
        while let ring = next, isUnlocked(ring.occurrence) {
            next = self.ring(of: entry, after: ring.occurrence.at)
        }
        return next
    }

    /// Whether its challenges have been done ahead of the ring that comes next.
    func isUnlocked(_ entry: AlarmEntry) -> Bool {
        due[entry.id].map { isUnlocked($0.occurrence) } ?? false
    }

    private func isUnlocked(_ occurrence: Occurrence) -> Bool {
        unlocked[occurrence.alarm]?.contains(occurrence.at) == true
    }

    /// Its challenges have been done ahead of the next ring that locks it.
    mutating func unlocked(_ entry: AlarmEntry) {
        guard let ring = nextToLock(entry)?.occurrence.at else { return }
        // What is over needs no lock.
        let others = unlocked[entry.id, default: []].filter { $0 > clock.instant }
        unlocked[entry.id] = others.union([ring])
    }

    /// When an alarm that is not locked is going to be; nothing if that is not to be seen.
    func lockBegins(_ entry: AlarmEntry) -> Instant? {
        guard ledger.settings.lockSeconds > 0, !entry.alarm.challenges.isEmpty else { return nil }
        return due[entry.id]?.occurrence.at.advanced(by: -ledger.settings.lockSeconds)
    }

    /// All alarms that are locked.
    var lockedAlarms: [AlarmEntry] {
        let soon = due.rings(until: clock.instant.advanced(by: ledger.settings.lockSeconds)).map(\.occurrence.alarm)
        let ids = sessions.all.map(\.occurrence.alarm) + soon
        return ids.compactMap { ledger.alarms[$0] }.filter(isLocked)
    }

    /// Notes when an alarm is to be locked before a ring.
    mutating func planLock(_ entry: AlarmEntry, _ ring: PlannedRing?) {
        let isNoted = ring.map { ring in locksNotedUntil.map { ring.occurrence.at <= $0 } ?? false } ?? true
        locks.plan(entry.id, isNoted || entry.alarm.challenges.isEmpty ? nil : ring, place: entry.place)
    }

    /// When the next alarm is to be locked.
    mutating func nextLock() -> Instant? {
        guard ledger.settings.lockSeconds > 0 else { return nil }
        return locks.first().map { $0.occurrence.at.advanced(by: -ledger.settings.lockSeconds) }
    }

    /// Writes down that alarms are locked from now on. After a power cut a machine without a clock of its own knows no more
    /// than that it is later than what was written down last: without this, pulling the plug would open the lock.
    mutating func watchLocks() {
        guard let begins = nextLock(), begins <= clock.instant, let first = locks.first() else { return }
        let until = clock.instant.advanced(by: ledger.settings.lockSeconds)
        locksNotedUntil = until
        while let ring = locks.first(), ring.occurrence.at <= until { locks.plan(ring.occurrence.alarm, nil, place: 0) }
        note(.lockBegan(first.occurrence))
    }

    func refusal(_ entry: AlarmEntry) -> Refusal {
        .locked(entry.alarm.name, isOpen: sessions.all.contains { $0.occurrence.alarm == entry.id })
    }

    /// Refuses what would be a way to escape a locked alarm; to make it harder or earlier is always allowed. `alarm` is
    /// what is to become of it, and where in its plan it would be then; nil for it to be gone.
    func refuseIfLocked(
        _ entry: AlarmEntry, becomes alarm: Alarm?, _ position: PlanPosition? = nil, in almanac: Almanac? = nil
    ) throws(Refusal) {
        guard isLocked(entry) else { return }
        guard let alarm, alarm.isEnabled, alarm.isAsHardAs(entry.alarm), alarm.isAsLoudAs(entry.alarm) else {
            throw refusal(entry)
        }
        let schedule = (almanac ?? self.almanac).schedule(alarm, (position ?? entry.position).anchor)
        guard !isLater(schedule, than: entry) else { throw refusal(entry) }
    }

    /// The same of an alarm of which nothing changes but the days that it goes by.
    func refuseIfLocked(_ entry: AlarmEntry, in almanac: Almanac) throws(Refusal) {
        var moved: PlanPosition?
        if case .planMoved(_, let position)? = moves(passingNow: [entry], in: almanac).first { moved = position }
        try refuseIfLocked(entry, becomes: entry.alarm, moved, in: almanac)
    }

    /// Whether any ring that is near enough to be locked would come later, or not at all.
    private func isLater(_ schedule: Schedule, than entry: AlarmEntry) -> Bool {
        let limit = clock.instant.advanced(by: ledger.settings.lockSeconds)
        let first = nextToLock(entry)?.occurrence.at
        var (planned, last) = (first, clock.instant)
        while let at = planned, at <= limit || at == first {
            var next = schedule.first(after: last, but: entry.rung)?.occurrence
            // A ring that is unlocked takes no other's place.
            while let open = next, isUnlocked(open) {
                next = schedule.first(after: open.at, but: entry.rung)?.occurrence
            }
            guard let next, next.at <= at else { return true }
            last = next.at
            planned = ring(of: entry, after: at)?.occurrence.at
        }
        return false
    }
}
