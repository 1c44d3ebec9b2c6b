// A keypad, a step counter or a step sensor, which is read on a loop.

import Devices
import EventLoop

/// Orders to an input, carried out in their order on its loop.
package final class LoopInput<Report: Sendable>: SwitchedInput {
    /// Whoever listens late gets the newest of what was told.
    package let reports: AsyncStream<Report>
    private let loop: EventLoop
    private let onOrder: @Sendable (Bool) async -> Void
    private let onEnd: @Sendable () async -> Void

    /// Whoever does not listen loses the oldest.
    static var reportsMax: Int { 256 }

    /// What `makeHandlers` reports to, and how it is ordered on and off, and ended.
    init(
        on loop: EventLoop,
        _ makeHandlers: (AsyncStream<Report>.Continuation) -> (
            order: @Sendable (Bool) async -> Void, end: @Sendable () async -> Void
        )
    ) {
        let reporting: AsyncStream<Report>.Continuation
        (reports, reporting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(LoopInput.reportsMax))
        self.loop = loop
        (onOrder, onEnd) = makeHandlers(reporting)
    }

    deinit { end() }

    package func order(isOn: Bool) {
        Task(executorPreference: loop) { [onOrder] in await onOrder(isOn) }
    }

    package func end() {
        Task(executorPreference: loop) { [onEnd] in await onEnd() }
    }
}
