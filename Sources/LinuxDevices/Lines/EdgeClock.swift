// When an edge was, by the clock that the engine goes by.

import Glibc
import Loop

/// The kernel's CLOCK_MONOTONIC, which does not count sleep, beside CLOCK_BOOTTIME, which does: both as of one moment.
struct EdgeClock: Hashable, Sendable {
    private let monotonicNanoseconds: Int
    private let bootNanoseconds: Int

    init(monotonicNanoseconds: Int, bootNanoseconds: Int) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.bootNanoseconds = bootNanoseconds
    }

    static var now: EdgeClock {
        EdgeClock(monotonicNanoseconds: kernelNanoseconds(CLOCK_MONOTONIC), bootNanoseconds: Uptime.nanoseconds)
    }

    /// That moment, in milliseconds since the machine was started.
    var uptime: Int { bootNanoseconds / 1_000_000 }

    /// When an edge was that has this time stamp, in milliseconds since the machine was started.
    ///
    /// Nil for a stamp that is none: kernels before 5.7 stamp edges with the wall clock, which is far ahead.
    func uptime(ofEdgeAt stamp: UInt64) -> Int? {
        guard stamp > 0, stamp <= UInt64(max(0, monotonicNanoseconds)) else { return nil }
        return (bootNanoseconds - (monotonicNanoseconds - Int(stamp))) / 1_000_000
    }
}
