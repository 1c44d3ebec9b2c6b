// The tests of the pattern, the steps and the draw of a roulette.

import Alarms
import CivilTime
import Testing

@testable import Challenges

@Suite struct PatternTests {
    @Test func pattern_usesBothButtons() {
        for seed in 0..<500 {
            var pattern = Pattern(length: 3, chance: SeededGenerator(seed: UInt64(seed)))
            #expect(pattern.buttons.count == 3 && Set(pattern.buttons).count == 2)
            _ = pattern.press(pattern.buttons[0] == .snooze ? .stop : .snooze)
            #expect(Set(pattern.buttons).count == 2)
        }
    }

    @Test func pattern_isDone_afterItsLastButton() {
        var pattern = Pattern(length: 5, chance: SeededGenerator(seed: 1))
        let buttons = pattern.buttons
        let results = buttons.map { button in pattern.press(button) }
        #expect(results == [.further, .further, .further, .further, .done])
    }

    /// A loose wire sends pulses in quick succession, which are no steps.
    @Test func pulses_thatComeTogether_countAsOneStep() {
        var steps = Steps(count: 2)
        #expect([0, 200, 400].map { uptime in steps.step(uptime: uptime) } == [.further, .nothing, .nothing])
        #expect(steps.left == 1 && steps.step(uptime: 650) == .done)
    }

    /// Neither the time of day nor the place of the alarm in a list makes a draw easier.
    @Test func roulette_drawsByAlarmAndDate() {
        let choices = [Challenge(.steps(count: 30)), Challenge(.pattern(length: 5)), Challenge(.tag(labels: ["key"]))]
        func draw(_ alarm: Alarm.ID, day: Int, second: Int) -> Challenge {
            let at = Instant(secondsSince1970: day * 86_400 + second)
            let ring = PlannedRing(
                occurrence: Occurrence(alarm: alarm, at: at), at: at, date: CivilDate(dayNumber: day), layer: .base)
            return Challenge(.roulette(choices)).drawn(seed: ring.seed, index: 0)
        }
        for day in 0..<30 { #expect(draw("work", day: day, second: 0) == draw("work", day: day, second: 60)) }
        #expect((0..<30).contains { draw("work", day: $0, second: 0) != draw("gym", day: $0, second: 0) })
        #expect(Set((0..<30).map { draw("work", day: $0, second: 0) }) == Set(choices))
        for challenge in choices { #expect(challenge.drawn(seed: 1, index: 0) == challenge) }
    }
}
