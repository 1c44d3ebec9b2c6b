// The lock window: the time before an alarm with challenges rings, until its session ends. In it the owner
// cannot make the alarm easier.

import Agenda
import Alarms
import CivilTime
import Text

/// The event that ends the lock of an alarm.
package enum LockEnd: Hashable, Sendable {
    case nextRing, openRing
    /// The answer to the open wake-up check, with the local time from which it asks; nil if it asks now.
    case check(asksMilliseconds: Int, ClockTime?)
}

extension Engine {
    /// Returns whether an alarm with challenges rings now or soon, and the owner has not unlocked that
    /// ring.
    func isLocked(_ entry: AlarmEntry) -> Bool {
        guard agenda.settings.lockSeconds > 0 else { return false }
        if sessions.all.contains(where: { $0.occurrence.alarm == entry.id && !$0.terms.challenges.isEmpty }) {
            return true
        }
        guard !entry.alarm.challenges.isEmpty, let next = agenda.nextToLock(entry)?.at else { return false }
        return entry.alarm.earliest(next) <= clock.instant.advanced(by: agenda.settings.lockSeconds)
    }

    /// Returns whether the owner has completed the challenges of the next ring ahead of time.
    func isUnlocked(_ entry: AlarmEntry) -> Bool {
        agenda.due[entry.id].map { agenda.unlocked.contains($0.occurrence) } ?? false
    }

    /// Returns the time from which an alarm will be locked, or nil if it has no such time.
    func lockBegins(_ entry: AlarmEntry) -> Instant? {
        guard agenda.settings.lockSeconds > 0, !entry.alarm.challenges.isEmpty else { return nil }
        let next = agenda.nextToLock(entry)?.at
        return next.map { entry.alarm.earliest($0).advanced(by: -agenda.settings.lockSeconds) }
    }

    /// Returns the same for an alarm by its id.
    package func lockBegins(_ id: Alarm.ID) -> Instant? { agenda.alarms[id].flatMap { lockBegins($0) } }

    var lockedAlarms: [AlarmEntry] {
        let seconds = agenda.settings.lockSeconds + Alarm.Limits.earlySeconds.upperBound
        let soon = agenda.due.rings(until: clock.instant.advanced(by: seconds)).map(\.occurrence.alarm)
        let ids = sessions.all.map(\.occurrence.alarm) + soon
        return ids.compactMap { agenda.alarms[$0] }.filter(isLocked)
    }

    /// Returns the refusal of a change to a locked alarm. `consequence` names the change.
    func refusal(_ entry: AlarmEntry, _ consequence: String, _ problems: [Problem] = []) -> Refusal {
        .locked(entry.alarm.name, until: lockEnd(entry), consequence, problems)
    }

    private func lockEnd(_ entry: AlarmEntry) -> LockEnd {
        guard let session = sessions[alarm: entry.id] else { return .nextRing }
        guard let asked = session.askedUptime else { return .openRing }
        let milliseconds = clock.now + asked - clock.uptime
        let time = session.asks(at: clock.uptime) ? nil : zone.local(Instant(milliseconds: milliseconds)).time
        return .check(asksMilliseconds: milliseconds, time)
    }

    /// Refuses to delete a locked alarm (nil), or to make it easier, quieter or later. Harder and earlier
    /// are always allowed.
    func refuseIfLocked(
        _ entry: AlarmEntry, becomes alarm: Alarm?, _ position: ScheduleState? = nil,
        in planningContext: PlanningContext? = nil
    ) throws(Refusal) {
        guard isLocked(entry) else { return }
        guard let alarm else { throw refusal(entry, "it cannot be deleted") }
        var easings = alarm.easings(from: entry.alarm)
        let schedule = (planningContext ?? agenda.planningContext).schedule(alarm, (position ?? entry.position).anchor)
        // A new schedule has no ring that was put off.
        let isSame = position.map { $0.revision == entry.position.revision } ?? true
        let rings = AlarmRings(
            schedule, rung: isSame ? entry.rung : entry.rungForNewSchedule, isSame ? entry.postponed : nil)
        if isLater(rings, than: entry) { easings.append(alarm.delay(of: entry.alarm)) }
        guard let first = easings.first else { return }
        throw refusal(entry, first.text, easings.map(\.problem))
    }

    /// Refuses a change of zones, settings or calendars that makes a ring of this locked alarm later.
    func refuseIfLocked(_ entry: AlarmEntry, in planningContext: PlanningContext) throws(Refusal) {
        let moved = agenda.moves(passingNow: [entry], in: planningContext).first?.position
        try refuseIfLocked(entry, becomes: entry.alarm, moved, in: planningContext)
    }

    /// Returns whether the new schedule delays or drops any ring within the lock window.
    private func isLater(_ rings: AlarmRings, than entry: AlarmEntry) -> Bool {
        let limit = clock.instant.advanced(by: agenda.settings.lockSeconds + entry.alarm.earlySeconds)
        let first = agenda.nextToLock(entry)?.at
        var (planned, last) = (first, clock.instant)
        while let at = planned, at <= limit || at == first {
            var next = rings.first(after: last)
            // An unlocked ring cannot replace a locked one.
            while let open = next, agenda.unlocked.contains(open.occurrence) {
                next = rings.first(after: open.at)
            }
            guard let next, next.at <= at else { return true }
            last = next.at
            planned = agenda.ring(of: entry, after: at)?.at
        }
        return false
    }
}

extension Alarm {
    /// Names the change from the old alarm by which its next ring is later.
    fileprivate func delay(of old: Alarm) -> Easing {
        if skipped != old.skipped { return Easing("that ring", Problem("skipped", "cannot be skipped")) }
        if paused != old.paused { return Easing("it", Problem("paused", "cannot be paused then")) }
        return Easing("its ring", Problem(time == old.time ? "" : "time", "cannot be moved back or left out"))
    }
}
