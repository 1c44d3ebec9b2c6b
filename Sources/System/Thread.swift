// Threads for work that waits on devices, and the semaphore that wakes them.

import CLinux
import Glibc

package func startThread(named name: String, _ work: @escaping @Sendable () -> Void) throws(SystemCallError) {
    final class ThreadBody: Sendable {
        let name: String
        let run: @Sendable () -> Void
        init(name: String, run: @escaping @Sendable () -> Void) { (self.name, self.run) = (name, run) }
    }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(ThreadBody(name: String(name.prefix(15)), run: work))
    let errorNumber = pthread_create(
        &thread, nil,
        { context in
            guard let context else { return nil }
            let work = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
            linux_name_thread(work.name)
            work.run()
            return nil
        }, context.toOpaque())
    guard errorNumber == 0 else {
        context.release()
        throw SystemCallError(.startThread, errorNumber: errorNumber)
    }
    pthread_detach(thread)
}

/// Runs work on a thread of its own. If none can be started, the caller does the work: late is better than never.
package func runOnThread(named name: String, _ work: @escaping @Sendable () -> Void) {
    do throws(SystemCallError) { try startThread(named: name, work) } catch { work() }
}

/// Puts the calling thread before all that have no deadline; the system's error number where it may not, and zero where it
/// does.
package func useRealTimePriority() -> Int32 {
    var parameter = sched_param(sched_priority: 10)
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
}

/// A counting semaphore: each signal ends one wait, also one that has not begun yet.
package final class Semaphore: Sendable {
    // POSIX semaphores are made to be shared between threads, at one address for as long as they live.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

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

    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
