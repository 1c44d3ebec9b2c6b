// A worker for slow work beside a loop.

import Synchronization
import System

/// A queue of work for one thread, which exists while there is work. It uses at most one processor and the
/// memory of one piece of work.
package final class SerialWorker: Sendable {
    private let loop: EventLoop
    /// The queued work, the piece that runs first.
    private let queue = Mutex<[@Sendable () -> Void]>([])

    package init(beside loop: EventLoop) {
        self.loop = loop
    }

    /// Runs work in its turn, then the callback on the loop.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping @Sendable (Value) -> Void
    ) {
        let isFirst = queue.withLock { queue in
            queue.append { [loop] in
                let value = work()
                Task(executorPreference: loop) { then(value) }
            }
            return queue.count == 1
        }
        if isFirst { runOnThread(named: "worker") { [self] in runAll() } }
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
