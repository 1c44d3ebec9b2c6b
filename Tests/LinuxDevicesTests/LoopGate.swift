// A loop that stays busy until a test releases it.

import EventLoop
import System

/// Keeps a loop busy until it is opened.
final class LoopGate: Sendable {
    private let opening = Semaphore()

    /// Waits until the loop is busy.
    init(_ loop: EventLoop) async {
        let (arrivals, arriving) = AsyncStream.makeStream(of: Void.self)
        Task(executorPreference: loop) { [opening] in
            arriving.yield()
            opening.wait()
        }
        for await _ in arrivals { break }
    }

    func open() { opening.signal() }
}
