// A timer of the kernel's.

import CLinux
import Glibc

/// A timerfd: ready to be read once one of the kernel's clocks has come to a time.
package struct KernelTimer: Sendable {
    /// What there is to hear.
    package enum Expiration: Hashable {
        case expired
        /// Somebody has set the clock since this was asked last.
        case clockSet
        /// It was set anew after the loop had heard of it.
        case nothing

        /// What a read answers that got so many bytes, or failed.
        init(byteCount: Int, errorNumber: Int32) {
            self =
                if byteCount > 0 { .expired } else if errorNumber == ECANCELED { .clockSet } else { .nothing }
        }
    }

    private let descriptor: OwnedDescriptor
    private let clock: clockid_t

    /// On `CLOCK_BOOTTIME`, which nobody sets, or on `CLOCK_REALTIME`.
    package init(_ clock: clockid_t) throws(LoopError) {
        // It never makes its reader wait, and no child inherits it.
        let flags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)
        descriptor = try OwnedDescriptor(timerfd_create(clock, flags), of: .time)
        self.clock = clock
    }

    package var number: Int32 { descriptor.number }

    /// Expires at that time, in the place of any before; nothing for never. Answers whether the clock was set since that was
    /// told last.
    ///
    /// A timer on a clock that can be set is armed even for never, for a year that nobody will see: one that is not armed is
    /// told of nothing.
    package func set(milliseconds: Int?) -> Bool {
        let tellsSteps = clock == CLOCK_REALTIME
        let milliseconds = milliseconds ?? (tellsSteps ? itimerspec.farthestMilliseconds : nil)
        var setting = itimerspec(milliseconds: milliseconds)
        let flags = Int32(TFD_TIMER_ABSTIME) | (tellsSteps ? Int32(TFD_TIMER_CANCEL_ON_SET) : 0)
        var wasSet = false
        // A step that was not heard of yet is told here, and only once. There is no other way to fail.
        while timerfd_settime(number, flags, &setting, nil) != 0, errno == ECANCELED { wasSet = true }
        return wasSet
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

    /// Once, at that time; nothing for never.
    package init(milliseconds: Int?) {
        self.init()
        guard let asked = milliseconds else { return }
        // Zero would be never.
        let milliseconds = min(max(asked, 1), itimerspec.farthestMilliseconds)
        it_value = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    }
}
