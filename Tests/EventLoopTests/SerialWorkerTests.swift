// The test of the worker for slow work beside the loop.

import Dispatch
import Oracles
import Synchronization
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(10))) struct SerialWorkerTests {
    /// This work waits for a later job of the loop, so on the loop it would never end.
    @Test func loop_continues_whileAPieceOfWorkRuns() async throws {
        let running = try RunningLoop()
        let aside = SerialWorker(beside: running.loop)
        let gate = DispatchSemaphore(value: 0)
        let (told, tell) = AsyncStream.makeStream(of: (isOpen: Bool, isOnLoop: Bool).self)
        aside.run {
            gate.wait(timeout: .now() + 30) == .success
        } then: { [loop = running.loop] in
            tell.yield(($0, loop.isCurrent))
        }
        Task(executorPreference: running.loop) { gate.signal() }
        var answers = told.makeAsyncIterator()
        let answer = await answers.next()
        #expect(answer?.isOpen == true && answer?.isOnLoop == true)
    }

    private final class Counts: Sendable {
        let atWork = Atomic(0)
        let overlaps = Atomic(0)
    }

    @Test func piecesOfWork_runOneByOne_inTheOrderOfTheirArrival() async throws {
        let running = try RunningLoop()
        let aside = SerialWorker(beside: running.loop)
        let counts = Counts()
        let (told, tell) = AsyncStream.makeStream(of: Int.self)
        for number in 0..<500 {
            aside.run {
                if counts.atWork.add(1, ordering: .relaxed).newValue > 1 { counts.overlaps.add(1, ordering: .relaxed) }
                counts.atWork.subtract(1, ordering: .relaxed)
                return number
            } then: {
                tell.yield($0)
            }
        }
        var answers = told.makeAsyncIterator()
        for number in 0..<500 { #expect(await answers.next() == number) }
        #expect(counts.overlaps.load(ordering: .relaxed) == 0)
    }
}
