// The event loop: one thread for the actors and for the descriptors that they read.
//
// Swift runs actors on a pool of threads, one for each processor. A blocking read on such a thread stops the
// actors that would run on it; with one processor, it stops all. A thread for each device avoids that, but
// then every value needs a lock, and events lose their order. The language's timers wake a thread each
// second, on a machine that should sleep for hours. So all work that cannot block shares one thread:
//
// 1. An actor names the loop as its executor. Its jobs then run on the loop's thread, in their order. A task
//    that must stay there is a `Task(executorPreference: loop)`.
// 2. epoll watches the descriptors. Their handlers run on the same thread and may call an actor by
//    `assumeIsolated`, without a lock and without a wait.
// 3. A turn first handles at most 64 descriptors, then the jobs that wait by then, for at most 5 ms. So
//    descriptors and jobs cannot starve each other.
// 4. A thread with nothing to do sleeps in `epoll_wait`. A job from another thread wakes it by an eventfd.
// 5. Deadlines are timerfds (`LoopTimer`), or waits that set the timeout of `epoll_wait`.
// 6. Work that may block runs elsewhere: on a `SerialWorker`, or on a thread of its own.
//
// Example: a button is pressed. Its GPIO descriptor wakes the thread, and the handler reads the edge. The
// report enqueues a job of the service, which runs in the same turn or the next: the engine decides, and the
// lamp is set. Then the thread sleeps. A `LoopTimer` fires only while the loop runs, so a watchdog uses one
// to check the loop.

import CLinux
import Glibc
import Synchronization
import System

