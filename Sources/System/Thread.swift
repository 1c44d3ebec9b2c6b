// Threads for work that blocks on devices, and the semaphore that wakes them.

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

/// Runs work on its own thread. If no thread can be started, the caller does the work: late is better than
/// never.
package func runOnThread(named name: String, _ work: @escaping @Sendable () -> Void) {
    do throws(SystemCallError) { try startThread(named: name, work) } catch { work() }
}

/// Gives the calling thread real-time priority. Returns 0, or the error number if the system refuses.
package func useRealTimePriority() -> Int32 {
    var parameter = sched_param(sched_priority: 10)
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
}

/// A counting semaphore. Each signal ends one wait, even a wait that begins later.
package final class Semaphore: Sendable {
    // POSIX semaphores may be used from several threads, and this one keeps its address.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        // This call fails only for too large a count.
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
