// A clock with a battery that wakes nobody and tells what it was asked.

import Devices
import Synchronization

/// Takes note of when it is to wake the machine.
package final class MockWaker: Waker {
    private let current = Mutex<Int?>(nil)
    private let count = Mutex(0)
    private let error = Mutex<WakerError?>(nil)

    /// Not set.
    package init() {}

    /// When it would wake the machine, by the system's clock.
    package var wallMilliseconds: Int? { current.withLock { $0 } }

    /// How often it was set.
    package var setCount: Int { count.withLock { $0 } }

    /// What it fails with from now on, if with anything.
    package func fail(with error: WakerError?) { self.error.withLock { $0 = error } }

    package func set(wallMilliseconds: Int?) throws(WakerError) {
        if let error = error.withLock({ $0 }) { throw error }
        current.withLock { $0 = wallMilliseconds }
        count.withLock { $0 += 1 }
    }
}
