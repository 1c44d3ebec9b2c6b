// The tests of the best-known time.

import CivilTime
import Oracles
import Testing

@testable import Agenda

@Suite struct ClockTests {
    private static let start = 1_768_197_600_000

    private static func moment(_ wall: Int, _ uptime: Int) -> Moment {
        Moment(wallMilliseconds: wall, uptimeMilliseconds: uptime)
    }

    /// The time of a trusted clock is the system's. Only a jump is a step: time servers adjust a clock all day.
    @Test(arguments: 0..<100) func trustedClock_followsTheSystem_andReportsJumps(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var clock = Clock()
        clock.trust(true)
        var (wall, uptime) = (Self.start, 5000)
        #expect(clock.update(at: Self.moment(wall, uptime), newest: 0) == nil)
        for _ in 0..<50 {
            let elapsed = Int.random(in: 0...100_000, using: &random)
            let jump = [0, 0, 400, -400, 3_600_000, -3_600_000].randomElement(using: &random) ?? 0
            let (expected, version) = (wall + elapsed, clock.version)
            (wall, uptime) = (expected + jump, uptime + elapsed)
            let step = clock.update(at: Self.moment(wall, uptime), newest: wall + 9_000_000)
            #expect(step == (abs(jump) > Clock.creepMax ? Clock.Step(from: expected, to: wall) : nil))
            #expect(clock.now == wall && clock.uptime == uptime && (clock.version > version) == (step != nil))
            #expect(clock.instant == Instant(milliseconds: wall) && clock.wall(wall) == wall && !clock.hasGoneBack)
        }
    }

    /// A machine without a hardware clock starts at an earlier time than that of its newest record.
    @Test func untrustedClock_isNoEarlierThanTheNewestRecord_untilItIsTrusted() {
        var clock = Clock()
        let newest = Self.start + 60_000
        #expect(clock.update(at: Self.moment(Self.start, 0), newest: newest) == nil)
        #expect(clock.now == newest && clock.hasGoneBack && clock.wall(newest) == Self.start)
        // Time passes as uptime does.
        #expect(clock.update(at: Self.moment(Self.start + 5000, 5000), newest: newest) == nil)
        #expect(clock.now == newest + 5000)
        let version = clock.version
        clock.trust(true)
        #expect(clock.now == Self.start + 5000 && !clock.hasGoneBack && clock.version > version)
    }
}
