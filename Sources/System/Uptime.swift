// The clock that nobody sets: the time since the machine was started, sleep included.

import Glibc

/// The machine's uptime, on `CLOCK_BOOTTIME`: monotonic, sleep included.
package enum Uptime {
    /// Now, in milliseconds.
    package static var now: Double { Double(nanoseconds) / 1_000_000 }
    /// Now, in whole milliseconds.
    package static var milliseconds: Int { nanoseconds / 1_000_000 }
    package static var nanoseconds: Int { kernelNanoseconds(CLOCK_BOOTTIME) }
}

/// What one of the kernel's clocks shows.
package func kernelNanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
