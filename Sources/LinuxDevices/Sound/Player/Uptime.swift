// The clock that nobody sets: the time since the machine was started, sleep included.

import Glibc

enum Uptime {
    /// Now, in milliseconds.
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Now, in whole milliseconds.
    static var milliseconds: Int { Int(now) }
}
