// Promise 10: a wake-up check that is not answered rings, and only a person answers it.

import Alarms
import Engine

/// The checker's record of the wake-up check of one session. Times are milliseconds of the night's time.
struct WakeUpCheckWatch {
    /// The begin of the check; nil if a restart has found it.
    private var begunAt: Int?

    mutating func restarted() { begunAt = nil }

    /// Observes the session after an input.
    mutating func observe(
        _ current: SessionStatus, before: SessionStatus, isRestarted: Bool, _ night: Simulation,
        _ checker: InvariantChecker
    ) {
        let session = current.session
        if session.isChecking, !before.session.isChecking { begunAt = isRestarted ? nil : night.now }
        if current.asksMilliseconds == 0, !mayAsk(session, at: night.now) {
            checker.report(.checks, "\(session.occurrence) asks too early")
        }
    }

    fileprivate func mayAsk(_ session: Session, at now: Int) -> Bool {
        guard let begunAt, let check = session.terms.wakeUpCheck else { return true }
        return now - begunAt >= check.afterSeconds * 1000 - 1000
    }
}

extension TrackedSession {
    /// True if a check must still follow its challenges.
    var owesCheck: Bool {
        session.terms.wakeUpCheck != nil && session.failedCheckCount < WakeUpCheck.failuresMax
    }

    /// Returns true if the input may have answered its check. While another session rings, only a request does.
    func isAnswered(by input: Input?, isAnyHeard: Bool, at now: Int) -> Bool {
        guard wakeUpCheck.mayAsk(session, at: now) else { return false }
        return switch input {
        case .command(.awake, _), .command(.stop, _), .command(.done(session.occurrence.alarm), _): true
        case .button(_, isDown: true, _), .tag, .typed, .keyPressed: !isAnyHeard
        case .frame(let codes, _, _): !isAnyHeard && !codes.isEmpty
        default: false
        }
    }
}

extension SessionWatch {
    /// Returns the record of a new silence for a check, which must follow the challenges.
    func checkSilence(_ tracked: TrackedSession, _ night: Simulation, _ checker: InvariantChecker) -> Silence {
        let durable = checker.journal.model.open[tracked.occurrence] ?? DurableState.DurableProgress()
        let isKnown = isRestarted && durable.checkCount > durable.failedCheckCount
        if !isKnown, !tracked.tally.isDone() {
            checker.report(.ending, "\(tracked.occurrence) waits for its check, but its challenges were not done")
        }
        return Silence(.checking, milliseconds: tracked.session.terms.checkMilliseconds, night)
    }

    /// Checks a sound while no session rings: it is the chime of a session that asks.
    func checkChime(_ sound: SoundOrder, _ status: Status, _ checker: InvariantChecker) {
        let asking = status.sessions.first { $0.session.occurrence == sound.occurrence && $0.asksMilliseconds == 0 }
        guard let asking else { return checker.report(.sound, "a sound without a session") }
        if sound.ring.sound == asking.session.terms.ring.sound || sound.ring.volume > 0.3 {
            checker.report(.sound, "\(sound.occurrence) asks with the sound of a ring")
        }
    }
}
