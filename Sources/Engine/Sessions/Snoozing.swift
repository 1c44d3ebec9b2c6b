// Snooze: silent for a while, and so often only.

import Alarms

extension Engine {
    /// Two presses in so short a time are one.
    static let repeatMilliseconds = 500

    /// Somebody wants silence for a while. The session keeps ringing until its count is durable: a snooze that a power cut
    /// forgets could be had again.
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
        if let refusal = refusalToSnooze(session, asking) {
            // Who may not sleep on is told at once what to do instead.
            if case .noSnoozeLeft = refusal, session.openChallenge != nil {
                sessions.answered(at: clock.uptime)
                beginAttempt(session)
            }
            return reply(.refused(refusal), to: asking)
        }
        let wanted = seconds ?? session.terms.snooze.seconds
        let bounds = session.terms.snoozeBounds
        let held = min(max(wanted, bounds.lowerBound), bounds.upperBound)
        let length = held * 1000
        let (count, until) = (session.snoozeCount + 1, clock.now + length)
        commit.claim(
            Claim(
                asking: asking, facts: [.snoozed(session.occurrence, count: count, untilMilliseconds: until)],
                outcome: .snoozed(
                    session.name, untilMilliseconds: until, left: session.terms.snooze.max.map { $0 - count },
                    isClamped: held != wanted, ringing: sessions.firstRinging(besides: session.occurrence)?.name),
                pauseUntilUptime: clock.uptime + length))
    }

    private func refusalToSnooze(_ session: Session, _ asking: Asking) -> Refusal? {
        if let snoozeUptime, asking.uptime - snoozeUptime < Engine.repeatMilliseconds { return .tooSoon }
        // The press that has ended another, or one right behind it.
        if asking.door == .button, let endUptime, asking.uptime - endUptime < Engine.repeatMilliseconds {
            return .tooSoon
        }
        if let attempt = attempts.current, attempt.isFor(session.occurrence), attempt.isActive(uptime: clock.uptime) {
            return .validating
        }
        if let max = session.terms.snooze.max, session.snoozeCount >= max { return .noSnoozeLeft(max: max) }
        return nil
    }

    /// What whoever asks for a snooze is answered that is granted already.
    private func outcome(of session: Session) -> Outcome? {
        guard case .snoozed(let pause) = session.state else { return nil }
        return .snoozed(
            session.name, untilMilliseconds: pause.untilMilliseconds,
            left: session.terms.snooze.max.map { $0 - session.snoozeCount }, ringing: sessions.current?.name)
    }
}
