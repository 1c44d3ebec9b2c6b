// What tells two engines apart, for a search through histories that goes on from each state once.

extension Engine {
    /// A hash of all state that decides what comes next, including requests without a reply and facts on their way to the disk.
    ///
    /// Left out are times that have passed (of presses, of the last answer, of a batch that was sent), for the requested wake tells
    /// what follows from them; and random draws, for two sums differ in their numbers only. The ends of pauses and lock-outs are
    /// part of it.
    package var stateKey: Int {
        var hasher = Hasher()
        hasher.combine(clock.isTrusted)
        for session in sessions.byTurn { session.combineState(into: &hasher) }
        for ring in sessions.past.rings {
            hasher.combine(ring.occurrence)
            hasher.combine(ring.ending)
            ring.session?.combineState(into: &hasher)
        }
        hasher.combine(agenda.snapshot)
        hasher.combine(agenda.nextLock)
        hasher.combine(agenda.unlocked)
        for (part, health) in preflight.knownHealth {
            hasher.combine(part)
            hasher.combine(health)
        }
        hasher.combine(codeLook?.purpose)
        hasher.combine(sessions.test != nil)
        attempts.current?.combineState(into: &hasher)
        buttons.combineState(into: &hasher)
        commit.combineState(into: &hasher, clockVersion: clock.version)
        return hasher.finalize()
    }
}

extension Session {
    fileprivate func combineState(into hasher: inout Hasher) {
        hasher.combine(occurrence)
        hasher.combine(terms)
        hasher.combine(isRinging)
        if case .snoozed = state { hasher.combine(0) }
        hasher.combine(pause?.untilMilliseconds)
        hasher.combine([doneMilliseconds.count, solvedSumCount, snoozeCount, restCount, lockedOutUntilMilliseconds])
        hasher.combine(isHeard)
        hasher.combine(endedWith)
    }
}
