// The event loop of one test.

import EventLoop

/// An event loop and its thread, which end with their owner.
package final class RunningLoop: Sendable {
    package let loop: EventLoop

    package init() throws {
        loop = try EventLoop()
        try loop.start(named: "test")
    }

    deinit {
        loop.end()
        loop.waitUntilEnded()
    }
}
