// The tests of the challenge that a roulette draws.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct RouletteTests {
    private static let stepsOrPattern = Challenge(
        .roulette([Challenge(.steps(count: 500)), Challenge(.pattern(length: 3))]))

    /// Returns the kinds that a roulette draws on each day, before and after a restart that has lost the
    /// ring.
    private func drawnKinds(days: Int) -> [(first: Challenge.Kind?, again: Challenge.Kind?)] {
        var fixture = EngineFixture(wallMilliseconds: 1_768_197_600_000, zone: .utc)
        fixture.start()
        let wheel = Challenge(
            .roulette([
                Challenge(.steps(count: 12)), Challenge(.sums(level: 1, count: 3, limitSeconds: 60)),
                Challenge(.pattern(length: 5)),
            ]))
        fixture.ask(.save(.daily("work", "07:00", wheel)))
        return (0..<days).map { day in
            fixture.disk = .failing
            fixture.pass(milliseconds: 3_600_000)
            let first = fixture.engine.sessions.current?.openChallenge?.kind
            fixture.start(seed: UInt64(day) + 2)
            let again = fixture.engine.sessions.current?.openChallenge?.kind
            fixture.disk = .quick
            fixture.pass(milliseconds: 23 * 3_600_000)
            return (first, again)
        }
    }

    @Test func repeatedUnlock_drawsOnce() {
        var fixture = EngineFixture(wallMilliseconds: 1_768_197_600_000, zone: .utc)
        fixture.start()
        for id in ["work", "other"] { fixture.ask(.save(.daily(id, "07:00", Self.stepsOrPattern))) }
        fixture.pass(milliseconds: 45 * 60_000)
        var kinds: Set<Challenge.Kind?> = []
        for seed in 1...10 {
            fixture.ask(.unlock("work"))
            kinds.insert(fixture.engine.challengeState.current?.assignment.kind)
            fixture.ask(.unlock("other"))
            fixture.start(seed: UInt64(seed))
        }
        fixture.pass(milliseconds: 16 * 60_000)
        kinds.insert(fixture.engine.sessions.all.first { $0.occurrence.alarm == "work" }?.openChallenge?.kind)
        #expect(kinds.count == 1 && !kinds.contains(nil), "\(kinds)")
    }

    /// Moving an alarm to an earlier time must not draw again.
    @Test func draw_isTheSame_whenTheRingMovesToAnEarlierTime() {
        var fixture = EngineFixture(wallMilliseconds: 1_768_197_600_000, zone: .utc)
        fixture.start()
        var alarm = Alarm.daily("work", "07:00", Self.stepsOrPattern)
        var kinds: Set<Challenge.Kind?> = []
        for second in 0..<20 {
            alarm.time = ClockTime(hour: 7, minute: 0, second: 40 - second)
            fixture.ask(.save(alarm))
            var copy = fixture
            copy.pass(milliseconds: 61 * 60_000)
            kinds.insert(copy.engine.sessions.current?.openChallenge?.kind)
        }
        #expect(kinds.count == 1 && !kinds.contains(nil), "\(kinds)")
    }

    @Test func draw_afterARestartWithoutRecords_isTheSame_andDiffersByDay() {
        let drawn = drawnKinds(days: 30)
        #expect(drawn.allSatisfy { $0.first != nil && $0.first == $0.again })
        #expect(Set(drawn.map(\.first)).count == 3)
    }
}
