// The tests of timers on an event loop.

import Foundation
import Oracles
import Synchronization
import Testing

@testable import EventLoop
@testable import System

@Suite(.timeLimit(.minutes(10))) struct LoopTimerTests {
    @Test func deadline_isReportedOnce_notEarlier() async throws {
        let running = try RunningLoop()
        let (calls, calling) = AsyncStream.makeStream(of: Double.self)
        let timer = try LoopTimer(on: running.loop) { calling.yield(Uptime.now) }
        var heard = calls.makeAsyncIterator()
        for milliseconds in [1, 20, 45] {
            let deadline = Uptime.milliseconds + milliseconds
            timer.set(uptimeMilliseconds: deadline)
            let told = try #require(await heard.next())
            #expect(told >= Double(deadline))
        }
    }

    static let past: [Int] = [.min, -1, 0, 1]

    @Test(arguments: past) func pastDeadline_isReportedAtOnce(uptime: Int) async throws {
        let running = try RunningLoop()
        let (calls, calling) = AsyncStream.makeStream(of: Void.self)
        let timer = try LoopTimer(on: running.loop) { calling.yield() }
        timer.set(uptimeMilliseconds: uptime)
        var heard = calls.makeAsyncIterator()
        #expect(await heard.next() != nil)
    }

    /// Both deadlines have passed when the loop starts. A call of the first timer would come before the
    /// second's.
    @Test(arguments: ["never", "later", "forgotten"])
    func cancelledDeadline_isNotReported(how: String) async throws {
        let loop = try EventLoop()
        let (calls, calling) = AsyncStream.makeStream(of: Int.self)
        var first: LoopTimer? = try LoopTimer(on: loop) { calling.yield(1) }
        let second = try LoopTimer(on: loop) { calling.yield(2) }
        for timer in [first, second] { timer?.set(uptimeMilliseconds: 0) }
        switch how {
        case "never": first?.set(uptimeMilliseconds: nil)
        case "later": first?.set(uptimeMilliseconds: .max)
        default: first = nil
        }
        try loop.start(named: "test")
        var heard = calls.makeAsyncIterator()
        #expect(await heard.next() == 2)
        loop.end()
        loop.waitUntilEnded()
        withExtendedLifetime((first, second)) {}
    }

    /// The kernel reports both timers at once. The first callback cancels the other timer.
    @Test func deadlineCancelledWithinTheBatch_isNotReported() throws {
        let loop = try EventLoop()
        let timers = Mutex<[LoopTimer]>([])
        let calls = Atomic(0)
        for _ in 0..<2 {
            let timer = try LoopTimer(on: loop) {
                calls.add(1, ordering: .relaxed)
                for timer in timers.withLock(\.self) { timer.set(uptimeMilliseconds: nil) }
                loop.end()
            }
            timers.withLock { $0.append(timer) }
        }
        for timer in timers.withLock(\.self) { timer.set(uptimeMilliseconds: 1) }
        try loop.start(named: "test")
        loop.waitUntilEnded()
        #expect(calls.load(ordering: .relaxed) == 1)
    }

}

/// The kernel's answers for a timer on the wall clock. No test sets the machine's clock.
@Suite struct KernelTimerTests {
    @Test func kernelAnswers_areDistinguished() {
        #expect(KernelTimer.Expiration(byteCount: 8, errorNumber: 0) == .expired)
        // A successful call ignores an errno that an earlier call left.
        #expect(KernelTimer.Expiration(byteCount: 8, errorNumber: ECANCELED) == .expired)
        #expect(KernelTimer.Expiration(byteCount: -1, errorNumber: ECANCELED) == .clockSet)
        #expect(KernelTimer.Expiration(byteCount: -1, errorNumber: EAGAIN) == .nothing)
        #expect(KernelTimer.Expiration(byteCount: -1, errorNumber: EINTR) == .nothing)
    }

    /// Returns the timer's state as the kernel reports it in `/proc`.
    func known(_ timer: KernelTimer) throws -> [Substring: Substring] {
        let text = try String(contentsOfFile: "/proc/self/fdinfo/\(timer.number)", encoding: .utf8)
        return Dictionary(
            text.split(separator: "\n").compactMap { line in
                line.firstIndex(of: ":").map { (line[..<$0], line[line.index(after: $0)...]) }
            }, uniquingKeysWith: { $1 })
    }

    @Test func timerOnTheWallClock_isArmedForSteps_withoutATime() throws {
        let timer = try KernelTimer(CLOCK_REALTIME)
        #expect(try known(timer)["it_value"]?.contains("(0, 0)") == true)
        for milliseconds in [nil, 1_000_000_000_000_000, Int.max] {
            #expect(!timer.set(milliseconds: milliseconds))
            let known = try known(timer)
            // The flags: an absolute time, and cancellation when the clock is set.
            #expect(known["settime flags"]?.contains("03") == true)
            #expect(known["it_value"]?.contains("(0, 0)") == false)
        }
        #expect(timer.read() == .nothing)
    }

    @Test func timerOnUptime_isNotArmed_withoutATime() throws {
        let timer = try KernelTimer(CLOCK_BOOTTIME)
        #expect(!timer.set(milliseconds: .max))
        #expect(try known(timer)["it_value"]?.contains("(0, 0)") == false)
        #expect(!timer.set(milliseconds: nil))
        #expect(try known(timer)["it_value"]?.contains("(0, 0)") == true)
    }

    @Test func pastTime_expiresAtOnce() throws {
        let timer = try KernelTimer(CLOCK_REALTIME)
        for milliseconds in [Int.min, -5, 0, 1] {
            #expect(!timer.set(milliseconds: milliseconds))
            var descriptor = pollfd(fd: timer.number, events: Int16(POLLIN), revents: 0)
            #expect(poll(&descriptor, 1, -1) == 1)
            #expect(timer.read() == .expired)
            #expect(timer.read() == .nothing)
        }
    }
}
