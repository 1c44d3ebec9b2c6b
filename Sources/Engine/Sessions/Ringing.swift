// How a session begins, takes its turn, and goes on after a restart.

import Alarms

extension Engine {
    /// An alarm is due.
    mutating func fire(_ ring: PlannedRing, _ entry: AlarmEntry) {
        // An alarm does not wait for a test to be over.
        for session in sessions.all where session.terms.isTest { end(session, .cancelled, by: nil) }
        sessions.forgetTest()
        let seed = ring.seed
        begin(
            Session(
                occurrence: ring.occurrence, terms: Terms(of: entry.alarm, agenda.settings, seed: seed),
                layer: ring.layer, revision: entry.position.revision, firedMilliseconds: clock.now, seed: seed))
    }

    private mutating func begin(_ session: Session) {
        note(.fired(session))
        // What is late is as loud as it would be by now: it may have rung before a power cut that nobody could write down.
        let late = session.lateSeconds > Agenda.lateSecondsMin ? clock.now - session.occurrence.at.milliseconds : 0
        sessions.ring(session.occurrence, risenMilliseconds: late, at: clock.uptime)
    }

    /// The owner wants to hear how it rings. It is a session of no alarm.
    mutating func ringTest() {
        guard let ring = sessions.takeTest(at: clock.uptime) else { return }
        let terms = Terms(label: "Test", ring: ring, snooze: SnoozeSettings(), challenges: [], isTest: true)
        begin(
            Session(
                occurrence: Occurrence(alarm: "", at: clock.instant), terms: terms, layer: nil, revision: nil,
                firedMilliseconds: clock.now, seed: 0))
    }

    /// After a restart, every session goes on: nothing but its owner ends it.
    mutating func resumeSessions() {
        sessions.start()
        endForgotten()
        for session in sessions.all.sorted(by: { $0.turnMilliseconds < $1.turnMilliseconds }) {
            guard !session.terms.isTest else {
                end(session, .cancelled, by: nil)
                continue
            }
            let (occurrence, risen) = (session.occurrence, session.terms.ring.rampSeconds * 1000)
            var left = pauseLeftMilliseconds(session)
            // By a clock that went back nobody knows how much of the pause is over. Each such start halves what is left, so that
            // pulling the plug again and again makes a pause at most twice as long.
            if clock.hasGoneBack { left /= 2 }
            if left > 0 {
                sessions.change(occurrence) { [clock] in
                    $0.stayPaused(
                        for: left, risenMilliseconds: risen, isDoubtful: !clock.isTrusted, at: clock.uptime)
                }
                if clock.hasGoneBack { writeDownPause(of: session, endingAt: clock.now + left) }
            } else {
                sessions.ring(occurrence, risenMilliseconds: risen, at: clock.uptime)
                note(.resumed(occurrence))
            }
        }
    }

    /// Ends the sessions that the start found too long after they became due: the power was off.
    mutating func endForgotten() {
        guard clock.isTrusted else { return }
        for session in sessions.forgotten(at: clock.instant) { end(session, .unanswered, by: nil) }
    }

    /// How long a session is still to be silent: never longer than the whole pause, whatever the clock did while the power was off.
    private func pauseLeftMilliseconds(_ session: Session) -> Int {
        guard let pause = session.pause else { return 0 }
        let isSnooze = if case .snoozed = session.state { true } else { false }
        let most = isSnooze ? session.terms.snoozeBounds.upperBound * 1000 : Sessions.restMilliseconds
        return min(pause.untilMilliseconds - clock.now, pause.milliseconds, most)
    }

    /// The time is known now: pauses whose end had to be guessed end no later than they should.
    mutating func shortenDoubtfulPauses() {
        guard clock.isTrusted else { return }
        for session in sessions.all where session.pause?.isDoubtful == true {
            let end = clock.uptime + max(0, pauseLeftMilliseconds(session))
            sessions.change(session.occurrence) { $0.shorten(to: end) }
        }
    }

    /// A pause is elapsed time and does not move with the clock: where the clock was set, its end is written down anew.
    mutating func writeDownPauses() {
        for session in sessions.all {
            guard let pause = session.pause, !pause.isDoubtful, let uptime = pause.untilUptime else { continue }
            let until = clock.now + uptime - clock.uptime
            guard abs(until - pause.untilMilliseconds) > Clock.creepMax else { continue }
            writeDownPause(of: session, endingAt: until)
        }
    }

    private mutating func writeDownPause(of session: Session, endingAt until: Int) {
        switch session.state {
        case .snoozed: note(.snoozed(session.occurrence, count: session.snoozeCount, untilMilliseconds: until))
        case .resting: note(.rested(session.occurrence, count: session.restCount, untilMilliseconds: until))
        case .ringing, .challenged, .ended: break
        }
    }

    /// Whoever was silent for long enough rings again, behind those that ring already.
    mutating func endPauses() {
        while let occurrence = sessions.endPause(at: clock.uptime) {
            // Whatever a clock says after the next restart: it is not silent for this again.
            note(.resumed(occurrence))
        }
    }
}
