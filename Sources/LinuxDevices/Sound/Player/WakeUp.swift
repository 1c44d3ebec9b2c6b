// Wakes a thread that waits for descriptors.

import CLinux
import Devices
import Glibc

/// An eventfd: what is rung once or often is heard once.
final class WakeUp: Sendable {
    let descriptor: Int32

    private static let pauseMicroseconds: UInt32 = 5000

    init() throws(RouteFailure) {
        let descriptor = linux_eventfd()
        guard descriptor >= 0 else { throw .system(.poll, errorNumber: errno) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    func ring() {
        var one: UInt64 = 1
        // It fails only when it has been rung so often that it is heard anyway.
        _ = write(descriptor, &one, 8)
    }

    /// To be heard anew only when it is rung anew.
    func hear() {
        var count: UInt64 = 0
        // It fails only when it was not rung.
        _ = read(descriptor, &count, 8)
    }

    /// What is to be given to `wait`: itself, and others that may have something to tell.
    func descriptors(and others: [pollfd]) -> [pollfd] {
        [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
    }

    /// Itself, and others that may have something to read.
    func descriptors(and others: [Int32]) -> [pollfd] {
        descriptors(and: others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) })
    }

    /// Waits until it is rung, one of the others tells of something, or the time is over. Answers whether one of the others
    /// does. Nothing is allocated here: a player waits with it.
    func wait(_ descriptors: inout [pollfd], milliseconds: Double?) -> Bool {
        // Rounded up: whoever wakes before the time would only have to wait again.
        let limit = milliseconds.map { Int32(max(0, min($0, 3_600_000)).rounded(.up)) }
        let count = poll(&descriptors, nfds_t(descriptors.count), limit ?? -1)
        // Whoever cannot wait must not keep the machine from all else by trying at once again.
        if count < 0, errno != EINTR { usleep(WakeUp.pauseMicroseconds) }
        guard count > 0 else { return false }
        if descriptors[0].revents != 0 { hear() }
        return descriptors.dropFirst().contains { $0.revents != 0 }
    }

    /// Waits until it is rung, or the time is over.
    func wait(milliseconds: Double?) {
        var descriptors = descriptors(and: [Int32]())
        _ = wait(&descriptors, milliseconds: milliseconds)
    }
}
