// Promises 2 and 6: the sound of an unanswered ring escalates in time, and never goes back.

import Alarms
import Engine

/// The checker's record of the escalation of one session. Times are milliseconds of the night's time.
struct EscalationWatch {
    /// The least time for which the session has certainly rung.
    private var rungMilliseconds = 0
    private var observedAt: Int
    /// The number of pauses, which may each have begun earlier than they were heard.
    private var pauseCount = 0
    /// The number of steps that were heard.
    private var reachedCount = 0
    private var clockSetCount: Int?

    init(at now: Int) { observedAt = now }

    /// Records a restart, which computes the time from the records and the clock. Both may lack some of it.
    mutating func restarted(isBehind: Bool, _ night: Simulation) {
        reachedCount = 0
        let isSure = !isBehind && night.clock.isTrusted && clockSetCount == night.clockSetCount
        if !isSure { (rungMilliseconds, observedAt) = (0, night.now) }
        clockSetCount = night.clockSetCount
    }

    /// Observes the session after an input. `sound` is the ordered one if this session alone rings.
    mutating func observe(
        _ current: SessionStatus, wasRinging: Bool, _ sound: String?, _ night: Simulation, _ checker: InvariantChecker
    ) {
        if wasRinging { rungMilliseconds += night.now - observedAt }
        observedAt = night.now
        clockSetCount = clockSetCount ?? night.clockSetCount
        let session = current.session
        if wasRinging, !session.isRinging { pauseCount += 1 }
        guard session.isRinging, let sound else { return }
        let sounds = [session.terms.ring.sound] + session.terms.escalation.map(\.sound)
        let slack = 1000 + pauseCount * Silence.graceMilliseconds
        let dueCount = session.terms.escalation.count { $0.afterSeconds * 1000 + slack <= rungMilliseconds }
        guard let last = sounds.lastIndex(of: sound), let first = sounds.firstIndex(of: sound) else {
            return checker.report(.sound, "\(session.occurrence) rings with \(sound), which is not its own")
        }
        if last < dueCount { checker.report(.sound, "\(session.occurrence) has not escalated to \(sounds[dueCount])") }
        if last < reachedCount { checker.report(.loudness, "the escalation of \(session.occurrence) went back") }
        reachedCount = max(reachedCount, first)
    }
}
