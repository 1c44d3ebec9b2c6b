// Wakes a thread that waits for descriptors.

import CLinux
import Devices
import Glibc

/// An eventfd: what is rung once or often is heard once.
final class WakeUp: Sendable {
    let descriptor: Int32

    init() throws(RouteFailure) {
        descriptor = linux_eventfd()
        guard descriptor >= 0 else { throw .system(.poll, errorNumber: errno) }
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

    /// Waits until it is rung, one of the others tells of something, or the time is over. Answers with the others.
    func wait(_ others: [pollfd] = [], milliseconds: Double?) -> [pollfd] {
        var all = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)] + others
        // Rounded up: whoever wakes before the time would only have to wait again.
        let limit = milliseconds.map { Int32(max(0, min($0, 3_600_000)).rounded(.up)) }
        let ready = poll(&all, nfds_t(all.count), limit ?? -1)
        guard ready > 0 else { return [] }
        if all[0].revents != 0 { hear() }
        return all.dropFirst().filter { $0.revents != 0 }
    }
}
