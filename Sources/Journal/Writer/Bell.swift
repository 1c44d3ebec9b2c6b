// Wakes a thread that waits.

import Glibc

/// A counting semaphore: each ring ends one wait, also one that has not begun yet.
package final class Bell: Sendable {
    // POSIX semaphores are made to be shared between threads, at one address for as long as they live.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    /// Nobody has rung.
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
    package func ring() {
        sem_post(semaphore)
    }

    /// Waits until it is rung.
    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
