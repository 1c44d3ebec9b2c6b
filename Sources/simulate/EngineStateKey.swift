// A hash that distinguishes engine states, so that a search continues from each state only once.

import Alarms
import Challenges
import Engine

extension Engine {
    /// A hash of all state that decides the future, with open requests and facts on their way to the disk.
    ///
    /// Past times (of presses, of the last answer, of a sent batch) are left out, because the next wake
    /// shows their effect. Random draws are left out, because two sums differ only in their numbers. The
    /// ends of pauses and lock-outs are included.
    var stateKey: Int {
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
        if isChecking { hasher.combine([1, checkCount]) }
        hasher.combine(failedCheckCount)
        hasher.combine(pause?.untilMilliseconds)
        hasher.combine([doneMilliseconds.count, solvedSumCount, snoozeCount, restCount, lockedOutUntilMilliseconds])
        hasher.combine(isHeard)
        hasher.combine(endedWith)
    }
}

extension ActiveChallenge {
    fileprivate func combineState(into hasher: inout Hasher) {
        hasher.combine(purpose)
        hasher.combine(isTouched)
        hasher.combine(fallback == nil)
        switch fallback ?? task {
        case .code(let search):
            hasher.combine([search.isUp, search.isDark, search.isStanding])
        case .sums(let sums):
            hasher.combine([sums.level, sums.left, sums.wrongInARow])
            hasher.combine(sums.previous == nil)
            hasher.combine(sums.lockedUntilUptime > sums.askedUptime)
        case .steps, .pattern, .tag, .impossible: hasher.combine(assignment)
        }
    }
}

extension ButtonStates {
    fileprivate func combineState(into hasher: inout Hasher) {
        for button in Button.allCases {
            hasher.combine(contacts[button]?.isDown)
            hasher.combine(contacts[button]?.isLoose)
        }
        hasher.combine(hold?.sender)
        hasher.combine(idle?.button)
        hasher.combine(lineHealth)
    }
}

extension WriteQueue {
    fileprivate func combineState(into hasher: inout Hasher, clockVersion: Int) {
        hasher.combine(facts.map(\.fact))
        hasher.combine(batch?.facts.map(\.fact))
        hasher.combine(batch?.hasTimedOut)
        for change in [pending, batch?.change?.change] {
            hasher.combine(change?.facts)
            hasher.combine(change?.context.origin)
            hasher.combine(change.map { $0.clockVersion == clockVersion })
        }
        hasher.combine(replies.map(\.ifDurable))
        hasher.combine(batch?.replies.map(\.ifDurable))
        for (command, context) in queue {
            hasher.combine(command)
            hasher.combine(context.origin)
            hasher.combine(context.heard)
        }
        hasher.combine(retryUptime == nil)
        hasher.combine(failureCount)
        hasher.combine(failure)
        hasher.combine(requests.openCount)
    }
}
