// The gate that holds back a disk's syncs, so that a test controls the events in between.

import Synchronization
import System

/// A gate in front of a disk's syncs. The disk calls `pass` before each.
package final class SyncGate: Sendable {
    private struct State {
        var isHeld = false
        /// The number of syncs that may still pass while the gate is closed.
        var passes = 0
        var waitingCount = 0
        var syncCount = 0
    }

    private let state = Mutex(State())
    private let arrivals = Semaphore()
    private let opening = Semaphore()

    package init() {}

    package var syncCount: Int { state.withLock { $0.syncCount } }

    /// Closes the gate: later calls of `pass` block.
    package func hold() { state.withLock { $0.isHeld = true } }

    package func letOneThrough() {
        let isOneWaiting = state.withLock { state in
            guard state.waitingCount > 0 else {
                state.passes += 1
                return false
            }
            state.waitingCount -= 1
            return true
        }
        if isOneWaiting { opening.signal() }
    }

    /// Opens the gate and releases every blocked call.
    package func open() {
        let waitingCount = state.withLock { state in
            defer { state = State(syncCount: state.syncCount) }
            return state.waitingCount
        }
        for _ in 0..<waitingCount { opening.signal() }
    }

    /// Waits until a sync is blocked.
    package func waitForSync() { arrivals.wait() }

    package func pass() {
        let isHeld = state.withLock { state in
            state.syncCount += 1
            guard state.isHeld else { return false }
            guard state.passes == 0 else {
                state.passes -= 1
                return false
            }
            state.waitingCount += 1
            return true
        }
        guard isHeld else { return }
        arrivals.signal()
        opening.wait()
    }
}
