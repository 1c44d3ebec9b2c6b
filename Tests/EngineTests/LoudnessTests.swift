// How loud it is while several ring.

import Alarms
import CivilTime
import Foundation
import Oracles
import Testing

@testable import Engine

@Suite struct LoudnessTests {
    /// Whoever joins those who ring makes it louder, or leaves it as loud as it was, to the millisecond, though the clock that
    /// each was due by was set meanwhile.
    @Test(arguments: 0..<20) func everyRing_makesItNoSofter(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var bedside = Bedside(wallMilliseconds: 1_768_197_600_000, zone: .utc)
        bedside.start()
        for number in 0..<9 {
            var alarm = Alarm(id: "\(number)")
            alarm.time = ClockTime("07:0\(number)")
            alarm.recurrence = Recurrence(.daily)
            // All of them are as loud as they will be at about the same time.
            alarm.ring.rampSeconds = 590 - 60 * number + Int.random(in: 0...9, using: &random)
            bedside.ask(.save(alarm))
        }
        bedside.pass(milliseconds: 3_600_000)
        for number in 1..<9 {
            bedside.pass(milliseconds: 30_000)
            bedside.wallMilliseconds += Int.random(in: -900...900, using: &random)
            bedside.give(.timer)
            bedside.pass(milliseconds: 59_999 - bedside.wallMilliseconds % 60_000)
            let order = try #require(bedside.sound)
            bedside.pass(milliseconds: 1)
            #expect(bedside.engine.sessions.all.count(where: \.isRinging) == number + 1)
            let (now, after) = (bedside.uptimeMilliseconds, try #require(bedside.sound))
            #expect(after.decibels(at: now) >= order.decibels(at: now) - 1e-9, "\(number)")
        }
    }
}

extension SoundOrder {
    /// It rises evenly in decibels, from 40 below the full level.
    fileprivate func decibels(at uptime: Int) -> Double {
        let part = ring.rampSeconds == 0 ? 1 : Double(uptime - rampStartUptime) / Double(ring.rampSeconds * 1000)
        return 20 * log10(ring.volume) - 40 * (1 - min(max(part, 0), 1))
    }
}
