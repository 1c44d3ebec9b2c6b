// How a session begins, takes its turn, and goes on after a restart.

import Alarms
import CivilTime

extension Engine {
    /// The session that is heard: of those that ring, the one whose turn came first.
    var current: Session? { firstRinging(besides: nil) }

    /// The session that is heard when another falls silent.
    func firstRinging(besides silent: Occurrence?) -> Session? {
        var first: (session: Session, turn: Int)?
        for session in ledger.sessions where session.occurrence != silent {
            guard let voice = voices[session.occurrence], voice.isRinging else { continue }
            if first.map({ voice.turn < $0.turn }) ?? true { first = (session, voice.turn) }
        }
        return first?.session
    }

    /// The session that a stop, an answer or a code is meant for: the one that is heard, else of those that are silent for now
    /// the one that rings first.
    var addressed: Session? {
        current ?? ledger.sessions.min { silentUntilUptime($0) < silentUntilUptime($1) }
    }

    /// When a session that is silent rings again.
    private func silentUntilUptime(_ session: Session) -> Int { voices[session.occurrence]?.pausedUntilUptime ?? .max }

    /// An alarm is due.
    mutating func fire(_ ring: PlannedRing, _ entry: AlarmEntry) {
        // An alarm does not wait for a test to be over.
        for session in ledger.sessions where session.terms.isTest { end(session, .cancelled, by: nil) }
        testRing = nil
        // The cursor of an alarm that an untrusted clock saved is at this ring from now on, by elapsed time too.
        if entry.position.isProvisional {
            savedUptimes[entry.id] = clock.uptime - clock.now + ring.occurrence.at.milliseconds
        }
        let seed = ring.seed
        begin(
            Session(
                occurrence: ring.occurrence, terms: Terms(of: entry.alarm, ledger.settings, seed: seed),
                layer: ring.layer, revision: entry.position.revision, firedMilliseconds: clock.now, seed: seed))
    }

    private mutating func begin(_ session: Session) {
        turnCount += 1
        // What is late is as loud as it would be by now: it may have rung before a power cut that nobody could write down.
        let late = session.lateSeconds > Engine.lateSecondsMin ? clock.now - session.occurrence.at.milliseconds : 0
        voices[session.occurrence] = Voice(ringingAt: clock.uptime, rampMilliseconds: late, turn: turnCount)
        note(.fired(session))
    }

    /// The owner wants to hear how it rings. It is a session of no alarm.
    mutating func ringTest() {
        guard let test = testRing, test.atUptime <= clock.uptime else { return }
        testRing = nil
        guard ledger.sessions.isEmpty else { return }
        let terms = Terms(label: "Test", ring: test.ring, snooze: SnoozeSettings(), challenges: [], isTest: true)
        begin(
            Session(
                occurrence: Occurrence(alarm: "", at: clock.instant), terms: terms, layer: nil, revision: nil,
                firedMilliseconds: clock.now, seed: 0))
    }

    /// After a restart, every session goes on: nothing but its owner ends it.
    mutating func resumeSessions() {
        foundAtStart = Set(ledger.sessions.map(\.occurrence))
        endForgotten()
        for session in ledger.sessions.sorted(by: { $0.turnMilliseconds < $1.turnMilliseconds }) {
            guard !session.terms.isTest else {
                end(session, .cancelled, by: nil)
                continue
            }
            let full = session.terms.ring.rampSeconds * 1000
            var left = pauseLeftMilliseconds(session)
            // By a clock that went back nobody knows how much of it is over. Each such start halves what is left: pulling the
            // plug again and again does not make it longer than twice what it was.
            if clock.hasGoneBack { left /= 2 }
            if left > 0 {
                voices[session.occurrence] = Voice(
                    pausedAt: clock.uptime, until: clock.uptime + left, rampMilliseconds: full,
                    isDoubtful: !clock.isTrusted)
                if clock.hasGoneBack { writeDownPause(of: session, endingAt: clock.now + left) }
            } else {
                turnCount += 1
                voices[session.occurrence] = Voice(ringingAt: clock.uptime, rampMilliseconds: full, turn: turnCount)
                note(.resumed(session.occurrence))
            }
        }
    }

    /// A session that the start found, and that became due so long ago that nobody is to be woken by it any more, ends: the
    /// power was off.
    mutating func endForgotten() {
        guard clock.isTrusted else { return }
        for session in ledger.sessions
        where foundAtStart.contains(session.occurrence)
            && clock.instant.seconds(since: session.occurrence.at) > Engine.forgottenSeconds
        {
            end(session, .unanswered, by: nil)
        }
    }

    private static let forgottenSeconds = 12 * 3600

    /// How long a session is still to be silent. While the machine was off, no clock of it ran that could be trusted; so
    /// what is left is never more than all of it.
    private func pauseLeftMilliseconds(_ session: Session) -> Int {
        guard let pause = session.pause else { return 0 }
        let most =
            switch pause.reason {
            case .snooze: session.terms.snoozeBounds.upperBound * 1000
            case .rest: Engine.restMilliseconds
            }
        return min(pause.untilMilliseconds - clock.now, pause.milliseconds ?? most, most)
    }

    /// The time is known now: pauses whose end had to be guessed end no later than they should.
    mutating func shortenDoubtfulPauses() {
        guard clock.isTrusted else { return }
        for session in ledger.sessions where voices[session.occurrence]?.isDoubtful == true {
            let end = clock.uptime + max(0, pauseLeftMilliseconds(session))
            voices[session.occurrence]?.shorten(to: end)
        }
    }

    /// A pause is elapsed time and does not move with the clock: where the clock was set, its end is written down anew.
    mutating func writeDownPauses() {
        for session in ledger.sessions {
            guard let pause = session.pause, let voice = voices[session.occurrence], !voice.isDoubtful,
                let uptime = voice.pausedUntilUptime
            else { continue }
            let until = clock.now + uptime - clock.uptime
            guard abs(until - pause.untilMilliseconds) > Clock.creepMax else { continue }
            writeDownPause(of: session, endingAt: until)
        }
    }

    private mutating func writeDownPause(of session: Session, endingAt until: Int) {
        switch session.pause?.reason {
        case .snooze?: note(.snoozed(session.occurrence, count: session.snoozeCount, untilMilliseconds: until))
        case .rest?: note(.rested(session.occurrence, count: session.restCount, untilMilliseconds: until))
        case nil: break
        }
    }

    /// Whoever was silent for long enough rings again, behind those that ring already.
    mutating func endPauses() {
        let over = ledger.sessions.filter { silentUntilUptime($0) <= clock.uptime }
        for session in over.sorted(by: { silentUntilUptime($0) < silentUntilUptime($1) }) {
            turnCount += 1
            voices[session.occurrence]?.ring(at: clock.uptime, turn: turnCount)
            // Whatever a clock says after the next restart: it is not silent for this again.
            note(.resumed(session.occurrence))
        }
    }
}
