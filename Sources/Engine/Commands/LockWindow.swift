// From a while before an alarm that has challenges until its session ends, nothing may be done to escape it.

import Alarms
import CivilTime

extension Engine {
    /// Whether an alarm rings soon or rings, and has challenges, and they have not been done ahead.
    func isLocked(_ kept: KeptAlarm) -> Bool {
        guard ledger.settings.lockSeconds > 0 else { return false }
        let id = kept.alarm.id
        if ledger.sessions.contains(where: { $0.occurrence.alarm == id && !$0.terms.challenges.isEmpty }) {
            return true
        }
        guard !kept.alarm.challenges.isEmpty, let next = due[id]?.occurrence.at else { return false }
        return next <= clock.instant.advanced(by: ledger.settings.lockSeconds) && unlocked[id] != next
    }

    /// All alarms that are locked.
    var lockedAlarms: [KeptAlarm] {
        guard ledger.settings.lockSeconds > 0 else { return [] }
        let soon = due.rings(until: clock.instant.advanced(by: ledger.settings.lockSeconds)).map(\.occurrence.alarm)
        let ids = ledger.sessions.map(\.occurrence.alarm) + soon
        return ids.compactMap { ledger.alarms[$0] }.filter(isLocked)
    }

    func refusal(_ kept: KeptAlarm) -> Refusal { .locked(alarm: kept.alarm.id, label: kept.alarm.label) }

    /// Refuses what would be a way to escape a locked alarm; to make it harder or earlier is always allowed. `alarm` is
    /// what is to become of it; nothing for it to be gone.
    func refuseIfLocked(_ kept: KeptAlarm, becomes alarm: Alarm?) throws(Refusal) {
        guard isLocked(kept) else { return }
        guard let alarm, alarm.isEnabled, !isLater(alarm, than: kept), alarm.isAsHardAs(kept.alarm) else {
            throw refusal(kept)
        }
    }

    private func isLater(_ alarm: Alarm, than kept: KeptAlarm) -> Bool {
        guard let planned = due[kept.alarm.id]?.occurrence.at else { return false }
        return next(of: alarm).map { $0.occurrence.at > planned } ?? true
    }
}

extension Alarm {
    /// Whether everything that had to be done to stop the other must be done to stop this, in the same order.
    fileprivate func isAsHardAs(_ other: Alarm) -> Bool {
        var rest = challenges[...]
        for challenge in other.challenges {
            guard let index = rest.firstIndex(where: { $0.isAsHardAs(challenge) }) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }
}

extension Challenge {
    fileprivate func isAsHardAs(_ other: Challenge) -> Bool {
        switch (task, other.task) {
        case (.code(let mine), .code(let others)), (.tag(let mine), .tag(let others)):
            // One more code may be one beside the bed.
            !mine.isEmpty && Set(mine).isSubset(of: others)
        case (.sums(let level, let count, let limit), .sums(let otherLevel, let otherCount, let otherLimit)):
            level >= otherLevel && count >= otherCount && limit <= otherLimit
        case (.steps(let count), .steps(let otherCount)): count >= otherCount
        case (.pattern(let length), .pattern(let otherLength)): length >= otherLength
        default: task == other.task
        }
    }
}
