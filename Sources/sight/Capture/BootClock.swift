// The clock that nobody sets and that goes on while the machine sleeps.

import Glibc

enum BootClock {
    /// Now, in milliseconds since the machine was started.
    static var now: Double { milliseconds(CLOCK_BOOTTIME) }

    /// A frame's time by the clock that stands still while the machine sleeps, by this one. What a driver does not say, or says
    /// of the future, is now. An old one stays old: a frame that has waited while this program stood still is no new one.
    static func uptime(ofMonotonic taken: Double?) -> Int {
        let (now, monotonic) = (now, milliseconds(CLOCK_MONOTONIC))
        guard let taken, taken > 0, taken <= monotonic else { return Int(now) }
        return Int(now - (monotonic - taken))
    }

    private static func milliseconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
