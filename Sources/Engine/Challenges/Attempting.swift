// Which challenge is being done, and what follows when it is.

import Alarms

extension Engine {
    /// The session's first open challenge begins, unless it has begun already.
    mutating func beginAttempt(_ session: Session, isAsked: Bool = true) {
        attempts.begin(session, isAsked: isAsked, now: clock.now, at: clock.uptime)
    }

    mutating func keepAttempt() {
        if attempts.update(sessions, agenda.alarms, preflight.camera, at: clock.uptime) {
            told.isStatusStale = true
        }
        let areButtonsBroken = preflight.health[.buttons]?.grade == .broken
        if attempts.beginsUnasked(areButtonsBroken: areButtonsBroken), let session = sessions.current {
            beginAttempt(session, isAsked: false)
        }
    }

    /// Somebody wants to change an alarm that is locked, and does its challenges first.
    mutating func unlock(_ id: Alarm.ID, _ asking: Asking) {
        guard let kept = agenda.alarms[id] else { return reply(.refused(.noSuchAlarm(id)), to: asking) }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: asking) }
        guard isLocked(kept) else {
            return reply(.done(isUnlocked(kept) ? .done : .notLocked(until: lockBegins(kept))), to: asking)
        }
        switch attempts.unlock(kept.alarm, seed: agenda.nextToLock(kept)?.seed ?? 0, at: clock.uptime) {
        case .begun(let assignment): reply(.done(.assigned(assignment)), to: asking)
        case .lockedOut(let milliseconds): reply(.refused(.lockedOut(milliseconds: milliseconds)), to: asking)
        }
    }

    /// Something was done for the challenge.
    private mutating func finish(_ progress: Progress, of attempt: Attempt, by asking: Asking) {
        let kind = attempt.assignment.kind ?? .roulette
        // A poster within the camera's view is a wrong code, and nobody.
        if progress != .nothing, progress == .done || asking.door != .camera { sessions.answered(at: clock.uptime) }
        switch progress {
        case .nothing: reply(.refused(.nothingAsked), to: asking)
        case .further:
            if case .session(let occurrence, let index) = attempt.purpose, let count = attempt.solvedSumCount {
                note(.sumSolved(occurrence, index: index, count: count))
            }
            let outcome = Outcome.answered(isRight: true, next: attempt.assignment)
            reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
        case .late: reply(.done(.late(next: attempt.assignment)), to: asking)
        case .wrong:
            effects.append(.tell(.wrong(kind)))
            reply(.done(.answered(isRight: false, next: attempt.assignment)), to: asking)
        case .lockedOut(let milliseconds):
            if case .session(let occurrence, _) = attempt.purpose, milliseconds == Sums.lockMilliseconds {
                note(.lockedOut(occurrence, untilMilliseconds: clock.now + milliseconds))
            }
            reply(.refused(.lockedOut(milliseconds: milliseconds)), to: asking)
        case .done:
            effects.append(.tell(.done(kind)))
            complete(attempt.purpose, by: asking)
        }
    }

    private mutating func complete(_ purpose: Attempt.Purpose, by asking: Asking) {
        var completed: Outcome?
        switch purpose {
        case .session(let occurrence, let index):
            note(.challengeDone(occurrence, index: index))
            guard let session = sessions[occurrence] else { break }
            if session.openChallenge == nil {
                dismissWithAlike(session, by: asking.door)
                completed = .completed(session.name, isUnlocked: false, ringing: sessions.current?.name)
            } else {
                beginAttempt(session)
            }
        case .unlock(let id, let index):
            guard let kept = agenda.alarms[id] else { break }
            let seed = agenda.nextToLock(kept)?.seed ?? 0
            if !attempts.continueUnlocking(kept.alarm, after: index, seed: seed, at: clock.uptime) {
                agenda.unlock(kept)
                completed = .completed(kept.alarm.name, isUnlocked: true)
            }
        }
        let outcome = completed ?? .answered(isRight: true, next: attempts.current?.assignment)
        switch purpose {
        case .session: reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
        // What is done ahead lasts until the next start, and is not written down.
        case .unlock: reply(.done(outcome), to: asking)
        }
    }

    /// A sum was answered. The first answer begins the challenge, if nothing has yet.
    mutating func answer(_ result: Int, to number: Int?, _ asking: Asking) {
        if let (attempt, progress) = attempts.apply(
            .answer(result, to: number), enrolled: agenda.codes, at: clock.uptime)
        {
            return finish(progress, of: attempt, by: asking)
        }
        guard let session = sessions.addressed else { return reply(.refused(.nothingRings), to: asking) }
        beginAttempt(session)
        // What rings without a challenge asks for nothing.
        let assignment = attempts.current?.assignment
        reply(assignment.map { .done(.assigned($0)) } ?? .refused(.nothingAsked), to: asking)
    }

    /// The camera gave a frame.
    mutating func see(_ codes: [SeenCode], isDark: Bool, takenUptime: Int?) {
        let takenUptime = min(takenUptime ?? clock.uptime, clock.uptime)
        if let codeLook { return see(codes, takenUptime: takenUptime, for: codeLook) }
        let wasStanding = attempts.current?.hasStandingCode
        let seen = attempts.see(
            codes, isDark: isDark, takenUptime: takenUptime, enrolled: agenda.codes, at: clock.uptime)
        if attempts.current?.hasStandingCode != wasStanding { told.isStatusStale = true }
        guard let (attempt, progress, code) = seen else { return }
        if progress != .done, let session = attempt.session { note(.scanRefused(session, byteCount: code.byteCount)) }
        finish(progress, of: attempt, by: asking(.camera))
    }

    /// A button was pressed, a step was felt or a tag was held to the reader.
    mutating func apply(_ deed: Attempt.Deed, at door: Door) {
        // Whoever walks or holds up a tag is at it.
        if let session = sessions.current, attempts.current == nil,
            session.openChallenge?.kind?.isBegun(by: deed) == true
        {
            beginAttempt(session)
        }
        guard let (attempt, progress) = attempts.apply(deed, enrolled: agenda.codes, at: clock.uptime),
            progress != .nothing
        else { return }
        finish(progress, of: attempt, by: asking(door))
    }
}

extension Challenge.Kind {
    /// Whether that is done for it, and so begins it.
    fileprivate func isBegun(by deed: Attempt.Deed) -> Bool {
        switch deed {
        case .step: self == .steps
        case .tag: self == .tag
        case .answer, .press: false
        }
    }
}

extension Refusal {
    fileprivate static func lockedOut(milliseconds: Int) -> Refusal {
        .lockedOut(seconds: (milliseconds + 999) / 1000)
    }
}
