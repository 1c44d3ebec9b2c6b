// The tests of wake times, which become due by the wall clock or the uptime.

import CivilTime
import Testing

@testable import Devices

@Suite struct WakeTimesTests {
    /// Returns true if a time is due at these clock readings.
    func take(_ times: inout WakeTimes, _ wall: Int, _ uptime: Int) -> Bool {
        times.removeDue(at: Moment(wallMilliseconds: wall, uptimeMilliseconds: uptime))
    }

    @Test func time_isDueWhenTheClockShowsIt_andOnce() {
        var times = WakeTimes(wallMilliseconds: 5000)
        #expect(!take(&times, 4999, 9999))
        #expect(take(&times, 5000, 9999))
        #expect(!take(&times, 6000, 9999))
    }

    @Test func eachClock_hasItsOwnTime() {
        var times = WakeTimes(wallMilliseconds: 5000, uptimeMilliseconds: 70)
        #expect(take(&times, 1, 70))
        #expect(times == WakeTimes(wallMilliseconds: 5000))
        #expect(take(&times, 9000, 0))
        #expect(times == WakeTimes())
    }

    @Test func emptyWakeTimes_areNeverDue() {
        var times = WakeTimes()
        #expect(!take(&times, .max, .max))
    }

    @Test func trust_hasADescription() {
        let texts = ["set by the network", "set by the hardware clock", "not set"]
        #expect(ClockTrust.allCases.map(\.description) == texts)
        #expect(ClockTrust.allCases.map(\.isTrusted) == [true, true, false])
    }
}
