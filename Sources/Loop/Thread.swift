// A thread for work that waits on devices.

import CLinux
import Glibc

/// Runs the work on a thread of its own.
package func startThread(named name: String, _ work: @escaping @Sendable () -> Void) throws(LoopError) {
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
        throw LoopError(.startThread, errorNumber: errorNumber)
    }
    pthread_detach(thread)
}

/// Puts the calling thread before all that have no deadline; the system's error number where it may not, and zero where it
/// does.
package func useRealTimePriority() -> Int32 {
    var parameter = sched_param(sched_priority: 10)
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter)
}
