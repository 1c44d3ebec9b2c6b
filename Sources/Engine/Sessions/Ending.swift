// How a session ends, and how a stop is refused: it ends one only if it has no challenge left.

import Alarms

extension Engine {
    /// Ends a session, and tells everybody.
    mutating func end(_ session: Session, _ ending: Ending, by door: Door?, with other: Occurrence? = nil) {
        note(.ended(session.occurrence, ending, by: door, with: other, switchesOff: spentRevision(of: session)))
        if door == .button { sessions.endedByButton(at: clock.uptime) }
        effects.append(.tell(.ended(ending)))
        if ending != .dismissed, ending != .cancelled {
            effects.append(.notify(.ended(session.occurrence, ending)))
        }
    }

    /// The revision of a one-time alarm whose last ring this is, by a clock set back since too, unless its *when* was changed.
    private func spentRevision(of session: Session) -> Int? {
        guard let revision = session.revision, let entry = agenda.alarms[session.occurrence.alarm],
            entry.position.revision == revision, agenda.isSpent(entry, after: min(session.occurrence.at, clock.instant))
        else { return nil }
        return revision
    }

    /// A session's last challenge was completed: those that wait behind it for the same challenges end with it.
    mutating func dismissWithAlike(_ session: Session, by door: Door?) {
        let alike = sessions.alike(session)
        end(session, .dismissed, by: door)
        for other in alike { end(other, .dismissed, by: door, with: session.occurrence) }
    }

    /// Somebody wants the session to end, or another one that is named.
    mutating func stop(_ asking: Asking) {
        let addressed = sessions.addressed
        guard let session = asking.request?.meant.map({ sessions[$0] }) ?? addressed else {
            return reply(.done(.nothingRings), to: asking)
        }
        if sessions.isRepeatedStop(asking.door, at: clock.uptime) { return reply(.done(.done), to: asking) }
        guard let challenge = session.openChallenge else {
            end(session, .dismissed, by: asking.door)
            let outcome = Outcome.stopped(session.name, ringing: sessions.current?.name)
            return reply(.done(outcome), to: asking, ifNotKept: .done(.unwritten(outcome)))
        }
        let refusal = refusalToStop(session, challenge)
        if sessions.refuseStop(at: clock.uptime) { note(.stopRefused(session.occurrence, by: asking.door)) }
        // What is done is done for the one that is heard.
        if session.occurrence == addressed?.occurrence {
            sessions.answered(at: clock.uptime)
            beginAttempt(session)
        }
        reply(.refused(refusal), to: asking)
    }

    private func refusalToStop(_ session: Session, _ challenge: Challenge) -> Refusal {
        guard let attempt = attempts.current, attempt.isFor(session.occurrence) else {
            return session.doneMilliseconds.isEmpty ? .challengesOpen : .challengeOpen(challenge.kind ?? .roulette)
        }
        if attempt.isActive(uptime: clock.uptime) { return .validating }
        return .challengeOpen(attempt.assignment.kind ?? challenge.kind ?? .roulette)
    }

    /// When the session that is heard has rung unanswered for long enough.
    var unansweredUptime: Int? {
        // A snooze that is being written down is an answer.
        commit.hasClaim ? nil : sessions.unansweredUptime(now: clock.uptime)
    }

    /// Lets a session rest that nobody answers, and end when it has rested twice.
    mutating func endUnanswered() {
        guard !commit.hasClaim, let (session, outcome) = sessions.unanswered(at: clock.uptime) else { return }
        switch outcome {
        case .ends(let ending): end(session, ending, by: nil)
        case .ringsOn: sessions.answered(at: clock.uptime)
        case .rests(let count):
            let rest = Sessions.restMilliseconds
            note(.rested(session.occurrence, count: count, untilMilliseconds: clock.now + rest))
            sessions.change(session.occurrence) { [clock] in
                $0.fallSilent(until: clock.uptime + rest, at: clock.uptime)
            }
        }
    }
}
