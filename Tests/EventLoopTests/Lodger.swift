// An actor that lives on an event loop, and a pipe: what tests of the loop put on it.

import Glibc
import Synchronization

@testable import EventLoop
@testable import System

/// Keeps numbers, on the loop only.
actor Lodger {
    let loop: EventLoop
    private(set) var numbers: [Int] = []
    /// How often it was worked for by another thread than the loop's.
    private(set) var strangers = 0
    /// The numbers, for whoever comes when the loop is over and nobody can be inside.
    nonisolated let left = Mutex<[Int]>([])

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) {
        self.loop = loop
    }

    func note(_ number: Int) {
        numbers.append(number)
        left.withLock { $0.append(number) }
        if !loop.isCurrent { strangers += 1 }
    }

    /// Leaves work for later, in that order, and has the last of it tell that it is done.
    func noteLater(_ numbers: Range<Int>) async {
        await withCheckedContinuation { done in
            for number in numbers { Task { note(number) } }
            Task {
                note(-1)
                done.resume()
            }
        }
    }

    /// Leaves work that leaves work, and ends the loop before any of it is done.
    func noteAfterTheEnd(_ numbers: Range<Int>) {
        for number in numbers {
            Task {
                Task { note(number) }
            }
        }
        loop.end()
    }

    /// Always leaves one more thing to do, until something was noted. It begins by doing what it is asked to.
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

/// A pipe that tests write to.
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
