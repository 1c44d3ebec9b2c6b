// Sessions: how they begin, pause, and continue after a restart.

import Agenda
import Alarms

extension Engine {
    mutating func fire(_ ring: PlannedRing, _ entry: AlarmEntry) {
        // An alarm ends a test.
        for session in sessions.all where session.terms.isTest { end(session, .cancelled, by: nil) }
        sessions.forgetTest()
        let seed = ring.seed
        begin(
            Session(
                occurrence: ring.occurrence,
                terms: Terms(of: agenda.droppingForgottenCodes(entry.alarm), agenda.settings, seed: seed),
                layer: ring.layer, revision: entry.position.revision,
                postponedTo: ring.isPostponed ? ring.at : nil, firedMilliseconds: clock.now, seed: seed))
    }

    private mutating func begin(_ session: Session) {
        record(.fired(session))
        // A late ring is as loud as one on time would be: it may have rung before a power cut, unrecorded.
        let late = session.lateSeconds > Agenda.lateSecondsMin ? clock.now - session.due.milliseconds : 0
        sessions.ring(session.occurrence, risenMilliseconds: late, at: clock.uptime)
    }

    /// Begins the test ring that is due: a session without an alarm.
    mutating func ringTest() {
        guard let ring = sessions.takeTest(at: clock.uptime) else { return }
        let terms = Terms(label: "Test", ring: ring, snooze: SnoozeSettings(), challenges: [], isTest: true)
        begin(
            Session(
                occurrence: Occurrence(alarm: "", at: clock.instant), terms: terms, layer: nil, revision: nil,
                firedMilliseconds: clock.now, seed: 0))
    }

    /// Continues every session after a restart: only the owner ends it.
    mutating func resumeSessions() {
        sessions.start()
        endForgotten()
        for session in sessions.all.sorted(by: { $0.ringOrderMilliseconds < $1.ringOrderMilliseconds }) {
            guard !session.terms.isTest else {
                end(session, .cancelled, by: nil)
                continue
            }
            // It rings at full volume, and its escalation continues.
            let risen = max(session.terms.ring.rampSeconds * 1000, session.rungMilliseconds(at: clock.now))
            let occurrence = session.occurrence
            var left = pauseLeftMilliseconds(session)
            // If the clock went back, the elapsed part of the pause is unknown. Each such start halves the
            // rest, so that pulling the plug repeatedly at most doubles a pause.
            if clock.hasGoneBack { left /= 2 }
            if left > 0 {
                sessions.change(occurrence) { [clock] in
                    $0.stayPaused(
                        for: left, risenMilliseconds: risen, isDoubtful: !clock.isTrusted, at: clock.uptime)
                }
                if clock.hasGoneBack { recordPause(of: session, endingAt: clock.now + left) }
            } else {
                sessions.ring(occurrence, risenMilliseconds: risen, at: clock.uptime)
                record(session.isChecking ? .checkFailed(occurrence) : .resumed(occurrence))
            }
        }
    }

    /// Ends the sessions that were open at the start and became due too long before it: the power was off.
    mutating func endForgotten() {
        guard clock.isTrusted else { return }
        for session in sessions.forgotten(at: clock.instant) { end(session, .unanswered, by: nil) }
    }

    /// Returns the rest of a session's pause: never more than the whole, even if the clock is wrong.
    private func pauseLeftMilliseconds(_ session: Session) -> Int {
        guard let pause = session.pause else { return 0 }
        let most =
            switch session.state {
            case .snoozed: session.terms.snoozeBounds.upperBound * 1000
            case .checking: session.terms.checkMilliseconds
            case .resting, .ringing, .challenged, .ended: session.terms.restMilliseconds
            }
        return min(pause.untilMilliseconds - clock.now, pause.milliseconds, most)
    }

    /// Shortens pauses whose end was an estimate, now that the clock is trusted.
    mutating func shortenDoubtfulPauses() {
        guard clock.isTrusted else { return }
        for session in sessions.all where session.pause?.isDoubtful == true {
            let end = clock.uptime + max(0, pauseLeftMilliseconds(session))
            sessions.change(session.occurrence) { $0.shorten(to: end) }
        }
    }

    /// Records the ends of pauses again after the clock was set. A pause is elapsed time and does not move.
    mutating func recordPauses() {
        for session in sessions.all {
            guard let pause = session.pause, !pause.isDoubtful, let uptime = pause.untilUptime else { continue }
            let until = clock.now + uptime - clock.uptime
            guard abs(until - pause.untilMilliseconds) > Clock.creepMax else { continue }
            recordPause(of: session, endingAt: until)
        }
    }

    private mutating func recordPause(of session: Session, endingAt until: Int) {
        switch session.state {
        case .snoozed: record(.snoozed(session.occurrence, count: session.snoozeCount, untilMilliseconds: until))
        case .resting: record(.rested(session.occurrence, count: session.restCount, untilMilliseconds: until))
        case .checking:
            record(.checkBegan(session.occurrence, count: session.checkCount, untilMilliseconds: until))
        case .ringing, .challenged, .ended: break
        }
    }

    /// Lets sessions whose pause is over ring again, behind those that ring already.
    mutating func endPauses() {
        while let session = sessions.endPause(at: clock.uptime) {
            // Recorded, so that after a restart with a wrong clock the session does not pause again.
            record(session.isChecking ? .checkFailed(session.occurrence) : .resumed(session.occurrence))
        }
    }
}
