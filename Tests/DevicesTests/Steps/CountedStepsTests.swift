// The tests that turn a counter's values into plausible steps.

import Oracles
import Testing

@testable import Devices

@Suite struct CountedStepsTests {
    /// Returns the number of steps for the engine, which merges steps closer than 250 ms.
    private func counted(_ uptimes: [Int]) -> Int {
        var last: Int?
        return uptimes.count { uptime in
            defer { last = uptime }
            return last.map { uptime - $0 >= 250 } ?? true
        }
    }

    @Test func countBeforeTheStart_isIgnored() {
        var steps = CountedSteps(count: 1000, uptime: 0)
        #expect(steps.read(1000, uptime: 500) == [])
        #expect(steps.read(1002, uptime: 1000) == [0, 250])
    }

    @Test func counterThatGoesBack_startsOver() {
        var steps = CountedSteps(count: 1000, uptime: 0)
        #expect(steps.read(3, uptime: 500) == [])
        #expect(steps.read(4, uptime: 1000) == [0])
        #expect(steps.read(.min, uptime: 1500) == [])
        #expect(steps.read(.max, uptime: 2000) == [])
    }

    /// A step counter reports the first ten steps of a walk at once. Thousands at once mean a defect, and
    /// must not complete a challenge.
    @Test func stepsReportedAtOnce_count_ifTheTimeSufficed() {
        var steps = CountedSteps(count: 0, uptime: 0)
        for uptime in stride(from: 500, through: 60_000, by: 500) { #expect(steps.read(0, uptime: uptime) == []) }
        #expect(steps.read(10, uptime: 60_500).count == 10)
        #expect(steps.read(10_000, uptime: 120_000) == [])
        #expect(steps.read(10_010, uptime: 120_500) == [])
        #expect(steps.read(10_012, uptime: 121_000) == [120_500, 120_750])
    }

    /// At any pace and with any delay of the reader, each step is reported once, in time, and counts.
    @Test func everyStepOfAWalk_counts() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<Thoroughness.pick(300, full: 30_000) {
            let start = Int.random(in: 0...1_000_000, using: &random)
            var walk: [Int] = []
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                walk.append(
                    (walk.last ?? start)
                        + Int.random(in: 250...([300, 700, 4000].randomElement(using: &random) ?? 0), using: &random))
            }
            let before = Int32.random(in: 0...1_000_000, using: &random)
            var steps = CountedSteps(count: before, uptime: start)
            var (told, now): ([Int], Int) = ([], start)
            while now < walk[walk.count - 1] {
                now += Int.random(in: 500...2500, using: &random)
                let new = steps.read(before + Int32(walk.count { $0 <= now }), uptime: now)
                #expect(new.allSatisfy { start...now ~= $0 })
                told += new
            }
            #expect(told.count == walk.count)
            #expect(counted(told) == walk.count)
        }
    }

    /// No counter value produces more than four steps a second or a step in the future.
    @Test func anyCounter_givesAtMostFourStepsASecond() {
        var random = SeededRandom(seed: 8)
        for _ in 0..<Thoroughness.pick(300, full: 30_000) {
            var now = Int.random(in: 0...1_000_000, using: &random)
            let start = now
            var steps = CountedSteps(count: Int32.random(in: .min ... .max, using: &random), uptime: now)
            var told: [Int] = []
            for _ in 0..<50 {
                now += Int.random(in: 0...8000, using: &random)
                let range = Bool.random(using: &random) ? Int32(0)...50 : Int32.min...Int32.max
                let new = steps.read(Int32.random(in: range, using: &random), uptime: now)
                #expect(new.allSatisfy { $0 <= now })
                told += new
            }
            #expect(counted(told) == told.count)
            #expect(told.count <= (now - start) / 250 + 1)
        }
    }
}
