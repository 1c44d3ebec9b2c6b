// Wakes a thread that waits for descriptors.

import CLinux
import Glibc

/// An eventfd. All signals before a wait end that one wait.
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
        // This call fails only if so many signals are pending that the wait ends anyway.
        _ = write(descriptor, &one, 8)
    }

    package func reset() {
        var count: UInt64 = 0
        // This call fails only if no signal is pending.
        _ = read(descriptor, &count, 8)
    }

    /// Returns the argument of `wait`: this event, and other descriptors with their events.
    package func descriptors(and others: [pollfd]) -> [pollfd] {
        [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
    }

    /// Returns the argument of `wait`: this event, and other descriptors that may become readable.
    package func descriptors(and others: [Int32]) -> [pollfd] {
        descriptors(and: others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
    }

    /// Waits for a signal, an event on another descriptor, or the timeout. Returns whether another
    /// descriptor has an event. Allocates nothing, because a player's thread waits here.
    package func wait(_ descriptors: inout [pollfd], milliseconds: Double?) -> Bool {
        // Rounded up: a thread that wakes early would only have to wait again.
        let limit = milliseconds.map { Int32(max(0, min($0, 3_600_000)).rounded(.up)) }
        let count = poll(&descriptors, nfds_t(descriptors.count), limit ?? -1)
        // Without a pause, a wait that keeps failing would use all processor time.
        if count < 0, errno != EINTR { usleep(WakeUp.pauseMicroseconds) }
        guard count > 0 else { return false }
        if descriptors[0].revents != 0 { reset() }
        return descriptors.dropFirst().contains { $0.revents != 0 }
    }

    /// Waits for a signal or the timeout.
    package func wait(milliseconds: Double?) {
        var descriptors = descriptors(and: [Int32]())
        _ = wait(&descriptors, milliseconds: milliseconds)
    }
}
