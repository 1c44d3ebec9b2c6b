// A hash that distinguishes engine states, for a search through histories that continues from each state once.

extension Engine {
    /// A hash of all state that decides what comes next, including requests without a reply and facts on their way to the disk.
    ///
    /// Times in the past (of presses, of the last answer, of a sent batch) are left out, for the next wake shows what follows
    /// from them; and so are random draws, for two sums differ only in their numbers. The ends of pauses and lock-outs stay in.
    package var stateKey: Int {
        var hasher = Hasher()
        hasher.combine(clock.isTrusted)
        for session in sessions.byRingOrder { session.combineState(into: &hasher) }
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
        hasher.combine(codeScan?.purpose)
        hasher.combine(sessions.test != nil)
        challengeState.current?.combineState(into: &hasher)
        buttons.combineState(into: &hasher)
        writes.combineState(into: &hasher, clockVersion: clock.version)
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
