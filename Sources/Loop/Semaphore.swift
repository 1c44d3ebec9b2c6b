// Wakes a thread that waits.

import Glibc

/// A counting semaphore: each signal ends one wait, also one that has not begun yet.
package final class Semaphore: Sendable {
    // POSIX semaphores are made to be shared between threads, at one address for as long as they live.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    /// No signal is pending.
    package init() {
        semaphore = .allocate(capacity: 1)
        // It fails only for counts that are too large.
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Ends one wait.
    package func signal() {
        sem_post(semaphore)
    }

    /// Waits for a signal.
    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
