// Which challenge is being done, and what follows when it is.

import Alarms
import CivilTime

extension Engine {
    /// The session's first open challenge begins, unless it has begun already.
    mutating func beginAttempt(_ session: Session) {
        let locked = session.lockedOutUntilMilliseconds - clock.now
        let before = Sums.Before(
            solvedCount: session.solvedSumCount, lockMilliseconds: min(max(locked, 0), Sums.lockMilliseconds))
        let purpose = Attempt.Purpose.session(session.occurrence, index: session.doneMilliseconds.count)
        begin(session.openChallenge, for: purpose, session.seed, before)
    }

    private mutating func begin(
        _ challenge: Challenge?, for purpose: Attempt.Purpose, _ seed: UInt64, _ before: Sums.Before = Sums.Before()
    ) {
        guard attempt?.purpose != purpose else { return }
        attempt = challenge.map { challenge in
            let index =
                switch purpose {
                case .session(_, let index), .unlock(_, let index): index
                }
            return Attempt(
                challenge, for: purpose, canType: kinds.contains(.math),
                chance: Chance(seed: seed, index, clock.uptime), uptime: clock.uptime, before: before)
        }
    }

    /// Whoever is addressed first has its challenge done; a challenge that nobody needs any more is forgotten.
    mutating func keepAttempt() {
        guard let attempt else { return }
        let isGivenUp = attempt.givenUpUptime.map { $0 <= clock.uptime } ?? false
        switch attempt.purpose {
        case .session(let occurrence, let index):
            guard let session = sessions[occurrence], session.doneMilliseconds.count == index, !isGivenUp else {
                self.attempt = nil
                return
            }
            if let addressed = sessions.addressed, addressed.occurrence != occurrence { self.attempt = nil }
        case .unlock(let id, _):
            if isGivenUp || !sessions.isEmpty || ledger.alarms[id] == nil {
                // Whatever it made room for is no way round the wait after wrong answers.
                lockedOutUntilUptime = clock.uptime + attempt.lockMilliseconds(uptime: clock.uptime)
                self.attempt = nil
            }
        }
        let isCameraBroken = preflight.health[.camera]?.grade == .broken
        if self.attempt?.look(uptime: clock.uptime, isCameraBroken: isCameraBroken) == true {
            told.isStatusStale = true
        }
    }

    /// Somebody wants to change an alarm that is locked, and does its challenges first.
    mutating func unlock(_ id: Alarm.ID, _ asking: Asking) {
        guard let kept = ledger.alarms[id] else { return reply(.refused(.noSuchAlarm(id)), to: asking) }
        guard sessions.isEmpty else { return reply(.refused(.ringing), to: asking) }
        guard isLocked(kept) else {
            return reply(.done(isUnlocked(kept) ? .done : .notLocked(until: lockBegins(kept))), to: asking)
        }
        if case .unlock(id, _) = attempt?.purpose {
        } else {
            let locked = max(lockedOutUntilUptime - clock.uptime, attempt?.lockMilliseconds(uptime: clock.uptime) ?? 0)
            // Another alarm is no way round.
            guard locked <= 0 else { return reply(.refused(.lockedOut(milliseconds: locked)), to: asking) }
            beginUnlocking(kept, index: 0)
        }
        reply(.done(attempt.map { .assigned($0.assignment) } ?? .done), to: asking)
    }

    private mutating func beginUnlocking(_ kept: AlarmEntry, index: Int) {
        // What it will come to when it rings: nobody asks until it is something easier.
        let drawn = kept.alarm.challenges[index].drawn(seed: nextToLock(kept)?.seed ?? 0, index: index)
        begin(drawn, for: .unlock(kept.alarm.id, index: index), chance.bits())
    }

    /// Something was done for the challenge.
    mutating func take(_ progress: Progress, by asking: Asking) {
        guard let attempt else { return }
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
        attempt = nil
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
            guard let kept = ledger.alarms[id] else { break }
            if index + 1 < kept.alarm.challenges.count {
                beginUnlocking(kept, index: index + 1)
            } else {
                unlocked(kept)
                completed = .completed(kept.alarm.name, isUnlocked: true)
            }
        }
        let outcome = completed ?? .answered(isRight: true, next: attempt?.assignment)
        switch purpose {
        case .session: reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
        // What is done ahead lasts until the next start, and is not written down.
        case .unlock: reply(.done(outcome), to: asking)
        }
    }

    /// A sum was answered. The first answer begins the challenge, if nothing has yet.
    mutating func answer(_ number: Int, _ asking: Asking) {
        guard attempt != nil else {
            if let session = sessions.addressed { beginAttempt(session) }
            // What rings without a challenge asks for nothing.
            let refusal = sessions.addressed == nil ? Refusal.nothingRings : .nothingAsked
            return reply(attempt.map { .done(.assigned($0.assignment)) } ?? .refused(refusal), to: asking)
        }
        take(progress(of: .answer(number)), by: asking)
    }

    /// The camera gave a frame.
    mutating func see(_ codes: [SeenCode], isDark: Bool) {
        let fresh = codes.filter { !isSameScan($0) }
        guard let (progress, code) = attempt?.see(fresh, isDark: isDark, enrolled: ledger.codes, uptime: clock.uptime)
        else { return }
        if progress == .done {
            lastScan = code.map { ($0.digest, clock.uptime) }
        } else if let code, case .session(let occurrence, _) = attempt?.purpose {
            note(.scanRefused(occurrence, byteCount: code.byteCount))
        }
        if progress != .nothing { take(progress, by: asking(.camera)) }
    }

    /// Whether it is the right code of a moment ago, still in view: it must not be the wrong one for what comes next.
    private mutating func isSameScan(_ code: SeenCode) -> Bool {
        guard let (last, uptime) = lastScan, code.digest == last, clock.uptime - uptime <= Engine.sameScanMilliseconds
        else { return false }
        lastScan = (last, clock.uptime)
        return true
    }

    private static let sameScanMilliseconds = 300

    /// A button was pressed, a step was felt or a tag was held to the reader.
    mutating func apply(_ deed: Attempt.Deed, at door: Door) {
        let progress = progress(of: deed)
        if progress != .nothing { take(progress, by: asking(door)) }
    }

    private mutating func progress(of deed: Attempt.Deed) -> Progress {
        attempt?.apply(deed, enrolled: ledger.codes, uptime: clock.uptime) ?? .nothing
    }
}

extension Refusal {
    fileprivate static func lockedOut(milliseconds: Int) -> Refusal {
        .lockedOut(seconds: (milliseconds + 999) / 1000)
    }
}
