// Syncs of a disk that are held up, so that a test decides what happens meanwhile.

import Synchronization
import System

/// Holds up the syncs of a disk for as long as a test says. A disk calls `pass` before each.
package final class SyncGate: Sendable {
    private struct State {
        var isHeld = false
        /// How many may pass while the others are held.
        var passes = 0
        var waitingCount = 0
        var syncCount = 0
    }

    private let state = Mutex(State())
    private let arrivals = Semaphore()
    private let opening = Semaphore()

    /// Open.
    package init() {}

    package var syncCount: Int { state.withLock { $0.syncCount } }

    /// From now on nothing passes.
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

    /// From now on everything passes.
    package func open() {
        let waitingCount = state.withLock { state in
            defer { state = State(syncCount: state.syncCount) }
            return state.waitingCount
        }
        for _ in 0..<waitingCount { opening.signal() }
    }

    /// Waits until a sync is held up.
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
