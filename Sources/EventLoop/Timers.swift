// The kernel's timers, and deadlines on a loop.

import CLinux
import Glibc
import System

/// A timerfd: it becomes readable when one of the kernel's clocks reaches a time.
package struct KernelTimer: Sendable {
    package enum Expiration: Hashable {
        case expired
        /// The clock was set since the last read.
        case clockSet
        /// The timer was armed again after it became readable.
        case nothing

        /// The result of a read that returned `byteCount` bytes or failed.
        init(byteCount: Int, errorNumber: Int32) {
            self =
                if byteCount > 0 { .expired } else if errorNumber == ECANCELED { .clockSet } else { .nothing }
        }
    }

    private let descriptor: OwnedDescriptor
    private let clock: clockid_t

    /// A timer on `CLOCK_BOOTTIME`, which cannot be set, or on `CLOCK_REALTIME`.
    package init(_ clock: clockid_t) throws(SystemCallError) {
        // Reads must not block, and child processes must not inherit the descriptor.
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        descriptor = try OwnedDescriptor(timerfd_create(clock, flags), of: .time)
        self.clock = clock
    }

    package var number: Int32 { descriptor.number }

    /// Arms the timer for a time, in place of any earlier one; nil for never. Returns whether the clock was
    /// set since this was last reported. On `CLOCK_REALTIME`, never is a distant year: an unarmed timer
    /// reports no step of the clock.
    package func set(milliseconds: Int?) -> Bool {
        let tellsSteps = clock == CLOCK_REALTIME
        let milliseconds = milliseconds ?? (tellsSteps ? itimerspec.farthestMilliseconds : nil)
        var setting = itimerspec(milliseconds: milliseconds)
        let flags = Int32(TFD_TIMER_ABSTIME) | (tellsSteps ? Int32(TFD_TIMER_CANCEL_ON_SET) : 0)
        var clockWasSet = false
        // A step that no read has reported yet makes this call fail, once. It has no other way to fail.
        while timerfd_settime(number, flags, &setting, nil) != 0, errno == ECANCELED { clockWasSet = true }
        return clockWasSet
    }

    package func read() -> Expiration {
        var count: UInt64 = 0
        let byteCount = Glibc.read(number, &count, 8)
        return Expiration(byteCount: byteCount, errorNumber: errno)
    }
}

extension itimerspec {
    /// The kernel keeps times in 63 bits of nanoseconds; this is in the year 2255.
    static let farthestMilliseconds = 9_000_000_000_000

    /// Expires once, at that time; nil for never.
    package init(milliseconds: Int?) {
        self.init()
        guard let asked = milliseconds else { return }
        // Zero would disarm the timer.
        let milliseconds = min(max(asked, 1), itimerspec.farthestMilliseconds)
        it_value = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    }
}

/// Calls its handler on a loop when the uptime, time asleep included, reaches a deadline.
package final class LoopTimer: Sendable {
    private let timer: KernelTimer
    private let watch: Watch

    /// A timer without a deadline. It ends when it is released.
    package init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let timer = try KernelTimer(CLOCK_BOOTTIME)
        self.timer = timer
        watch = try loop.watch(timer.number, for: .readable) { _ in
            if timer.read() == .expired { handler() }
        }
    }

    /// Sets the deadline, in place of any earlier one; nil for none. If the deadline has passed, the handler
    /// is called at once. An earlier deadline no longer calls it, even if it has passed already.
    package func set(uptimeMilliseconds: Int?) {
        // `CLOCK_BOOTTIME` cannot be set.
        _ = timer.set(milliseconds: uptimeMilliseconds)
    }
}
