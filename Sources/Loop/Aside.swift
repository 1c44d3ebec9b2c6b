// Work that takes a while, beside a loop on which nobody may wait for it.

import Synchronization

/// Works one piece off after the other, on a thread that is there while there is any: however much is asked for at once, it
/// takes one processor and the memory of one.
public final class Aside: Sendable {
    private let loop: EventLoop
    /// What is still to be done, the piece that is at work among it.
    private let pieces = Mutex<[@Sendable () -> Void]>([])

    /// Goes on with what it has worked out on that loop.
    public init(beside loop: EventLoop) {
        self.loop = loop
    }

    /// Works something out when its turn comes, and goes on with it on the loop.
    public func work<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @Sendable (Value) -> Void
    ) {
        let isFirst = pieces.withLock { pieces in
            pieces.append { [loop] in
                let value = work()
                Task(executorPreference: loop) { then(value) }
            }
            return pieces.count == 1
        }
        guard isFirst else { return }
        do throws(LoopError) {
            try startThread(named: "worker") { [self] in runAll() }
        } catch {
            // Without another thread it takes a moment here.
            runAll()
        }
    }

    private func runAll() {
        var next = pieces.withLock { $0.first }
        while let piece = next {
            piece()
            next = pieces.withLock { pieces in
                pieces.removeFirst()
                return pieces.first
            }
        }
    }
}
