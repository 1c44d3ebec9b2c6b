// Actions in challenges, and the consequences of a completed one.

import Alarms
import Challenges

extension Engine {
    /// Begins the session's first open challenge, unless it is in progress. `isUp`: a person has shown in
    /// another challenge that they are up.
    mutating func beginChallenge(_ session: Session, isUp: Bool = false) {
        challengeState.begin(session, isUp: isUp, now: clock.now, at: clock.uptime)
    }

    var challengeDeadline: Deadline {
        isChallengeUnasked ? .now : challengeState.nextDeadline(sessions, agenda.alarms, preflight.devices)
    }

    /// True if the ringing session's challenge has to begin without a press.
    private var isChallengeUnasked: Bool {
        guard sessions.isCurrentToChallenge else { return false }
        let areButtonsBroken = preflight.health[.buttons]?.grade == .broken
        return challengeState.beginsUnasked(areButtonsBroken: areButtonsBroken)
    }

    mutating func updateChallenge() {
        if challengeState.update(sessions, agenda.alarms, preflight.devices, at: clock.uptime) {
            emitted.isStatusStale = true
        }
        if isChallengeUnasked, let session = sessions.current { beginChallenge(session) }
    }

    /// Begins the challenges of a locked alarm that the owner wants to change.
    mutating func unlock(_ id: Alarm.ID, _ context: CommandContext) {
        guard let entry = agenda.alarms[id] else { return reply(.refused(.noSuchAlarm(id)), to: context) }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: context) }
        guard isLocked(entry) else {
            return reply(.done(isUnlocked(entry) ? .done : .notLocked(until: lockBegins(entry))), to: context)
        }
        let alarm = agenda.droppingForgottenCodes(entry.alarm)
        switch challengeState.unlock(alarm, seed: agenda.nextToLock(entry)?.seed ?? 0, at: clock.uptime) {
        case .begun(let assignment): reply(.done(.assigned(assignment)), to: context)
        case .lockedOut(let milliseconds): reply(.refused(.lockedOut(milliseconds: milliseconds)), to: context)
        }
    }

    /// Replies to an action in a challenge. `number` is the answer to a sum.
    private mutating func report(
        _ progress: Progress, of active: ActiveChallenge, by context: CommandContext, _ number: Int? = nil
    ) {
        let kind = active.assignment.kind ?? .roulette
        // A wrong code may be a poster in the camera's view. It does not show that a person is up.
        if progress != .nothing, progress == .done || context.origin != .camera { sessions.answered(at: clock.uptime) }
        switch progress {
        case .nothing: reply(.refused(.nothingAsked(name(of: active), active.assignment)), to: context)
        case .further:
            // A press changes no assignment.
            emitted.isStatusStale = true
            if case .session(let occurrence, let index) = active.purpose, let count = active.solvedSumCount {
                record(.sumSolved(occurrence, index: index, count: count))
            }
            let outcome = Outcome.answered(isRight: true, next: active.assignment)
            reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
        case .late: reply(.done(.late(next: active.assignment)), to: context)
        case .wrong:
            // A wrong code is recorded with its length.
            if context.origin != .camera, let session = active.session, sessions.answerWrongly(at: clock.uptime) {
                record(.noted(session, .wrong(kind), by: context.sender))
            }
            effects.append(.prompt(.wrong(kind)))
            reply(.done(.answered(isRight: false, next: active.assignment)), to: context)
        case .lockedOut(let milliseconds, let isNew):
            if case .session(let occurrence, _) = active.purpose, isNew {
                record(.lockedOut(occurrence, untilMilliseconds: clock.now + milliseconds))
            }
            reply(.refused(.lockedOut(milliseconds: milliseconds, wrong: isNew ? number : nil)), to: context)
        case .done:
            effects.append(.prompt(.done(kind)))
            complete(active, by: context)
        }
    }

    private func name(of active: ActiveChallenge) -> AlarmName? {
        switch active.purpose {
        case .session(let occurrence, _): sessions[occurrence]?.name
        case .unlock(let id, _): agenda.alarms[id]?.alarm.name
        }
    }

    private mutating func complete(_ active: ActiveChallenge, by context: CommandContext) {
        var completed: Outcome?
        switch active.purpose {
        case .session(let occurrence, let index):
            record(.challengeDone(occurrence, index: index, replacedBy: active.replacement))
            guard let session = sessions[occurrence] else { break }
            if session.openChallenge == nil {
                dismissWithAlike(session, by: context.sender)
                completed =
                    checkOutcome(session)
                    ?? .completed(session.name, isUnlocked: false, ringing: sessions.current?.name)
            } else {
                beginChallenge(session, isUp: active.showsPersonUp)
            }
        case .unlock(let id, let index):
            guard let entry = agenda.alarms[id] else { break }
            let seed = agenda.nextToLock(entry)?.seed ?? 0
            let alarm = agenda.droppingForgottenCodes(entry.alarm)
            if !challengeState.continueUnlocking(
                alarm, after: index, isUp: active.showsPersonUp, seed: seed, at: clock.uptime)
            {
                if let ring = agenda.nextToLock(entry)?.occurrence {
                    record(.noted(ring, .unlocked, by: context.sender))
                }
                agenda.unlock(entry)
                completed = .completed(entry.alarm.name, isUnlocked: true)
            }
        }
        let outcome = completed ?? .answered(isRight: true, next: challengeState.current?.assignment)
        switch active.purpose {
        case .session: reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
        // An unlocking lasts until the next start, and is not recorded.
        case .unlock: reply(.done(outcome), to: context)
        }
    }

    /// Applies the answer to a sum. If no challenge has begun, the answer begins it.
    mutating func answer(_ result: Int, to number: Int?, _ context: CommandContext) {
        if let (active, progress) = challengeState.apply(
            .answer(result, to: number), enrolled: agenda.codes, at: clock.uptime)
        {
            return report(progress, of: active, by: context, result)
        }
        guard let session = sessions.addressed else { return reply(.refused(.nothingRings), to: context) }
        beginChallenge(session)
        // A session without challenges accepts no answer.
        let assignment = challengeState.current?.assignment
        reply(assignment.map { .done(.assigned($0)) } ?? .refused(.nothingAsked()), to: context)
    }

    mutating func processFrame(_ codes: [SeenCode], isDark: Bool, takenUptime: Int?) {
        let takenUptime = min(takenUptime ?? clock.uptime, clock.uptime)
        if let codeScan { return readCode(in: codes, takenUptime: takenUptime, for: codeScan) }
        if isCheckAnswered(by: codes, isDark: isDark, takenUptime: takenUptime) { return }
        let wasStanding = challengeState.current?.hasStandingCode
        let seen = challengeState.match(
            codes, isDark: isDark, takenUptime: takenUptime, enrolled: agenda.codes, at: clock.uptime)
        if challengeState.current?.hasStandingCode != wasStanding { emitted.isStatusStale = true }
        guard let (active, progress, code) = seen else { return }
        if progress != .done, let session = active.session { record(.scanRefused(session, byteCount: code.byteCount)) }
        report(progress, of: active, by: context(.camera))
    }

    mutating func apply(_ action: ActiveChallenge.Action, at origin: Origin) {
        // A step or a tag begins the challenge that it belongs to.
        if let session = sessions.current, challengeState.current == nil,
            session.openChallenge?.kind?.isBegun(by: action) == true
        {
            beginChallenge(session)
        }
        guard let (active, progress) = challengeState.apply(action, enrolled: agenda.codes, at: clock.uptime),
            progress != .nothing
        else { return }
        report(progress, of: active, by: context(origin))
    }
}

extension Challenge.Kind {
    fileprivate func isBegun(by action: ActiveChallenge.Action) -> Bool {
        switch action {
        case .step: self == .steps
        case .tag: self == .tag
        case .answer, .press: false
        }
    }
}

extension Refusal {
    fileprivate static func lockedOut(milliseconds: Int, wrong: Int? = nil) -> Refusal {
        .lockedOut(seconds: (milliseconds + 999) / 1000, wrong: wrong)
    }
}
