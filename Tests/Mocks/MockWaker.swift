// The mock of the battery-backed clock: it only records the wake time.

import Devices
import Synchronization

/// A waker that records each wake time.
package final class MockWaker: Waker {
    private let current = Mutex<Int?>(nil)
    private let count = Mutex(0)
    private let error = Mutex<WakerError?>(nil)

    package init() {}

    /// The recorded wake time by the wall clock, or nil if none is set.
    package var wallMilliseconds: Int? { current.withLock { $0 } }

    /// The number of successful calls of `set`.
    package var setCount: Int { count.withLock { $0 } }

    /// Makes every later `set` throw this error; nil makes it succeed again.
    package func fail(with error: WakerError?) { self.error.withLock { $0 = error } }

    package func set(wallMilliseconds: Int?) throws(WakerError) {
        if let error = error.withLock({ $0 }) { throw error }
        current.withLock { $0 = wallMilliseconds }
        count.withLock { $0 += 1 }
    }
}
