// Promise 3, as far as commands could break it: nothing that is asked for is a way to escape an alarm that is locked.

import Alarms
import Engine

/// What a command does to an alarm that is locked, judged by what its owner was told before and is told now.
struct LockWatch {
    let before: Account
    let after: Account
    /// Whether it has not become another time since the command came in.
    let isTimely: Bool

    /// Whether a command was a way to escape an alarm that is locked. `ring` is the ring that was told before.
    func isEscape(_ id: Alarm.ID, from ring: Int?, to next: Int?) -> Bool {
        guard let old = before.alarms[id]?.alarm else { return false }
        if after.settings.isEasier(than: before.settings) { return true }
        if before.codes != after.codes,
            old.challenges.flatMap(\.labels).contains(where: { before.codes[$0] != after.codes[$0] })
        {
            return true
        }
        guard let new = after.alarms[id]?.alarm else { return true }
        if old.isEnabled, !new.isEnabled || !new.isAsHardAs(old) || !new.isAsLoudAs(old) { return true }
        guard isTimely, new != old || after.calendars != before.calendars, let ring else { return false }
        return next.map { $0 > ring } ?? true
    }
}

extension Settings {
    fileprivate func isEasier(than old: Settings) -> Bool {
        !isEnabled && old.isEnabled || zoneName != old.zoneName || lockSeconds < old.lockSeconds
            || hasEmergencyExit && !old.hasEmergencyExit || snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
    }
}
