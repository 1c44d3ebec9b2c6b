// The mock actor and the pipe, for the loop's tests.

import Glibc
import Synchronization

@testable import EventLoop
@testable import System

/// An actor that collects numbers on the loop.
actor MockActor {
    let loop: EventLoop
    private(set) var numbers: [Int] = []
    /// The number of calls that ran on another thread than the loop's.
    private(set) var foreignCallCount = 0
    /// The same numbers, readable after the loop's end.
    nonisolated let finalNumbers = Mutex<[Int]>([])

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func note(_ number: Int) {
        numbers.append(number)
        finalNumbers.withLock { $0.append(number) }
        if !loop.isCurrent { foreignCallCount += 1 }
    }

    /// Queues the numbers as tasks in order, and returns after the last one.
    func noteLater(_ numbers: Range<Int>) async {
        await withCheckedContinuation { done in
            for number in numbers { Task { note(number) } }
            Task {
                note(-1)
                done.resume()
            }
        }
    }

    /// Queues tasks that queue tasks, and ends the loop before any of them runs.
    func noteAfterTheEnd(_ numbers: Range<Int>) {
        for number in numbers {
            Task {
                Task { note(number) }
            }
        }
        loop.end()
    }

    /// Calls `begin`, then keeps one task queued until a number is noted.
    func turnRoundUntilNoted(first begin: @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            turnRound(done)
            begin()
        }
    }

    private func turnRound(_ done: CheckedContinuation<Void, Never>) {
        guard numbers.isEmpty else { return done.resume() }
        Task { turnRound(done) }
    }
}

/// A non-blocking pipe.
final class Pipe: Sendable {
    let reader: Int32
    let writer: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError(.make, errorNumber: errno) }
        (reader, writer) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    }

    deinit {
        close(reader)
        close(writer)
    }

    func fill() { _ = write(writer, "x", 1) }

    func empty() {
        var byte: UInt8 = 0
        _ = read(reader, &byte, 1)
    }
}
