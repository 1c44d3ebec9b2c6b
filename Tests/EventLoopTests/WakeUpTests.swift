// The test of a thread's wake-up.

import Glibc
import Testing

@testable import System

@Suite struct WakeUpTests {
    private static var descriptorsMax: UInt64 {
        var limit = rlimit()
        return getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? UInt64(limit.rlim_cur) : .max
    }

    /// A player's thread has a high priority. A failing wait in a tight loop would starve the machine.
    @Test(.enabled(if: descriptorsMax < 2_000_000, "the system waits for more than can be put together"))
    func failedWait_isNotRetriedAtOnce() throws {
        let wakeUp = try WakeUp()
        wakeUp.signal()
        // poll(2) rejects more descriptors than the limit. A successful poll would return at once.
        let others = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: Int(Self.descriptorsMax))
        var descriptors = wakeUp.descriptors(and: others)
        let begin = Uptime.now
        #expect(!wakeUp.wait(&descriptors, milliseconds: nil))
        #expect(Uptime.now - begin >= 5)
    }
}
