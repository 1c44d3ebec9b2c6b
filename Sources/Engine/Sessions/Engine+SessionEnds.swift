// Snooze, stop, and the other ends of a session.

import Alarms

extension Engine {
    /// Snoozes the session that is heard. The session rings until the snooze is durable. Otherwise a power
    /// cut could lose the snooze, and the owner could snooze once more.
    mutating func snooze(_ seconds: Int?, _ context: CommandContext) {
        guard let session = sessions.current, session.occurrence == context.heard else {
            let meant = sessions.all.filter { context.heard == nil || $0.occurrence == context.heard }
            let snoozed = meant.lazy.compactMap(outcome).first
            return reply(snoozed.map { .done($0) } ?? .refused(sessions.nothingToEnd), to: context)
        }
        if session.terms.isTest {
            // A snooze ends a test.
            end(session, .cancelled, by: context.sender)
            return reply(.done(.done), to: context)
        }
        if sessions.isRepeatedSnooze(context) { return reply(.refused(.tooSoon), to: context) }
        if challengeState.isBusy(with: session.occurrence, at: clock.uptime) {
            return reply(.refused(.validating), to: context)
        }
        switch session.snooze(for: seconds) {
        case .refused(let refusal):
            // A refused snooze begins the challenge instead.
            if session.openChallenge != nil {
                sessions.answered(at: clock.uptime)
                beginChallenge(session)
            }
            reply(.refused(refusal), to: context)
        case .granted(let count, let left, let held, let isClamped):
            let until = clock.now + held * 1000
            writes.submit(
                PendingChange(
                    [.snoozed(session.occurrence, count: count, untilMilliseconds: until)],
                    .snoozed(
                        session.name, untilMilliseconds: until, left: left, isClamped: isClamped,
                        ringing: sessions.next(after: session)?.name),
                    for: context, pauseUntilUptime: clock.uptime + held * 1000))
        }
    }

    /// Returns the outcome for a repeated request: the earlier snooze, or nil if there was none.
    private func outcome(of session: Session) -> Outcome? {
        guard case .snoozed(let pause) = session.state else { return nil }
        return .snoozed(
            session.name, untilMilliseconds: pause.untilMilliseconds,
            left: session.terms.snooze.max.map { $0 - session.snoozeCount }, ringing: sessions.current?.name)
    }

    /// Ends a session, with a prompt and a notification.
    mutating func end(_ session: Session, _ ending: Ending, by sender: Sender?, with other: Occurrence? = nil) {
        record(.ended(session.occurrence, ending, by: sender, with: other, switchesOff: spentRevision(of: session)))
        if sender?.origin == .button { sessions.endedByButton(at: clock.uptime) }
        effects.append(.prompt(.ended(session.occurrence, ending)))
        if ending != .dismissed, ending != .cancelled {
            effects.append(.notify(.ended(session.occurrence, ending)))
        }
    }

    /// Returns the revision of a one-time alarm that has no ring left after this session; nil if its
    /// schedule was changed. If the clock was set back since, rings from the present time on count as well.
    private func spentRevision(of session: Session) -> Int? {
        guard let revision = session.revision, let entry = agenda.alarms[session.occurrence.alarm],
            entry.position.revision == revision, agenda.isSpent(entry, after: min(session.occurrence.at, clock.instant))
        else { return nil }
        return revision
    }

    /// Ends a session whose last challenge was completed, or begins its wake-up check. The sessions behind it
    /// with the same challenges and check end with it.
    mutating func dismissWithAlike(_ session: Session, by sender: Sender?) {
        let alike = sessions.alike(session)
        if !beginCheck(session) { end(session, .dismissed, by: sender) }
        for other in alike { end(other, .dismissed, by: sender, with: session.occurrence) }
    }

    /// Stops the session that the request names, or the addressed one if it names none.
    mutating func stop(_ context: CommandContext) {
        let addressed = sessions.addressed
        if isForCheck(context) { return answerCheck(context) }
        guard let session = context.request?.ifRing.map({ sessions[$0] }) ?? addressed else {
            let refusal = sessions.nothingToEnd
            return reply(refusal == .nothingRings ? .done(.nothingRings) : .refused(refusal), to: context)
        }
        if sessions.isRepeatedStop(context.origin, at: clock.uptime) { return reply(.done(.done), to: context) }
        guard let challenge = session.openChallenge else {
            dismissWithAlike(session, by: context.sender)
            let outcome = checkOutcome(session) ?? .stopped(session.name, ringing: sessions.current?.name)
            return reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
        }
        let refusal = refusalToStop(session, challenge)
        if sessions.refuseStop(at: clock.uptime) { record(.stopRefused(session.occurrence, by: context.sender)) }
        // Challenges are done only for the addressed session.
        if session.occurrence == addressed?.occurrence {
            sessions.answered(at: clock.uptime)
            beginChallenge(session)
        }
        reply(.refused(refusal), to: context)
    }

    /// Ends a session whose chore is done. Challenges that are open hold it, like a stop.
    mutating func endAsDone(_ session: Session, _ context: CommandContext) {
        if let meant = context.request?.ifRing, meant != session.occurrence {
            return reply(.refused(.anotherRings(session.name)), to: context, isPrompted: false)
        }
        if session.isChecking, !session.asks(at: clock.uptime) {
            return reply(.refused(.checkAhead), to: context, isPrompted: false)
        }
        if let challenge = session.openChallenge {
            return reply(.refused(refusalToStop(session, challenge)), to: context, isPrompted: false)
        }
        end(session, .dismissed, by: context.sender)
        record(.done(session.occurrence, nil, by: context.sender))
        guard let past = sessions.past.last(of: session.occurrence.alarm) else { return }
        let saved = agenda.alarms[session.occurrence.alarm].map { SavedAlarm($0.shown, next: agenda.due[$0.id]) }
        let outcome = Outcome.ringDone(past, saved)
        reply(.done(outcome), to: context, ifFailed: .done(.unwritten(outcome)))
    }

    private func refusalToStop(_ session: Session, _ challenge: Challenge) -> Refusal {
        guard let active = challengeState.current, active.isFor(session.occurrence) else {
            return session.doneMilliseconds.isEmpty ? .challengesOpen : .challengeOpen(challenge.kind ?? .roulette)
        }
        if active.isActive(uptime: clock.uptime) { return .validating }
        return .challengeOpen(active.assignment.kind ?? challenge.kind ?? .roulette)
    }

    /// Lets an unanswered session rest, or ends it after its last round.
    mutating func endUnanswered() {
        guard !writes.hasPendingChange, let (session, outcome) = sessions.unanswered(at: clock.uptime) else { return }
        switch outcome {
        case .ends(let ending): end(session, ending, by: nil)
        case .ringsOn: sessions.answered(at: clock.uptime)
        case .rests(let count):
            let rest = session.terms.restMilliseconds
            record(.rested(session.occurrence, count: count, untilMilliseconds: clock.now + rest))
            sessions.change(session.occurrence) { [clock] in
                $0.fallSilent(until: clock.uptime + rest, at: clock.uptime)
            }
        }
    }
}
