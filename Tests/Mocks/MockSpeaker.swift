// A speaker and a buzzer that do nothing but tell what they were asked: what tests of others wait for.

import Devices
import Sound
import Synchronization

/// A speaker that makes no sound and tells what it is told to tell.
package final class MockSpeaker: Speaker {
    /// Every order, as it comes.
    package let orders: AsyncStream<SpeakerOrder>
    /// What `report` is called with.
    package let reports: AsyncStream<SpeakerReport>
    private let ordering: AsyncStream<SpeakerOrder>.Continuation
    private let reporting: AsyncStream<SpeakerReport>.Continuation
    private let current = Mutex(SpeakerStatus())
    private let lastSignal = Mutex<PulsePattern?>(nil)
    private let isStuck = Atomic(false)
    private let found = Mutex<(health: [Route.ID: RouteStatus.RouteHealth], tryCount: Int)>(([:], 0))

    /// A speaker that has been asked for nothing.
    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func order(_ order: SpeakerOrder) { ordering.yield(order) }

    /// The last signal it was to give.
    package var signal: PulsePattern? { lastSignal.withLock { $0 } }

    package func signal(_ signal: PulsePattern) { lastSignal.withLock { $0 = signal } }

    /// How its cards are to be found when they are tried.
    package func find(_ health: [Route.ID: RouteStatus.RouteHealth]) { found.withLock { $0.health = health } }

    /// How often they were tried.
    package var tryCount: Int { found.withLock { $0.tryCount } }

    /// Tells at once what is to be found.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        callback(
            found.withLock { found in
                found.tryCount += 1
                return found.health
            })
    }

    /// Falls silent, and has nothing to put back; but one that hangs does not end.
    package func end() {
        ordering.yield(.silent)
        if isAlive() { reporting.finish() }
    }

    /// Tells something, as a real one might.
    package func report(_ report: SpeakerReport) { reporting.yield(report) }

    /// What it is said to be like.
    package var status: SpeakerStatus {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Hangs, for ever.
    package func hang() { isStuck.store(true, ordering: .relaxed) }

    /// Whether it does not hang.
    package func isAlive() -> Bool { !isStuck.load(ordering: .relaxed) }
}

/// A buzzer that tells what it was asked, and does as it is told: nothing, or fail.
package final class MockBuzzer: Buzzer {
    /// Each time it was started or stopped.
    package let buzzes: AsyncStream<Bool>
    private let buzzing: AsyncStream<Bool>.Continuation
    private let error = Mutex<LineFailure?>(nil)
    private let current = Mutex<PulsePattern?>(nil)

    /// A buzzer in order.
    package init() {
        (buzzes, buzzing) = AsyncStream.makeStream()
    }

    /// What it fails with from now on, if with anything.
    package func fail(with error: LineFailure?) { self.error.withLock { $0 = error } }

    /// How it pulses now.
    package var pulses: PulsePattern? { current.withLock { $0 } }

    package func buzz(_ pulses: PulsePattern?) throws(LineFailure) {
        if let error = error.withLock({ $0 }) { throw error }
        current.withLock { $0 = pulses }
        buzzing.yield(pulses != nil)
    }
}
