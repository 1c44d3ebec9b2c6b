// The boot clock, which times events across two processes: no program sets it.

import Glibc
import System

func bootNanoseconds() -> Int { Uptime.nanoseconds }

/// Returns the boot clock's time at a given second of the wall clock.
func bootNanoseconds(atSecondsSince1970 seconds: Int) -> Int {
    // The readings must lie within 20 µs. If the kernel interrupts them, they are taken again.
    for _ in 0..<1000 {
        let before = bootNanoseconds()
        let wall = kernelNanoseconds(CLOCK_REALTIME)
        let after = bootNanoseconds()
        if after - before < 20_000 { return (before + after) / 2 + seconds * 1_000_000_000 - wall }
    }
    return bootNanoseconds() + seconds * 1_000_000_000 - kernelNanoseconds(CLOCK_REALTIME)
}

/// Sleeps until a time of the boot clock, on a kernel timer.
func sleep(untilNanoseconds end: Int) {
    var time = timespec(tv_sec: end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
    while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
}