/// A thread that runs the jobs of actors and the handlers of descriptors, and sleeps while there are none.
package final class EventLoop: SerialExecutor, TaskExecutor {
    /// A handler. Its argument is the readiness of its descriptor.
    package typealias Handler = @Sendable (Readiness) -> Void

    private struct Watched {
        var handlers: [UInt64: Handler] = [:]
        /// The last ID. IDs are never reused, so an event of a cancelled watch never reaches another
        /// handler.
        var lastID = EventLoop.wakeUpID
    }

    private let epoll: OwnedDescriptor
    private let wakeUp: WakeUp
    private let ended: WakeUp
    private let jobs = Mutex(JobQueue())
    private let waiters = Mutex(WaiterQueue())
    private let watched = Mutex(Watched())
    private let isStarted = Atomic(false)
    private let thread = Atomic<UInt>(0)

    private static let wakeUpID: UInt64 = 0
    private static let eventsMax = 64
    /// The time after which a turn begins no further job.
    private static let turnMilliseconds = 5.0

    /// A loop without a thread. Jobs wait until it is started.
    package init() throws(SystemCallError) {
        epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: .make)
        wakeUp = try WakeUp()
        ended = try WakeUp()
        try control(EPOLL_CTL_ADD, wakeUp.descriptor, .readable, id: EventLoop.wakeUpID)
    }

    // MARK: Its thread

    /// Starts the thread, once. The owner keeps the loop for as long as actors live on it.
    package func start(named name: String) throws(SystemCallError) {
        guard !isStarted.exchange(true, ordering: .relaxed) else {
            throw SystemCallError(.start, errorNumber: EALREADY)
        }
        try startThread(named: name) { [self] in
            thread.store(pthread_self(), ordering: .releasing)
            run()
            // Waiters of other executors are resumed as well.
            for waiter in waiters.withLock({ $0.end() }) { waiter.resume() }
            forgetAll()
            thread.store(0, ordering: .releasing)
            ended.signal()
        }
    }

    /// Ends the loop. The thread still runs the waiting jobs and the jobs that they enqueue, but no
    /// handlers. A job that arrives later never runs, so the actors of the loop must have ended before.
    package func end() {
        if jobs.withLock({ $0.end() }) { wakeUp.signal() }
    }

    /// Waits until the thread of a started loop has ended. Must not be called on the loop.
    package func waitUntilEnded() { _ = waitUntilEnded(milliseconds: -1) }

    /// Waits at most this long for the end of the thread. Returns whether it has ended.
    package func waitUntilEnded(milliseconds: Int32) -> Bool {
        precondition(!isCurrent, "a loop's thread would wait for its own end")
        var descriptor = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
        var answer: Int32
        repeat { answer = poll(&descriptor, 1, milliseconds) } while answer < 0 && errno == EINTR
        return answer > 0
    }

    package var isCurrent: Bool { thread.load(ordering: .acquiring) == pthread_self() }

    // MARK: As an executor

    /// Accepts a job of an actor on this loop. The runtime calls it on any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The loop's own thread runs the job before it waits.
        if jobs.withLock({ $0.add(job) }), !isCurrent { wakeUp.signal() }
    }

    /// Stops the program if `assumeIsolated` is not called on the loop.
    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    /// Suspends the caller. The language's own sleep wakes a thread each second for the rest of the
    /// process's life.
    package func wait(milliseconds: Int) async {
        let uptime = Uptime.now + Double(milliseconds)
        await withCheckedContinuation { waiter in
            guard waiters.withLock({ $0.add(waiter, until: uptime) }) else { return waiter.resume() }
            // The loop's own thread sees the new deadline before it waits.
            if !isCurrent { wakeUp.signal() }
        }
    }

    // MARK: Descriptors

    /// Calls the handler on the loop whenever the descriptor is ready, until the watch is cancelled or
    /// released. The descriptor must stay open. A handler that does not use the readiness is called again
    /// and again.
    package func watch(
        _ descriptor: Int32, for readiness: Readiness, _ handler: @escaping Handler
    ) throws(SystemCallError) -> Watch {
        let id = watched.withLock { watched in
            watched.lastID += 1
            watched.handlers[watched.lastID] = handler
            return watched.lastID
        }
        do {
            try control(EPOLL_CTL_ADD, descriptor, readiness, id: id)
        } catch {
            watched.withLock { _ = $0.handlers.removeValue(forKey: id) }
            throw error
        }
        return Watch(self, descriptor, id: id)
    }

    func change(_ descriptor: Int32, to readiness: Readiness, id: UInt64) throws(SystemCallError) {
        try control(EPOLL_CTL_MOD, descriptor, readiness, id: id)
    }

    func forget(_ descriptor: Int32, id: UInt64) {
        guard let handler = watched.withLock({ $0.handlers.removeValue(forKey: id) }) else { return }
        // The handler may own the descriptor and keep it open.
        withExtendedLifetime(handler) {
            // This fails only if the descriptor is closed already, which removes it from epoll.
            _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
        }
    }

    /// Releases all handlers. A handler that owns its own watch would otherwise never be released.
    private func forgetAll() {
        // A released handler may release a watch, which takes the lock. So handlers are released outside it.
        _ = watched.withLock { watched in
            defer { watched.handlers = [:] }
            return watched.handlers
        }
    }

    private func control(
        _ operation: Int32, _ descriptor: Int32, _ readiness: Readiness, id: UInt64
    ) throws(SystemCallError) {
        var event = epoll_event(events: readiness.rawValue, data: epoll_data_t(u64: id))
        guard epoll_ctl(epoll.number, operation, descriptor, &event) == 0 else {
            throw SystemCallError(.watch, errorNumber: errno)
        }
    }

    // MARK: Turns

    private func run() {
        let (executor, home) = (asUnownedSerialExecutor(), asUnownedTaskExecutor())
        var events = [epoll_event](repeating: epoll_event(), count: EventLoop.eventsMax)
        while true {
            switch jobs.withLock({ $0.turn() }) {
            case .wait:
                dispatchEvents(&events, milliseconds: waiters.withLock { $0.timeoutMilliseconds(at: Uptime.now) })
            case .poll: dispatchEvents(&events, milliseconds: 0)
            case .finish: break
            case .end: return
            }
            for waiter in waiters.withLock({ $0.removeDue(at: Uptime.now) }) { waiter.resume() }
            let end = Uptime.now + EventLoop.turnMilliseconds
            for _ in 0..<jobs.withLock(\.count) {
                guard let job = jobs.withLock({ $0.next() }) else { break }
                job.runSynchronously(isolatedTo: executor, taskExecutor: home)
                if Uptime.now >= end { break }
            }
        }
    }

    /// Calls the handlers of the ready descriptors. A signal only ends the wait.
    private func dispatchEvents(_ events: inout [epoll_event], milliseconds: Int32) {
        let count = Int(epoll_wait(epoll.number, &events, Int32(events.count), milliseconds))
        guard count > 0 else { return }
        for index in 0..<count {
            let id = events[index].data.u64
            guard id != EventLoop.wakeUpID else {
                wakeUp.reset()
                continue
            }
            // Looked up here, because an earlier handler may have cancelled the watch.
            guard let handler = watched.withLock({ $0.handlers[id] }) else { continue }
            handler(Readiness(rawValue: events[index].events))
        }
    }

    /// The clock of all `LoopTimer`s.
    package static var uptimeMilliseconds: Int { Uptime.milliseconds }
}
