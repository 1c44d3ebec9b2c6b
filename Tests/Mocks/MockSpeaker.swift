// The mock speaker and the mock buzzer: they record orders, so that a test can wait for one.

import Devices
import Sound
import Synchronization

/// A silent speaker that emits the reports a test passes to it.
package final class MockSpeaker: Speaker {
    /// Every order, in order of arrival.
    package let orders: AsyncStream<SpeakerOrder>
    /// The reports that a test passes to `report`.
    package let reports: AsyncStream<SpeakerReport>
    private let ordering: AsyncStream<SpeakerOrder>.Continuation
    private let reporting: AsyncStream<SpeakerReport>.Continuation
    private let current = Mutex(SpeakerStatus())
    private let lastSignal = Mutex<PulsePattern?>(nil)
    private let isStuck = Atomic(false)
    private let found = Mutex<(health: [Route.ID: RouteStatus.RouteHealth], tryCount: Int)>(([:], 0))

    package init() {
        (orders, ordering) = AsyncStream.makeStream()
        (reports, reporting) = AsyncStream.makeStream()
    }

    package func order(_ order: SpeakerOrder) { ordering.yield(order) }

    /// The last signal that was ordered.
    package var signal: PulsePattern? { lastSignal.withLock { $0 } }

    package func signal(_ signal: PulsePattern) { lastSignal.withLock { $0 = signal } }

    /// Sets the health that `tryCards` reports for each card.
    package func find(_ health: [Route.ID: RouteStatus.RouteHealth]) { found.withLock { $0.health = health } }

    package var tryCount: Int { found.withLock { $0.tryCount } }

    /// Calls back at once with the health that `find` has set.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        callback(
            found.withLock { found in
                found.tryCount += 1
                return found.health
            })
    }

    /// Orders silence and finishes the reports. A speaker that hangs does not finish them.
    package func end() {
        ordering.yield(.silent)
        if isAlive() { reporting.finish() }
    }

    /// Emits a report, as a driver would.
    package func report(_ report: SpeakerReport) { reporting.yield(report) }

    /// The status that a test has set.
    package var status: SpeakerStatus {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Makes the speaker hang for the rest of the test.
    package func hang() { isStuck.store(true, ordering: .relaxed) }

    /// Returns false after `hang`.
    package func isAlive() -> Bool { !isStuck.load(ordering: .relaxed) }
}

/// A buzzer that emits each start and stop, or throws the error that a test has set.
package final class MockBuzzer: Buzzer {
    /// True for each start, false for each stop.
    package let buzzes: AsyncStream<Bool>
    private let buzzing: AsyncStream<Bool>.Continuation
    private let error = Mutex<LineFailure?>(nil)
    private let current = Mutex<PulsePattern?>(nil)

    package init() {
        (buzzes, buzzing) = AsyncStream.makeStream()
    }

    /// Makes every later `buzz` throw this error; nil makes it succeed again.
    package func fail(with error: LineFailure?) { self.error.withLock { $0 = error } }

    /// The current pattern, or nil if the buzzer is silent.
    package var pulses: PulsePattern? { current.withLock { $0 } }

    package func buzz(_ pulses: PulsePattern?) throws(LineFailure) {
        if let error = error.withLock({ $0 }) { throw error }
        current.withLock { $0 = pulses }
        buzzing.yield(pulses != nil)
    }
}
