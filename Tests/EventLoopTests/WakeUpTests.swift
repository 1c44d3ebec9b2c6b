// A thread that waits to be woken.

import Glibc
import Testing

@testable import System

@Suite struct WakeUpTests {
    private static var descriptorsMax: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : .max
    }

    /// A player has more to say than all others on the machine: it must not try without end.
    @Test(.enabled(if: descriptorsMax < 2_000_000, "the system waits for more than can be put together"))
    func waitThatFails_isNotTriedAtOnceAgain() throws {
        let wakeUp = try WakeUp()
        wakeUp.signal()
        // More than the system waits for. One that does would hear at once.
        let others = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(Self.descriptorsMax))
        var descriptors = wakeUp.descriptors(and: others)
        let begin = Uptime.now
        #expect(!wakeUp.wait(&descriptors, milliseconds: nil))
        #expect(Uptime.now - begin >= 5)
    }
}
