// The time since the machine was started, suspended time included. This clock is never set.

import Glibc

/// The machine's uptime, `CLOCK_BOOTTIME`: monotonic, suspended time included.
package enum Uptime {
    /// The uptime in milliseconds.
    package static var now: Double { Double(nanoseconds) / 1_000_000 }
    /// The uptime in whole milliseconds.
    package static var milliseconds: Int { nanoseconds / 1_000_000 }
    package static var nanoseconds: Int { kernelNanoseconds(CLOCK_BOOTTIME) }
}

/// Returns the time of one of the kernel's clocks.
package func kernelNanoseconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
