// The event loop: one thread for everything that is not sound: the actors' jobs, and the handlers of descriptors.

import CLinux
import Glibc
import Synchronization
import System

/// A thread that runs the jobs of actors and the handlers of descriptors, and sleeps while there are none.
///
/// Actors name it as their executor, and tasks that must never leave it as their preference: `Task(executorPreference: loop)`.
/// Its handlers may `assumeIsolated`. A turn is bounded: only so many descriptors, jobs only for a moment, and none that were
/// enqueued meanwhile. Whoever wants to know whether it is alive sets a `LoopTimer` on it: that is heard only if it is.
package final class EventLoop: SerialExecutor, TaskExecutor {
    /// A handler, called with what its descriptor is ready for.
    package typealias Handler = @Sendable (Readiness) -> Void

    private struct Watched {
        var handlers: [UInt64: Handler] = [:]
        /// Never used twice: what is told of a descriptor that is no longer watched reaches nobody else.
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
    /// After so long no further job of a turn is begun.
    private static let turnMilliseconds = 5.0

    /// A loop without a thread yet: jobs wait for it.
    package init() throws(SystemCallError) {
        epoll = try OwnedDescriptor(epoll_create1(Int32(EPOLL_CLOEXEC)), of: .make)
        wakeUp = try WakeUp()
        ended = try WakeUp()
        try control(EPOLL_CTL_ADD, wakeUp.descriptor, .readable, id: EventLoop.wakeUpID)
    }

    // MARK: Its thread

    /// Starts its thread, once. Whoever made the loop keeps it for as long as actors live on it.
    package func start(named name: String) throws(SystemCallError) {
        guard !isStarted.exchange(true, ordering: .relaxed) else {
            throw SystemCallError(.start, errorNumber: EALREADY)
        }
        try startThread(named: name) { [self] in
            thread.store(pthread_self(), ordering: .releasing)
            run()
            // Waiters from other executors are resumed too.
            for waiter in waiters.withLock({ $0.end() }) { waiter.resume() }
            forgetAll()
            thread.store(0, ordering: .releasing)
            ended.signal()
        }
    }

    /// Lets the thread do all jobs that wait, and those that come from these, and go. Descriptors are heard no more. A job
    /// that comes later is never done: whoever ends a loop has ended what lives on it.
    package func end() {
        if jobs.withLock({ $0.end() }) { wakeUp.signal() }
    }

    /// Waits until the thread of a loop that was started is gone. Not to be called on the loop.
    package func waitUntilEnded() { _ = waitUntilEnded(milliseconds: -1) }

    /// Waits so long at most until it is gone, and answers whether it is.
    package func waitUntilEnded(milliseconds: Int32) -> Bool {
        precondition(!isCurrent, "a loop's thread would wait for its own end")
        var descriptor = pollfd(fd: ended.descriptor, events: Int16(POLLIN), revents: 0)
        var answer: Int32
        repeat { answer = poll(&descriptor, 1, milliseconds) } while answer < 0 && errno == EINTR
        return answer > 0
    }

    package var isCurrent: Bool { thread.load(ordering: .acquiring) == pthread_self() }

    // MARK: As an executor

    /// Takes a job of an actor that lives here. The actor's runtime calls it, from any thread.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if jobs.withLock({ $0.add(job) }) { wakeUp.signal() }
    }

    /// Makes sure for `assumeIsolated` that it is called on the loop.
    package func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    /// Suspends the caller for so long. The language's own way to sleep wakes a thread each second from then on, for as long as
    /// the process lives.
    package func wait(milliseconds: Int) async {
        let uptime = Uptime.now + Double(milliseconds)
        await withCheckedContinuation { waiter in
            guard waiters.withLock({ $0.add(waiter, until: uptime) }) else { return waiter.resume() }
            // The loop's own thread sees the new deadline before it waits.
            if !isCurrent { wakeUp.signal() }
        }
    }

    // MARK: Descriptors

    /// Calls the handler on the loop whenever the descriptor, which stays open, is ready, until the watch is cancelled or
    /// forgotten. A handler that does not do what the descriptor is ready for is called again and again.
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
        // The handler may be what keeps the descriptor open.
        withExtendedLifetime(handler) {
            // It fails only for one that was closed before: the kernel has forgotten it by itself.
            _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, nil)
        }
    }

    /// Handlers may hold what holds their watches: that would never be let go.
    private func forgetAll() {
        // What ends with a handler may be a watch, which asks for the lock itself.
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

    /// Calls the handlers of the descriptors that are ready. A signal only ends the wait.
    private func dispatchEvents(_ events: inout [epoll_event], milliseconds: Int32) {
        let count = Int(epoll_wait(epoll.number, &events, Int32(events.count), milliseconds))
        guard count > 0 else { return }
        for index in 0..<count {
            let id = events[index].data.u64
            guard id != EventLoop.wakeUpID else {
                wakeUp.reset()
                continue
            }
            // Looked up only now: the handlers before this one may have cancelled it.
            guard let handler = watched.withLock({ $0.handlers[id] }) else { continue }
            handler(Readiness(rawValue: events[index].events))
        }
    }

    /// The time by which `LoopTimer`s are set.
    package static var uptimeMilliseconds: Int { Uptime.milliseconds }
}
