// Stop: it ends a session only if it has no challenge left.

import Alarms

extension Engine {
    /// Somebody wants the session to end, or another one that is named.
    mutating func stop(_ asking: Asking) {
        let addressed = addressed
        guard let session = asking.request?.meant.map({ ledger.session($0) }) ?? addressed else {
            return reply(.done(.nothingRings), to: asking)
        }
        if asking.door == .button, let endUptime, clock.uptime - endUptime < Engine.repeatMilliseconds {
            // It is the press that has ended another.
            return reply(.done(.done), to: asking)
        }
        guard let challenge = session.openChallenge else {
            end(session, .dismissed, by: asking.door)
            let outcome = Outcome.stopped(session.name)
            return reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
        }
        let refusal = refusalToStop(session, challenge)
        noteRefusal(session, asking)
        // What is done is done for the one that is heard.
        if session.occurrence == addressed?.occurrence {
            answered()
            beginAttempt(session)
        }
        reply(.refused(refusal), to: asking)
    }

    /// Whoever hammers on the button is written down once a second.
    private mutating func noteRefusal(_ session: Session, _ asking: Asking) {
        if let last = stopNotedUptime, clock.uptime - last < 1000 { return }
        stopNotedUptime = clock.uptime
        note(.stopRefused(session.occurrence, by: asking.door))
    }

    private func refusalToStop(_ session: Session, _ challenge: Challenge) -> Refusal {
        guard let attempt, attempt.isFor(session.occurrence) else {
            return session.doneMilliseconds.isEmpty
                ? .challengesOpen : .challengeOpen(challenge.kind ?? .roulette)
        }
        if attempt.isActive(uptime: clock.uptime) { return .validating }
        return .challengeOpen(attempt.assignment.kind ?? challenge.kind ?? .roulette)
    }
}
