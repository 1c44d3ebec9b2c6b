// The clock by which everything is timed that happens in two processes.

import Glibc
import System

func bootNanoseconds() -> Int { Uptime.nanoseconds }

/// What that clock shows when the clock on the wall shows that second.
func bootNanoseconds(atSecondsSince1970 seconds: Int) -> Int {
    // Whoever is interrupted between the two looks again.
    for _ in 0..<1000 {
        let before = bootNanoseconds()
        let wall = kernelNanoseconds(CLOCK_REALTIME)
        let after = bootNanoseconds()
        if after - before < 20_000 { return (before + after) / 2 + seconds * 1_000_000_000 - wall }
    }
    return bootNanoseconds() + seconds * 1_000_000_000 - kernelNanoseconds(CLOCK_REALTIME)
}

/// Sleeps until that time, as somebody does who has set a timer.
func sleep(untilNanoseconds end: Int) {
    var time = timespec(tv_sec: end / 1_000_000_000, tv_nsec: end % 1_000_000_000)
    while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
}
