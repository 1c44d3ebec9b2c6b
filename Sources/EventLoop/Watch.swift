// The watch of a loop on a descriptor, and its readiness.

import CLinux
import Glibc
import System

/// A watch, which ends when it is released. The owner cancels it before the descriptor is closed.
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

    /// Changes the readiness for which the handler is called.
    package func change(to readiness: Readiness) throws(SystemCallError) {
        try loop.change(descriptor, to: readiness, id: id)
    }

    /// Ends the watch: the handler is not called again, even if the descriptor is ready already. If a thread
    /// other than the loop's cancels, a call may still be in progress.
    package func cancel() {
        loop.forget(descriptor, id: id)
    }
}

/// The operations on a descriptor that would not block.
package struct Readiness: OptionSet, Hashable, Sendable {
    /// The kernel's bits.
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// There are bytes to read or connections to accept, or the peer writes no more.
    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The peer is closed, or the descriptor is broken; a read or write returns which. It need not be
    /// requested.
    package static let lost = Readiness(rawValue: EPOLLHUP.rawValue | EPOLLERR.rawValue)
}
