// The tests of the share of rings that got the owner up, and of the rings that count.

import Agenda
import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct SuccessRateTests {
    private func past(_ ending: Ending, challengeCount: Int = 1, isTest: Bool = false) -> PastRing {
        let occurrence = Occurrence(alarm: "work", at: Instant(secondsSince1970: 0))
        let challenges = Array(repeating: Challenge(.steps(count: 10)), count: challengeCount)
        let terms = Terms(
            label: "", ring: RingSettings(), snooze: SnoozeSettings(), challenges: challenges, isTest: isTest)
        let session = Session(
            occurrence: occurrence, terms: terms, layer: .base, revision: nil, firedMilliseconds: 0, seed: 0)
        let missed = MissedRings(
            occurrence: occurrence, first: occurrence.at, label: "", lateWindowSeconds: 0, revision: 1,
            switchesOff: false)
        return ending == .missed
            ? PastRing(missed, endedMilliseconds: 0) : PastRing(session, ending, endedMilliseconds: 0)
    }

    /// Missed alarms and tests do not count. A ring without a challenge does not show whether the owner got
    /// up.
    @Test func rate_countsOnlyRingsWithChallenges() {
        #expect([].success == nil)
        #expect([past(.dismissed), past(.unanswered), past(.emergency), past(.dismissed)].success?.rate == 0.5)
        #expect([past(.unanswered)].success?.rate == 0)
        #expect([past(.missed)].success == nil)
        let uncounted = [
            past(.missed), past(.cancelled, isTest: true), past(.dismissed, challengeCount: 0),
            past(.dismissed, challengeCount: 0, isTest: true),
        ]
        #expect(uncounted.success == nil)
        #expect((uncounted + [past(.dismissed)]).success?.rate == 1)
    }

    /// Both count: the ring that was audible, and the one behind it that ended with it.
    @Test func sessionThatEndedByTheChallengesOfAnother_isASuccess() throws {
        let history = try history("math=1", "answer right")
        #expect(history.success?.rate == 1)
        #expect(history.map(\.session?.endedWith?.alarm) == [nil, "first"])
    }

    /// A ring that only shook is neither heard nor unfelt, as far as Rooster can tell.
    @Test func ringThatOnlyShook_isShaken() throws {
        let runner = try ScenarioRunner(
            after: scenarioLines(
                """
                given
                    clock 2026-01-12T06:00:00
                    alarm work 07:00 daily shake=yes sound=none
                    alarm tea 08:00 daily
                when
                    at 07:00:00
                    stop
                    at 08:00:00
                    stop
                    restart
                """))
        let past = runner.fixture.engine.history
        #expect(past.map(\.isUnheard) == [true, true] && past.map(\.isShaken) == [true, false])
    }

    /// If no card and no buzzer played the ring, it is `unheard`, however it ended. A ring that waits, or
    /// whose turn comes while another sounds, counts as heard.
    @Test func ringWithoutOutput_isUnheard() throws {
        func unheard(_ lines: String) throws -> [Bool] { try history("", lines).map(\.isUnheard) }
        #expect(try unheard("stop\nstop") == [true, true])
        #expect(try unheard("played usb:Speaker\nstop\nstop") == [false, false])
        #expect(try unheard("stop\nplayed usb:Speaker\nstop") == [true, false])
        #expect(try unheard("played usb:Speaker\nrestart\nstop\nstop") == [false, true])
        #expect(try unheard("played usb:Speaker\nstop second\nstop") == [false, false])
    }

    /// Returns the history of two alarms that are due at once, after these lines of a scenario.
    private func history(_ challenge: String, _ lines: String) throws -> [PastRing] {
        let scenario = scenarioLines(
            """
            given
            zone UTC
            clock 2026-01-12T06:59:00
            alarm first 07:00 daily \(challenge)
            alarm second 07:00 daily \(challenge)
            at 07:00:00
            \(lines)
            """)
        return try ScenarioRunner(after: scenario).fixture.engine.history
    }
}
