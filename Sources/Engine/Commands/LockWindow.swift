// The lock window: the time before an alarm with challenges rings, until its session ends. In it the owner
// cannot make the alarm easier.

import Alarms
import CivilTime

extension Engine {
    /// Returns whether an alarm with challenges rings now or soon, and the owner has not unlocked that
    /// ring.
    func isLocked(_ entry: AlarmEntry) -> Bool {
        guard agenda.settings.lockSeconds > 0 else { return false }
        if sessions.all.contains(where: { $0.occurrence.alarm == entry.id && !$0.terms.challenges.isEmpty }) {
            return true
        }
        guard !entry.alarm.challenges.isEmpty, let next = agenda.nextToLock(entry)?.occurrence.at else { return false }
        return next <= clock.instant.advanced(by: agenda.settings.lockSeconds)
    }

    /// Returns whether the owner has completed the challenges of the next ring ahead of time.
    func isUnlocked(_ entry: AlarmEntry) -> Bool {
        agenda.due[entry.id].map { agenda.unlocked.contains($0.occurrence) } ?? false
    }

    /// Returns the time from which an alarm will be locked, or nil if it has no such time.
    func lockBegins(_ entry: AlarmEntry) -> Instant? {
        guard agenda.settings.lockSeconds > 0, !entry.alarm.challenges.isEmpty else { return nil }
        return agenda.due[entry.id]?.occurrence.at.advanced(by: -agenda.settings.lockSeconds)
    }

    var lockedAlarms: [AlarmEntry] {
        let soon = agenda.due.rings(until: clock.instant.advanced(by: agenda.settings.lockSeconds)).map(
            \.occurrence.alarm)
        let ids = sessions.all.map(\.occurrence.alarm) + soon
        return ids.compactMap { agenda.alarms[$0] }.filter(isLocked)
    }

    func refusal(_ entry: AlarmEntry, _ consequence: String) -> Refusal {
        .locked(entry.alarm.name, isOpen: sessions.all.contains { $0.occurrence.alarm == entry.id }, consequence)
    }

    /// Refuses to delete a locked alarm (nil), or to make it easier, quieter or later. Harder and earlier
    /// are always allowed.
    func refuseIfLocked(
        _ entry: AlarmEntry, becomes alarm: Alarm?, _ position: ScheduleState? = nil,
        in planningContext: PlanningContext? = nil
    ) throws(Refusal) {
        guard isLocked(entry) else { return }
        guard let alarm else { throw refusal(entry, "it cannot be deleted") }
        if let weakening = alarm.weakening(of: entry.alarm) { throw refusal(entry, weakening) }
        let schedule = (planningContext ?? agenda.planningContext).schedule(alarm, (position ?? entry.position).anchor)
        guard isLater(schedule, than: entry) else { return }
        if alarm.skipped != entry.alarm.skipped { throw refusal(entry, "that ring cannot be skipped") }
        if alarm.paused != entry.alarm.paused { throw refusal(entry, "it cannot be paused then") }
        throw refusal(entry, "its ring cannot be moved back or left out")
    }

    /// Refuses a change of zones, settings or calendars that makes a ring of this locked alarm later.
    func refuseIfLocked(_ entry: AlarmEntry, in planningContext: PlanningContext) throws(Refusal) {
        var moved: ScheduleState?
        if case .planMoved(_, let position)? = agenda.moves(passingNow: [entry], in: planningContext).first {
            moved = position
        }
        try refuseIfLocked(entry, becomes: entry.alarm, moved, in: planningContext)
    }

    /// Returns whether the new schedule delays or drops any ring within the lock window.
    private func isLater(_ schedule: Schedule, than entry: AlarmEntry) -> Bool {
        let limit = clock.instant.advanced(by: agenda.settings.lockSeconds)
        let first = agenda.nextToLock(entry)?.occurrence.at
        var (planned, last) = (first, clock.instant)
        while let at = planned, at <= limit || at == first {
            var next = schedule.first(after: last, but: entry.rung)?.occurrence
            // An unlocked ring cannot replace a locked one.
            while let open = next, agenda.unlocked.contains(open) {
                next = schedule.first(after: open.at, but: entry.rung)?.occurrence
            }
            guard let next, next.at <= at else { return true }
            last = next.at
            planned = agenda.ring(of: entry, after: at)?.occurrence.at
        }
        return false
    }
}
