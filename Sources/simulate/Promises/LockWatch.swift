// Promise 3, as far as commands could break it: nothing that is asked for is a way to escape an alarm that is locked.

import Alarms
import CivilTime
import Engine

/// Judges what is asked for by what would come of it.
struct LockWatch {
    let book: Book
    let due: DueWatch
    let sessions: SessionWatch
    let unlocked: [Alarm.ID: Set<Int>]
    let now: Int

    /// An alarm is locked a little later than it is, so that nobody argues about the last minute.
    private static let slackSeconds = 60

    /// The alarms that this would be a way to escape.
    func escaped(by command: Command, _ world: World) -> Set<Alarm.ID> {
        guard book.settings.lockSeconds > 0 else { return [] }
        let trial = trial(command, world)
        var escaped: Set<Alarm.ID> = []
        for (id, kept) in book.alarms {
            guard let ring = lockedRing(kept) else { continue }
            if isEscape(command, kept, ring, trial, world) { escaped.insert(id) }
        }
        return escaped
    }

    /// What would come of it.
    private func trial(_ command: Command, _ world: World) -> Book {
        var trial = book
        trial.apply(Asked(command: command, span: now...now, zoneIndex: world.zoneIndex))
        return trial
    }

    /// The sessions that it must wait for.
    func mustWait(for command: Command, _ world: World) -> Set<Occurrence> {
        switch command {
        case .enrol, .forget: Set(sessions.open.keys)
        case .restore: trial(command, world).codes == book.codes ? [] : Set(sessions.open.keys)
        default: []
        }
    }

    private func isUnlocked(_ occurrence: Occurrence) -> Bool {
        unlocked[occurrence.alarm]?.contains(occurrence.at.secondsSince1970) == true
    }

    private func isKnown(_ occurrence: Occurrence) -> Bool { sessions.hasRung(occurrence) || due.wasMissed(occurrence) }

    /// The next ring of an alarm that is locked; a past one where it rings and has no other.
    private func lockedRing(_ kept: Book.Kept) -> Int? {
        let alarm = kept.alarm
        let next = due.next(alarm.id, after: now) { isKnown($0) || isUnlocked($0) }
        if sessions.isOpen(alarm.id) { return next.flatMap { $0.isSure ? $0.second : nil } ?? Int.max }
        guard !alarm.challenges.isEmpty, alarm.isEnabled, let next, next.isSure,
            next.second * 1000 <= now + (book.settings.lockSeconds - LockWatch.slackSeconds) * 1000
        else { return nil }
        return next.second
    }

    private func isEscape(
        _ command: Command, _ kept: Book.Kept, _ ring: Int, _ trial: Book, _ world: World
    ) -> Bool {
        let old = kept.alarm
        switch command {
        case .skip(old.id): return ring != Int.max && old.isEnabled
        case .saveSettings, .configure, .restore: if trial.settings.isEasier(than: book.settings) { return true }
        default: break
        }
        if old.labels.contains(where: { trial.codes[$0] != book.codes[$0] }) { return true }
        guard let new = trial.alarms[old.id] else { return true }
        if old.isEnabled, !new.alarm.isEnabled || !new.alarm.isAsHard(as: old) { return true }
        guard ring != Int.max,
            new.version != kept.version || new.alarm != old || trial.calendars != book.calendars
        else { return false }
        return due.firstRing(old.id, after: now, trial, world) { isKnown($0) }.map { $0.second > ring } ?? true
    }
}

extension Alarm {
    /// The names of the codes and tags that it can be stopped by.
    fileprivate var labels: Set<String> {
        func labels(_ challenge: Challenge) -> [String] {
            switch challenge.task {
            case .code(let labels), .tag(let labels): labels
            case .roulette(let choices): choices.flatMap(labels)
            default: []
            }
        }
        return Set(challenges.flatMap(labels))
    }

    /// Whether nothing of it is easier than it was.
    fileprivate func isAsHard(as old: Alarm) -> Bool {
        challenges.count >= old.challenges.count && pieceCount >= old.pieceCount
            && (challenges.count > old.challenges.count || labels.isSubset(of: old.labels))
            && ring.volume >= old.ring.volume && ring.rampSeconds <= old.ring.rampSeconds
            && ring.ringSeconds >= old.ring.ringSeconds && lateWindowSeconds >= old.lateWindowSeconds
            && snooze.seconds <= old.snooze.seconds && snooze.max ?? .max <= old.snooze.max ?? .max
    }

    /// How much there is to do, all in all.
    private var pieceCount: Int {
        challenges.reduce(0) { sum, challenge in
            switch challenge.task {
            case .sums(let level, let count, _): sum + level * count
            case .steps(let count): sum + count
            case .pattern(let length): sum + length
            default: sum + 1
            }
        }
    }
}

extension Settings {
    fileprivate func isEasier(than old: Settings) -> Bool {
        !isEnabled && old.isEnabled || zoneName != old.zoneName || lockSeconds < old.lockSeconds
            || hasEmergencyExit && !old.hasEmergencyExit || snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
    }
}
