// Descriptors that a loop watches.

import CLinux
import Glibc
import System

/// Ends with its owner: keep it for as long as the descriptor matters, and cancel it before the descriptor is closed.
package final class Watch: Sendable {
    private let loop: EventLoop
    private let descriptor: Int32
    private let id: UInt64

    init(_ loop: EventLoop, _ descriptor: Int32, id: UInt64) {
        (self.loop, self.descriptor, self.id) = (loop, descriptor, id)
    }

    deinit {
        cancel()
    }

    /// From now on the handler is called for this.
    package func change(to readiness: Readiness) throws(SystemCallError) {
        try loop.change(descriptor, to: readiness, id: id)
    }

    /// The handler is never called again, not even for what the loop has heard of already. On another thread than the
    /// loop's, a call that has begun may still be on its way.
    package func cancel() {
        loop.forget(descriptor, id: id)
    }
}

/// What can be done with a descriptor without waiting.
package struct Readiness: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There is something to read, or to accept, or the other side will write no more.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The other side is gone, or the descriptor is broken: reading or writing says which. It is told unasked.
    package static let lost = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
