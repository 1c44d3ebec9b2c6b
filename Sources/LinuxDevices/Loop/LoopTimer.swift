// A deadline on a loop.

import CLinux
import Glibc

/// Calls its handler on the loop once the time since the machine's start, time asleep included, has come to a deadline.
public final class LoopTimer: Sendable {
    private let timer: OwnedDescriptor
    private let watch: Watch

    /// A timer without a deadline yet. It ends with its owner.
    public init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(LoopError) {
        let timer = try OwnedDescriptor(timerfd_create(CLOCK_BOOTTIME, timerFlags), of: .time)
        self.timer = timer
        watch = try loop.watch(timer.number, for: .readable) { _ in
            var count: UInt64 = 0
            // Nothing to read: it was set anew after the loop had heard of it.
            if read(timer.number, &count, 8) == 8 { handler() }
        }
    }

    deinit {
        watch.cancel()
    }

    /// The deadline, in the place of any before it; nothing for none. One that is over is told at once.
    public func set(uptimeMilliseconds: Int?) {
        var setting = itimerspec(milliseconds: uptimeMilliseconds)
        // It fails only for times that there are none of.
        timerfd_settime(timer.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
}

/// A timer that never makes its reader wait, and is not inherited.
let timerFlags = Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK)

extension itimerspec {
    /// The kernel keeps times in 63 bits of nanoseconds; this is in the year 2255.
    static let farthestMilliseconds = 9_000_000_000_000

    /// Once, at that time; nothing for never.
    init(milliseconds: Int?) {
        self.init()
        guard let milliseconds else { return }
        // Zero would be never.
        let milliseconds = min(max(milliseconds, 1), itimerspec.farthestMilliseconds)
        it_value = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    }
}
