// A thread that waits to be woken.

import Devices
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct WakeUpTests {
    /// A player has more to say than all others on the machine: it must not try without end.
    @Test func waitThatFails_isNotTriedAtOnceAgain() throws {
        let wakeUp = try WakeUp()
        wakeUp.ring()
        var limit = rlimit()
        #expect(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        // More than the system waits for.
        var descriptors = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(limit.rlim_cur) + 1)
        let begin = Uptime.now
        #expect(!wakeUp.wait(&descriptors, milliseconds: nil))
        #expect(Uptime.now - begin >= 5)
    }
}
