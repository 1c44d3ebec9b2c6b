// A loop for one test.

import EventLoop

/// A loop with its thread; both end with the test.
package final class RunningLoop: Sendable {
    package let loop: EventLoop

    /// Starts the thread.
    package init() throws {
        loop = try EventLoop()
        try loop.start(named: "test")
    }

    deinit {
        loop.end()
        loop.waitUntilEnded()
    }
}
