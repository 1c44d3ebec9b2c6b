// Work that takes a while, beside a loop on which nobody may wait for it.

import Synchronization

/// Works one piece off after the other, on a thread that is there while there is any: however much is asked for at once, it
/// takes one processor and the memory of one.
public final class SerialWorker: Sendable {
    private let loop: EventLoop
    /// What is still to be done, the piece that is at work among it.
    private let queue = Mutex<[@Sendable () -> Void]>([])

    /// Goes on with what it has worked out on that loop.
    public init(beside loop: EventLoop) {
        self.loop = loop
    }

    /// Works something out when its turn comes, and goes on with it on the loop.
    public func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @Sendable (Value) -> Void
    ) {
        let isFirst = queue.withLock { queue in
            queue.append { [loop] in
                let value = work()
                Task(executorPreference: loop) { then(value) }
            }
            return queue.count == 1
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
        var next = queue.withLock { $0.first }
        while let piece = next {
            piece()
            next = queue.withLock { queue in
                queue.removeFirst()
                return queue.first
            }
        }
    }
}
