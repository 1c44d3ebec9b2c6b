// The gate that blocks a thread, as a hanging driver does, until a test opens it.

import System

/// A gate that is open, or blocks all threads that reach it.
final class Gate: Sendable {
    private let semaphore = Semaphore()

    init(isOpen: Bool = true) {
        if isOpen { open() }
    }

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func shut() { semaphore.wait() }

    func open() { semaphore.signal() }
}
