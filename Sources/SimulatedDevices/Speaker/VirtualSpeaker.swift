// Simulated cards that play while real time passes: what rings where there is no sound card.

import Devices
import Sound
import Synchronization

/// A speaker on simulated cards, by a clock that may run fast.
package final class VirtualSpeaker: Speaker {
    /// Every order leads to a few reports; whoever does not listen loses the oldest.
    private static let reportsMax = 256
    /// It looks so often while something may change, in nanoseconds.
    private static let stepNanoseconds: UInt64 = 5_000_000

    package let reports: AsyncStream<SpeakerReport>
    private let reporting: AsyncStream<SpeakerReport>.Continuation
    private let clock: any WallClock
    private let state: Mutex<State>

    private struct State: Sendable {
        var speaker: SimulatedSpeaker
        var isLooking = false
    }

    package init(_ cards: [SimulatedCard], hasBuzzer: Bool = false, clock: any WallClock) {
        self.clock = clock
        (reports, reporting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(VirtualSpeaker.reportsMax))
        state = Mutex(
            State(speaker: SimulatedSpeaker(cards, hasBuzzer: hasBuzzer, uptime: clock.reading.uptimeMilliseconds)))
    }

    deinit {
        reporting.finish()
    }

    /// Says what is to be heard from now on.
    package func order(_ order: SpeakerOrder) { change { $0.order(order) } }

    /// Nobody hears a gap in a simulated sound.
    package func signal(_ signal: PulsePattern) {}

    /// Tells at once how each card is.
    package func tryCards(then callback: @escaping @Sendable ([Route.ID: RouteStatus.RouteHealth]) -> Void) {
        callback(Dictionary(uniqueKeysWithValues: cards.map { ($0.route.id, $0.health) }))
    }

    /// Falls silent, and has nothing to put back.
    package func end() {
        order(.silent)
        reporting.finish()
    }

    package func change(_ card: Route.ID, _ change: @Sendable (inout SimulatedCard) -> Void) {
        self.change { $0.change(card, change) }
        // Whoever mends a card expects it to be seen, as when a real one is plugged in again.
        reporting.yield(.routesChanged)
    }

    package var cards: [SimulatedCard] { state.withLock { $0.speaker.cards } }

    package var status: SpeakerStatus {
        let uptime = clock.reading.uptimeMilliseconds
        return state.withLock { state in
            pass(to: uptime, &state.speaker)
            var status = state.speaker.routing.status
            status.decibels = state.speaker.heard.first?.decibels
            // Simulated sounds need not be made.
            status.isReady = status.routes.contains { $0.health == .good }
            return status
        }
    }

    /// It has no thread that could hang.
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
        for report in speaker.advance(to: max(uptime, speaker.uptime)) { reporting.yield(report.report) }
    }

    /// Looks again and again until nothing changes by itself any more.
    private static func poll(at speaker: @autoclosure () -> VirtualSpeaker?) async {
        while let speaker = speaker(), speaker.goesOn() {
            do {
                try await Task.sleep(nanoseconds: stepNanoseconds)
            } catch {
                // Nobody cancels it; if somebody does, it looks more often.
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
