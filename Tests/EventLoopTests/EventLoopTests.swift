// The tests of the event loop, one thread for actors and descriptors.

import Glibc
import Oracles
import Synchronization
import Testing

@testable import EventLoop
@testable import System

@Suite(.timeLimit(.minutes(10))) struct EventLoopTests {
    @Test func jobs_areDoneInTheOrderInWhichTheyCame() async throws {
        let running = try RunningLoop()
        let mock = MockActor(running.loop)
        await mock.noteLater(0..<20_000)
        #expect(await mock.numbers == Array(0..<20_000) + [-1])
    }

    @Test func jobsOfManyThreads_areAllDone_onTheLoop() async throws {
        let running = try RunningLoop()
        let mock = MockActor(running.loop)
        let count = Thoroughness.pick(2000, full: 50_000)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask { for number in 0..<count { await mock.note(number) } }
            }
        }
        #expect(await mock.numbers.count == 16 * count)
        #expect(await mock.foreignCallCount == 0)
    }

    /// The jobs come from other threads while the loop is about to sleep.
    @Test func jobsThatComeWhileItFallsAsleep_areDone() async throws {
        let running = try RunningLoop()
        let mock = MockActor(running.loop)
        for number in 0..<Thoroughness.pick(3000, full: 100_000) { await mock.note(number) }
        #expect(await mock.foreignCallCount == 0)
    }

    @Test func jobsOfBeforeTheStart_areDone() async throws {
        let loop = try EventLoop()
        let mock = MockActor(loop)
        async let note: Void = mock.note(7)
        try loop.start(named: "test")
        await note
        #expect(await mock.numbers == [7])
        loop.end()
        loop.waitUntilEnded()
    }

    @Test func handler_runsInsideTheActorOfTheLoop() async throws {
        let running = try RunningLoop()
        let (pipe, mock) = (try Pipe(), MockActor(running.loop))
        let (calls, calling) = AsyncStream.makeStream(of: Readiness.self)
        let watch = try running.loop.watch(pipe.reader, for: .readable) { readiness in
            pipe.empty()
            mock.assumeIsolated { $0.note(1) }
            calling.yield(readiness)
        }
        var heard = calls.makeAsyncIterator()
        for _ in 0..<3 {
            pipe.fill()
            #expect(await heard.next() == .readable)
        }
        #expect(await mock.numbers == [1, 1, 1])
        #expect(await mock.foreignCallCount == 0)
        #expect(!running.loop.isCurrent)
        watch.cancel()
    }

    static let ways: [String] = ["cancelled", "forgotten"]

    /// Both descriptors are ready before the loop polls, so one batch has both events.
    @Test(arguments: ways) func watchThatEndsWithinTheBatch_isNotCalled(way: String) async throws {
        let loop = try EventLoop()
        let pipes = [try Pipe(), try Pipe()]
        let watches = Mutex<[Int: Watch]>([:])
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        for (number, pipe) in pipes.enumerated() {
            pipe.fill()
            let watch = try loop.watch(pipe.reader, for: .readable) { _ in
                calling.yield(number)
                pipe.empty()
                let other = watches.withLock { $0.removeValue(forKey: 1 - number) }
                if way == "cancelled" { other?.cancel() }
            }
            watches.withLock { $0[number] = watch }
        }
        let mock = MockActor(loop)
        try loop.start(named: "test")
        // The job runs after the batch.
        await mock.note(0)
        await mock.note(0)
        loop.end()
        loop.waitUntilEnded()
        calling.finish()
        var count = 0
        for await _ in calls { count += 1 }
        #expect(count == 1)
    }

    @Test func alwaysReadyDescriptor_doesNotStarveJobs() async throws {
        let running = try RunningLoop()
        let (pipe, mock) = (try Pipe(), MockActor(running.loop))
        let calls = Atomic(0)
        pipe.fill()
        let watch = try running.loop.watch(pipe.reader, for: .readable) { _ in calls.add(1, ordering: .relaxed) }
        for number in 0..<100 { await mock.note(number) }
        watch.cancel()
        #expect(calls.load(ordering: .relaxed) > 0)
    }

    @Test func endlessJobs_doNotStarveDescriptors() async throws {
        let running = try RunningLoop()
        let (pipe, mock) = (try Pipe(), MockActor(running.loop))
        let watch = try running.loop.watch(pipe.reader, for: .readable) { _ in
            pipe.empty()
            mock.assumeIsolated { $0.note(1) }
        }
        await mock.turnRoundUntilNoted(first: pipe.fill)
        watch.cancel()
    }

    /// Each job is short, but together they are long.
    @Test func manyShortJobs_doNotStarveDescriptors() async throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        let done = Atomic(0)
        let doneBefore = Atomic(0)
        let watch = try loop.watch(pipe.reader, for: .readable) { _ in
            pipe.empty()
            doneBefore.store(done.load(ordering: .relaxed), ordering: .relaxed)
        }
        let (jobs, doing) = AsyncStream.makeStream(of: Int.self)
        let work: @Sendable (Int) -> Void = { number in
            if number == 0 { pipe.fill() }
            let end = ContinuousClock.now.advanced(by: .milliseconds(10))
            while ContinuousClock.now < end {}
            done.add(1, ordering: .relaxed)
            doing.yield(number)
        }
        for number in 0..<20 { Task(executorPreference: loop) { work(number) } }
        try loop.start(named: "test")
        var heard = jobs.makeAsyncIterator()
        for _ in 0..<20 { _ = await heard.next() }
        #expect(doneBefore.load(ordering: .relaxed) < 5)
        watch.cancel()
        loop.end()
        loop.waitUntilEnded()
    }

    /// The wait never ends early. A task on the loop continues on the loop.
    @Test func wait_endsAtItsTime_notEarlier() async throws {
        let running = try RunningLoop()
        let (ends, ending) = AsyncStream.makeStream(of: Bool.self)
        let loop = running.loop
        for milliseconds in [60, 20, 40, 0, -5] {
            Task(executorPreference: loop) {
                let end = Uptime.now + Double(milliseconds)
                await loop.wait(milliseconds: milliseconds)
                ending.yield(loop.isCurrent && Uptime.now >= end)
            }
        }
        var heard = ends.makeAsyncIterator()
        for _ in 0..<5 { #expect(await heard.next() == true) }
        // A task elsewhere can wait on the loop.
        let end = Uptime.now + 20
        await loop.wait(milliseconds: 20)
        #expect(Uptime.now >= end)
    }

    /// During the wait the loop serves others and sleeps.
    @Test func loop_duringAWait_servesOthers_andSleeps() async throws {
        let running = try RunningLoop()
        let (pipe, mock, loop) = (try Pipe(), MockActor(running.loop), running.loop)
        let (calls, calling) = AsyncStream.makeStream(of: Void.self)
        let waiter = Task(executorPreference: loop) {
            let before = EventLoopTests.threadMilliseconds
            await loop.wait(milliseconds: 300)
            return EventLoopTests.threadMilliseconds - before
        }
        await mock.note(1)
        let watch = try loop.watch(pipe.reader, for: .readable) { _ in
            pipe.empty()
            calling.yield()
        }
        var heard = calls.makeAsyncIterator()
        pipe.fill()
        #expect(await heard.next() != nil)
        #expect(await waiter.value < 100)
        watch.cancel()
    }

    /// The CPU time of the calling thread.
    private static var threadMilliseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Each sleeper is woken once, in the order of the times, and the loop waits for the next.
    @Test func sleepers_areWokenInTheOrderOfTheirTimes() async throws {
        let sleepers = SharedSleepers()
        let (woken, waking) = AsyncStream.makeStream(of: Int.self)
        let (asleep, sleeping) = AsyncStream.makeStream(of: Void.self)
        for uptime in [60, 20, 40] {
            Task {
                await withCheckedContinuation { sleeper in
                    _ = sleepers.all.withLock { $0.add(sleeper, until: Double(uptime)) }
                    sleeping.yield()
                }
                waking.yield(uptime)
            }
        }
        var asleepOnes = asleep.makeAsyncIterator()
        for _ in 0..<3 { await asleepOnes.next() }
        var wokenOnes = woken.makeAsyncIterator()
        func timeout(_ uptime: Double) -> Int32 { sleepers.all.withLock { $0.timeoutMilliseconds(at: uptime) } }
        func wake(_ uptime: Double) -> Int {
            let due = sleepers.all.withLock { $0.removeDue(at: uptime) }
            for sleeper in due { sleeper.resume() }
            return due.count
        }
        #expect(timeout(10.5) == 10)
        #expect(wake(19.9) == 0)
        #expect(timeout(30) == 0)
        #expect(wake(20) == 1)
        #expect(await wokenOnes.next() == 20)
        #expect(timeout(20) == 20)
        #expect(wake(50) == 1)
        #expect(await wokenOnes.next() == 40)
        #expect(wake(60) == 1)
        #expect(await wokenOnes.next() == 60)
        #expect(timeout(60) == -1)
    }

    /// The loop's end also releases a waiting task elsewhere.
    @Test func pendingWait_doesNotDelayTheEndOfTheLoop() async throws {
        let loop = try EventLoop()
        try loop.start(named: "test")
        let isWaiting = AsyncStream.makeStream(of: Void.self)
        Task(executorPreference: loop) {
            isWaiting.continuation.yield()
            await loop.wait(milliseconds: .max)
        }
        var waiting = isWaiting.stream.makeAsyncIterator()
        await waiting.next()
        let elsewhere = Task { await loop.wait(milliseconds: .max) }
        loop.end()
        await elsewhere.value
        loop.waitUntilEnded()
        await loop.wait(milliseconds: .max)
    }

    @Test func end_comesAfterPendingJobs_andTheJobsThatTheyAdd() async throws {
        let loop = try EventLoop()
        let mock = MockActor(loop)
        try loop.start(named: "test")
        await mock.noteAfterTheEnd(0..<1000)
        loop.waitUntilEnded()
        #expect(mock.finalNumbers.withLock { $0.sorted() } == Array(0..<1000))
    }

    @Test func end_releasesTheHandlers() throws {
        let loop = try EventLoop()
        let pipe = try Pipe()
        weak var held: Pipe?
        try { () throws in
            let one = try Pipe()
            held = one
            let watch = try loop.watch(pipe.reader, for: .readable) { _ in one.empty() }
            // The retained watch outlives its scope.
            _ = Unmanaged.passRetained(watch)
        }()
        #expect(held != nil)
        try loop.start(named: "test")
        loop.end()
        loop.waitUntilEnded()
        #expect(held == nil)
    }

    @Test func changedWatch_reportsTheNewReadiness() async throws {
        let running = try RunningLoop()
        let pipe = try Pipe()
        let (calls, calling) = AsyncStream.makeStream(of: Readiness.self)
        let watch = try running.loop.watch(pipe.writer, for: []) { calling.yield($0) }
        try watch.change(to: .writable)
        var heard = calls.makeAsyncIterator()
        #expect(await heard.next() == .writable)
        watch.cancel()
        #expect(throws: SystemCallError(.watch, errorNumber: ENOENT)) { try watch.change(to: .readable) }
    }

    @Test func lossOfTheOtherEnd_isReported_withoutInterest() async throws {
        let running = try RunningLoop()
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        let (calls, calling) = AsyncStream.makeStream(of: Readiness.self)
        let watch = try running.loop.watch(ends[0], for: []) { calling.yield($0) }
        close(ends[1])
        var heard = calls.makeAsyncIterator()
        let readiness = await heard.next()
        watch.cancel()
        close(ends[0])
        #expect(readiness.map { !$0.isDisjoint(with: .lost) } == true)
    }

    @Test func descriptorThatCannotBeWatched_isRefusedWithTheSystemsReason() throws {
        let loop = try EventLoop()
        #expect(throws: SystemCallError(.watch, errorNumber: EBADF)) { _ = try loop.watch(-1, for: .readable) { _ in } }
        let pipe = try Pipe()
        let watch = try loop.watch(pipe.reader, for: .readable) { _ in }
        #expect(throws: SystemCallError(.watch, errorNumber: EEXIST)) {
            _ = try loop.watch(pipe.reader, for: .readable) { _ in }
        }
        watch.cancel()
        #expect("\(SystemCallError(.watch, errorNumber: EBADF))" == "cannot watch a descriptor: Bad file descriptor")
    }

    @Test func secondStart_isRefused() throws {
        let running = try RunningLoop()
        #expect(throws: SystemCallError(.start, errorNumber: EALREADY)) { try running.loop.start(named: "again") }
    }
}

private final class SharedSleepers: Sendable {
    let all = Mutex(WaiterQueue())
}
