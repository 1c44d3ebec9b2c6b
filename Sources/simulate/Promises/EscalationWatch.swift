// Promises 2 and 6: an unanswered ring escalates in time and never goes back. The shaker shakes only in a ring.

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
        let sounds = session.terms.sounds
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

/// The checker's record of the shaker.
struct ShakerWatch {
    var order: ShakeOrder?

    /// Checks that the shaker shakes if and only if a session that rings is felt.
    func check(_ status: Status, _ checker: InvariantChecker) {
        let ringing = status.sessions.lazy.map(\.session).filter(\.isRinging).map(\.terms)
        let mayShake = ringing.contains { $0.ring.shakes || $0.escalation.contains(where: \.shakes) }
        let isAsking = status.sessions.contains { $0.asksMilliseconds == 0 && $0.session.terms.ring.isSilent }
        if order != nil, !mayShake, !(ringing.isEmpty && isAsking) {
            checker.report(.sound, "the shaker shakes without a session that is felt")
        }
        if order == nil, ringing.contains(where: \.ring.shakes) {
            checker.report(.sound, "a session rings without the shaker")
        }
    }
}

extension Terms {
    /// The sound of the session at its beginning and after each step.
    var sounds: [String] {
        escalation.reduce(into: [ring.sound]) { $0.append($1.sound ?? $0[$0.count - 1]) }
    }

    /// The silence of a session: the rules allow it, or require it.
    var silence: (isAllowed: Bool, isRequired: Bool) {
        let isFelt = ring.isSilent && ring.shakes
        return (isFelt, isFelt && (ring.volume == 0 || escalation.allSatisfy { $0.sound == nil }))
    }
}
