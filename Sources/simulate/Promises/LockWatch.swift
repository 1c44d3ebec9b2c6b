// Promise 3, as far as commands could break it: nothing that is asked for is a way to escape an alarm that is locked.

import Alarms
import CivilTime
import Engine

/// Judges what is asked for by what would come of it.
struct LockWatch {
    let watcher: Watcher
    let unlocked: [Alarm.ID: Set<Int>]
    let now: Int

    private var account: Account { watcher.account }
    private var sessions: SessionWatch { watcher.sessions }

    /// An alarm is locked a little later than it is, so that nobody argues about the last minute.
    private static let slackSeconds = 60

    /// The rings that this may be a way to escape; of what is answered now, those that it was.
    func escaped(
        by command: Command, skipping date: CivilDate? = nil, _ world: World, answered line: RequestWatch.Line? = nil
    ) -> Set<Occurrence> {
        guard account.settings.lockSeconds > 0 else { return [] }
        var trial = account
        trial.apply(command, skipping: date ?? command.dayToSkip(watcher.told))
        var escaped: Set<Occurrence> = []
        for (id, kept) in account.alarms {
            guard let ring = lockedRing(kept.alarm) else { continue }
            let next = world.engine.alarm(id)?.next?.occurrence.second ?? .max
            let isLater = line.map { !$0.isOvertaken(world) && next > ring && ring * 1000 > now } ?? true
            if isEscape(command, kept.alarm, trial, isLater: isLater && ring != .max) {
                escaped.insert(Occurrence(id, ring == .max ? 0 : ring))
            }
        }
        return escaped
    }

    private func isUnlocked(_ occurrence: Occurrence) -> Bool {
        unlocked[occurrence.alarm]?.contains(occurrence.at.secondsSince1970) == true
    }

    /// The next ring of an alarm that is locked; a past one where it rings and has no other.
    private func lockedRing(_ alarm: Alarm) -> Int? {
        let next = watcher.told.next(alarm.id) { !isUnlocked($0) && watcher.mayRing($0) }
        if sessions.isOpen(alarm.id) { return next ?? Int.max }
        guard !alarm.challenges.isEmpty, alarm.isEnabled, let next,
            next * 1000 <= now + (account.settings.lockSeconds - LockWatch.slackSeconds) * 1000
        else { return nil }
        return next
    }

    private func isEscape(_ command: Command, _ old: Alarm, _ trial: Account, isLater: Bool) -> Bool {
        switch command {
        case .saveSettings, .configure, .restore: if trial.settings.isEasier(than: account.settings) { return true }
        default: break
        }
        if trial.codes != account.codes,
            old.challenges.flatMap(\.labels).contains(where: { trial.codes[$0] != account.codes[$0] })
        {
            return true
        }
        guard let new = trial.alarms[old.id]?.alarm else { return true }
        if old.isEnabled, !new.isEnabled || !new.isAsHard(as: old) { return true }
        return isLater && (new != old || trial.calendars != account.calendars)
    }
}

extension Alarm {
    /// Whether nothing of it is easier than it was.
    fileprivate func isAsHard(as old: Alarm) -> Bool { isAsHardAs(old) && isAsLoudAs(old) }
}

extension Settings {
    fileprivate func isEasier(than old: Settings) -> Bool {
        !isEnabled && old.isEnabled || zoneName != old.zoneName || lockSeconds < old.lockSeconds
            || hasEmergencyExit && !old.hasEmergencyExit || snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
    }
}

/// The world's own record of what was done to unlock an alarm before it rings.
struct UnlockWatch {
    /// What is being unlocked, and what was done for it.
    private var begun: (alarm: Alarm.ID, work: Work)?
    /// The alarms that are unlocked, and ahead of which of their rings.
    private(set) var unlocked: [Alarm.ID: Set<Int>] = [:]

    /// An alarm is to be unlocked.
    mutating func begin(_ alarm: Alarm, _ assignment: Assignment) {
        if begun?.alarm != alarm.id { begun = (alarm.id, Work(alarm.challenges)) }
        ask(assignment)
    }

    /// Somebody was told what is next.
    mutating func ask(_ assignment: Assignment) {
        begun?.work.draw(assignment)
        begun?.work.ask(assignment)
    }

    mutating func willGive(
        _ input: Input, codes: [String: EnrolledCode], at now: Int, ring: (Alarm.ID, Set<Int>) -> Int?
    ) {
        guard let alarm = begun?.alarm else { return }
        begun?.work.take(input, codes: codes, at: now)
        guard begun?.work.isDone == true else { return }
        if let ring = ring(alarm, unlocked[alarm] ?? []) { unlocked[alarm, default: []].insert(ring) }
        forget()
    }

    /// Something rings now: what was begun is for nothing.
    mutating func forget() {
        begun = nil
    }

    mutating func died() {
        forget()
        unlocked = [:]
    }
}
