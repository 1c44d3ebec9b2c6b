// Simulated cards that play by a clock, for `roosterd --simulate`.

import Devices
import Sound
import Synchronization

/// A speaker on simulated cards, with a clock that may run fast.
package final class VirtualSpeaker: Speaker {
    /// The interval of polls while the output may change, in nanoseconds.
    private static let stepNanoseconds: UInt64 = 5_000_000

    private let stream = ReportStream<SpeakerReport>()
    private let clock: any WallClock
    private let state: Mutex<State>

    private struct State: Sendable {
        var speaker: SimulatedSpeaker
        var isLooking = false
    }

    package init(_ cards: [SimulatedCard], hasBuzzer: Bool = false, clock: any WallClock) {
        self.clock = clock
        state = Mutex(
            State(speaker: SimulatedSpeaker(cards, hasBuzzer: hasBuzzer, uptime: clock.reading.uptimeMilliseconds)))
    }

    deinit {
        stream.finish()
    }

    package var reports: AsyncStream<SpeakerReport> { stream.reports }

    /// Replaces the sound.
    package func order(_ order: SpeakerOrder) { change { $0.order(order) } }

    /// Does nothing: a simulated sound has no audible gap.
    package func signal(_ signal: PulsePattern) {}

    /// Reports the health of all cards at once.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        callback(Dictionary(uniqueKeysWithValues: cards.map { ($0.route.id, $0.health) }))
    }

    /// Falls silent. There is no mixer to restore.
    package func end() {
        order(.silent)
        stream.finish()
    }

    package func change(_ card: Route.ID, _ change: @Sendable (inout SimulatedCard) -> Void) {
        self.change { $0.change(card, change) }
        // Makes the service check its cards, as when a real card is plugged in.
        stream.emit(.routesChanged)
    }

    package var cards: [SimulatedCard] { state.withLock { $0.speaker.cards } }

    package var status: SpeakerStatus {
        let uptime = clock.reading.uptimeMilliseconds
        return state.withLock { state in
            pass(to: uptime, &state.speaker)
            var status = state.speaker.routing.status
            status.decibels = state.speaker.heard.first?.decibels
            // Simulated sounds need no rendering.
            status.isReady = status.routes.contains { $0.health == .good }
            return status
        }
    }

    /// True: there is no thread that could hang.
    package func isAlive() -> Bool { true }

    private func change(_ change: (inout SimulatedSpeaker) -> Void) {
        let uptime = clock.reading.uptimeMilliseconds
        let begins = state.withLock { state in
            pass(to: uptime, &state.speaker)
            change(&state.speaker)
            defer { state.isLooking = true }
            return !state.isLooking
        }
        if begins { Task { [weak self] in await VirtualSpeaker.poll(at: self) } }
    }

    private func pass(to uptime: Int, _ speaker: inout SimulatedSpeaker) {
        for report in speaker.advance(to: max(uptime, speaker.uptime)) { stream.emit(report.report) }
    }

    /// Polls until the output no longer changes by itself.
    private static func poll(at speaker: @autoclosure () -> VirtualSpeaker?) async {
        while let speaker = speaker(), speaker.goesOn() {
            do {
                try await Task.sleep(nanoseconds: stepNanoseconds)
            } catch {
                // This task is never cancelled. A cancelled one would only poll more often.
                await Task.yield()
            }
        }
    }

    private func goesOn() -> Bool {
        let uptime = clock.reading.uptimeMilliseconds
        return state.withLock { state in
            pass(to: uptime, &state.speaker)
            state.isLooking = state.speaker.nextChangeUptime != nil
            return state.isLooking
        }
    }
}
