// When nobody answers.

import Alarms

extension Engine {
    /// So long a session rests that nobody answered.
    static let restMilliseconds = 300_000
    /// So often it rings until it gives up.
    private static let roundsMax = 3
    /// Whoever looks so late has slept, and so has the machine: nobody could hear it meanwhile.
    private static let sleptMilliseconds = 60_000
    /// So long a test rings at most.
    private static let testSeconds = 60

    /// When the session that is heard has rung unanswered for long enough.
    var givingUpUptime: Int? {
        // A snooze that is being written down is an answer.
        guard let session = current, !outbox.hasClaim else { return nil }
        let since = heard.flatMap { $0.occurrence == session.occurrence ? $0.sinceUptime : nil } ?? clock.uptime
        let seconds =
            session.terms.isTest
            ? min(session.terms.ring.ringSeconds, Engine.testSeconds) : session.terms.ring.ringSeconds
        return since + seconds * 1000
    }

    /// Lets a session rest that nobody answers, and end when it has rested twice.
    mutating func giveUp() {
        guard let session = current, let until = givingUpUptime, until <= clock.uptime else { return }
        if session.terms.isTest {
            end(session, .cancelled, by: nil)
        } else if clock.uptime - until >= Engine.sleptMilliseconds {
            heard = (session.occurrence, clock.uptime)
        } else if session.restCount + 1 < Engine.roundsMax {
            voices[session.occurrence]?.pause(until: clock.uptime + Engine.restMilliseconds, at: clock.uptime)
            note(
                .rested(
                    session.occurrence, count: session.restCount + 1,
                    untilMilliseconds: clock.now + Engine.restMilliseconds))
        } else {
            end(session, .unanswered, by: nil)
        }
    }

    /// Somebody is there: the session has been answered, if not ended.
    mutating func answered() {
        guard let heard else { return }
        self.heard = (heard.occurrence, clock.uptime)
    }
}
