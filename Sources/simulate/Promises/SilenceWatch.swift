// Promises about the silences of sessions: each has a reason, and ends in time.

import Alarms
import Engine

extension SessionWatch {
    /// Checks that a session is silent only by the rules, and no longer than they allow.
    mutating func watchSilence(
        _ tracked: inout TrackedSession, _ before: TrackedSession, _ night: Simulation, _ checker: InvariantChecker
    ) {
        let occurrence = tracked.session.occurrence
        guard tracked.isSilent else {
            if !isRestarted, tracked.session.snoozeCount < before.session.snoozeCount {
                if !buttons.areDown { checker.report(.silence, "\(occurrence) was given a snooze back") }
                tracked.snoozeCount -= before.isSilent ? 1 : 0
            }
            return tracked.silence = nil
        }
        let phase = tracked.status.phase
        let isOther = tracked.silence?.phase != phase
        if !before.isSilent || tracked.silence == nil || isOther && (isRestarted || phase == .checking) {
            tracked.silence = silence(tracked, before, night, checker)
            if phase == .resting { tracked.restCount += 1 }
            if phase == .snoozed { countSnooze(&tracked, checker) }
        } else if isOther {
            checker.report(.silence, "the reason why \(occurrence) is silent has changed")
        }
        guard let silence = tracked.silence else { return }
        if phase == .snoozed, checker.journal.model.open[occurrence]?.snoozeCount ?? 0 < tracked.session.snoozeCount {
            checker.report(.silence, "\(occurrence) is snoozed, but a power cut would lose the snooze")
        }
        // The remaining pause counts from the last published state.
        if night.published.at + (tracked.status.leftMilliseconds ?? 0) > silence.deadline + 1000 {
            checker.report(.silence, "\(occurrence) has too long a pause")
        }
        if silence.deadline + 1000 <= night.now {
            let promise: Promise = phase == .checking ? .checks : .silence
            checker.report(promise, "\(occurrence) is silent after its deadline")
        }
    }

    /// Counts a new snooze, and checks that there are no more than the alarm allows.
    private func countSnooze(_ tracked: inout TrackedSession, _ checker: InvariantChecker) {
        let occurrence = tracked.session.occurrence
        if !isRestarted { tracked.snoozeCount += 1 }
        if let max = tracked.session.terms.snooze.max, tracked.snoozeCount > max {
            checker.report(.silence, "\(occurrence) was snoozed \(tracked.snoozeCount) times")
        }
        if tracked.session.snoozeCount < tracked.snoozeCount {
            checker.report(
                .silence,
                "\(occurrence) was snoozed \(tracked.snoozeCount) times, but \(tracked.session.snoozeCount) are counted"
            )
        }
    }

    /// Returns the record of a new silence. If there is no reason for it, reports a violation and returns
    /// nil.
    mutating func silence(
        _ tracked: TrackedSession, _ before: TrackedSession, _ night: Simulation, _ checker: InvariantChecker
    ) -> Silence? {
        let occurrence = tracked.session.occurrence
        let terms = tracked.session.terms
        if tracked.status.phase == .checking { return checkSilence(tracked, night, checker) }
        if tracked.status.phase == .resting {
            let since = before.unansweredSince(at: night.now) ?? night.now
            let isKnown = isRestarted && checker.journal.model.open[occurrence]?.restCount ?? 0 > 0
            // A restart may find a resting session without later records.
            if !isKnown, before.isSilent || night.now - since < tracked.ringMilliseconds - 1000 {
                checker.report(.ending, "\(occurrence) rests after \(night.now - since) ms")
            }
            return Silence(.resting, milliseconds: terms.restMilliseconds, night)
        }
        // A restart may find a snooze that a slow disk committed after its refusal.
        let lengths = tracked.asks.compactMap { ask -> Int? in
            let bounds = terms.snoozeBounds
            let own = terms.snooze.seconds
            let wanted = terms.challenges.isEmpty ? ask.seconds ?? own : min(ask.seconds ?? own, own)
            let length = 1000 * min(max(wanted, bounds.lowerBound), bounds.upperBound)
            let isTimely =
                isRestarted ? diedAt - ask.at < length : night.now - ask.at <= Silence.graceMilliseconds
            return isTimely ? length : nil
        }
        // A restart may have lost the end of the pause.
        let isLeft =
            isRestarted && checker.journal.wasBehind
            && checker.journal.model.open[occurrence]?.snoozeCount ?? 0 > 0
        let longest = lengths.max() ?? (isLeft ? terms.snoozeBounds.upperBound * 1000 : nil)
        if longest == nil { checker.report(.silence, "\(occurrence) is silent without a reason") }
        return longest.map { Silence(.snoozed, milliseconds: $0, night) }
    }
}
