// Snooze: silent for a while, and so often only.

extension Engine {
    /// The session rings on until its snooze count is durable: a snooze that a power cut forgets could be had again.
    mutating func snooze(_ seconds: Int?, _ asking: Asking) {
        guard let session = sessions.current, session.occurrence == asking.heard else {
            let meant = sessions.all.filter { asking.heard == nil || $0.occurrence == asking.heard }
            let snoozed = meant.lazy.compactMap(outcome).first
            return reply(snoozed.map { .done($0) } ?? .refused(.nothingRings), to: asking)
        }
        if session.terms.isTest {
            // Whoever has heard enough of it.
            end(session, .cancelled, by: asking.door)
            return reply(.done(.done), to: asking)
        }
        if sessions.isRepeatedSnooze(asking) { return reply(.refused(.tooSoon), to: asking) }
        if attempts.isBusy(with: session.occurrence, at: clock.uptime) {
            return reply(.refused(.validating), to: asking)
        }
        switch session.snooze(for: seconds) {
        case .refused(let refusal):
            // Who may not sleep on is told at once what to do instead.
            if session.openChallenge != nil {
                sessions.answered(at: clock.uptime)
                beginAttempt(session)
            }
            reply(.refused(refusal), to: asking)
        case .granted(let count, let left, let held, let isClamped):
            let until = clock.now + held * 1000
            commit.claim(
                Claim(
                    asking: asking, facts: [.snoozed(session.occurrence, count: count, untilMilliseconds: until)],
                    outcome: .snoozed(
                        session.name, untilMilliseconds: until, left: left, isClamped: isClamped,
                        ringing: sessions.next(after: session)?.name),
                    pauseUntilUptime: clock.uptime + held * 1000))
        }
    }

    /// The answer to a repeated request: the snooze that was granted before; nil where none was.
    private func outcome(of session: Session) -> Outcome? {
        guard case .snoozed(let pause) = session.state else { return nil }
        return .snoozed(
            session.name, untilMilliseconds: pause.untilMilliseconds,
            left: session.terms.snooze.max.map { $0 - session.snoozeCount }, ringing: sessions.current?.name)
    }
}
