// Wakes a thread that waits for descriptors.

import CLinux
import Glibc

/// An eventfd: signals that arrive before a wait end one wait.
package final class WakeUp: Sendable {
    package let descriptor: Int32

    private static let pauseMicroseconds: UInt32 = 5000

    package init() throws(SystemCallError) {
        let descriptor = linux_eventfd()
        guard descriptor >= 0 else { throw SystemCallError(.makeEvent, errorNumber: errno) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    package func signal() {
        var one: UInt64 = 1
        // It fails only when so many signals are pending that the wait ends anyway.
        _ = write(descriptor, &one, 8)
    }

    package func reset() {
        var count: UInt64 = 0
        // It fails only when none is.
        _ = read(descriptor, &count, 8)
    }

    /// What is to be given to `wait`: itself, and others that may have something to tell.
    package func descriptors(and others: [pollfd]) -> [pollfd] {
        [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
    }

    /// Itself, and others that may have something to read.
    package func descriptors(and others: [Int32]) -> [pollfd] {
        descriptors(and: others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
    }

    /// Waits until it is signalled, one of the others tells of something, or the time is over. Answers whether one of the others
    /// does. Nothing is allocated here: a player waits with it.
    package func wait(_ descriptors: inout [pollfd], milliseconds: Double?) -> Bool {
        // Rounded up: whoever wakes before the time would only have to wait again.
        let limit = milliseconds.map { Int32(max(0, min($0, 3_600_000)).rounded(.up)) }
        let count = poll(&descriptors, nfds_t(descriptors.count), limit ?? -1)
        // Whoever cannot wait must not keep the machine from all else by trying at once again.
        if count < 0, errno != EINTR { usleep(WakeUp.pauseMicroseconds) }
        guard count > 0 else { return false }
        if descriptors[0].revents != 0 { reset() }
        return descriptors.dropFirst().contains { $0.revents != 0 }
    }

    /// Waits until it is signalled, or the time is over.
    package func wait(milliseconds: Double?) {
        var descriptors = descriptors(and: [Int32]())
        _ = wait(&descriptors, milliseconds: milliseconds)
    }
}
