// A deadline on a loop.

import Glibc

/// Calls its handler on the loop once the time since the machine's start, time asleep included, has come to a deadline.
public final class LoopTimer: Sendable {
    private let timer: KernelTimer
    private let watch: Watch

    /// A timer without a deadline yet. It ends with its owner.
    public init(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) throws(LoopError) {
        let timer = try KernelTimer(CLOCK_BOOTTIME)
        self.timer = timer
        watch = try loop.watch(timer.number, for: .readable) { _ in
            if timer.read() == .expired { handler() }
        }
    }

    /// The deadline, in the place of any before it; nothing for none. One that is over is told at once. Once it is set anew,
    /// the one before is told no more, not even if it is over.
    public func set(uptimeMilliseconds: Int?) {
        // Nobody sets this clock.
        _ = timer.set(milliseconds: uptimeMilliseconds)
    }
}
