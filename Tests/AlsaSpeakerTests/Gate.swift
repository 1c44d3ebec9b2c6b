// A gate at which a thread hangs, as in a driver, until a test opens it.

import System

/// A gate: open, or shut for all threads that come to it.
final class Gate: Sendable {
    private let semaphore = Semaphore()

    init(isOpen: Bool = true) {
        if isOpen { open() }
    }

    /// Waits until the gate is open.
    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func shut() { semaphore.wait() }

    func open() { semaphore.signal() }
}
