// What a roulette comes to.

import Alarms
import CivilTime
import Testing

@testable import Engine

@Suite struct RouletteTests {
    /// The kinds that the roulette of an alarm has come to on each of some days, each day heard twice: before and after a
    /// restart that found nothing of the ring.
    private func drawnKinds(days: Int) -> [(first: Challenge.Kind?, again: Challenge.Kind?)] {
        var bedside = Bedside(wallMilliseconds: 1_768_197_600_000, zone: .utc)
        bedside.start()
        var alarm = Alarm(id: "work")
        alarm.time = ClockTime("07:00")
        alarm.recurrence = Recurrence(.daily)
        alarm.challenges = [
            Challenge(
                .roulette([
                    Challenge(.steps(count: 12)), Challenge(.sums(level: 1, count: 3, limitSeconds: 60)),
                    Challenge(.pattern(length: 5)),
                ]))
        ]
        bedside.ask(.save(alarm))
        return (0..<days).map { day in
            bedside.disk = .failing
            bedside.pass(milliseconds: 3_600_000)
            let first = bedside.engine.current?.openChallenge?.kind
            bedside.start(seed: UInt64(day) + 2)
            let again = bedside.engine.current?.openChallenge?.kind
            bedside.disk = .quick
            bedside.pass(milliseconds: 23 * 3_600_000)
            return (first, again)
        }
    }

    @Test func restartThatFindsNothingOfTheRing_drawsTheSameAgain() {
        for (first, again) in drawnKinds(days: 30) {
            #expect(first != nil)
            #expect(first == again)
        }
    }

    @Test func otherDays_mayHaveOthers() {
        #expect(Set(drawnKinds(days: 30).map(\.first)).count == 3)
    }
}
