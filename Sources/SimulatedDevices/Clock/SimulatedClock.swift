// A clock that runs fast and can be set, so that a night takes a minute.

import CivilTime
import Devices
import Synchronization
import System

/// A clock's trust, its zone, and the times at which its timer wakes.
package struct ClockSettings: Sendable {
    package var trust: ClockTrust
    package var zoneName: String
    package var times = WakeTimes()

    package init(trust: ClockTrust, zoneName: String) { (self.trust, self.zoneName) = (trust, zoneName) }

    /// Returns the events that follow from the difference to `before`, and from the clocks' reading.
    package mutating func events(since before: ClockSettings, at reading: Moment) -> [TimerEvent] {
        var events: [TimerEvent] = []
        if trust != before.trust { events.append(.trustChanged) }
        if zoneName != before.zoneName { events.append(.zoneChanged) }
        if times.removeDue(at: reading) { events.append(.due) }
        return events
    }
}

/// A clock and a timer in one. If the speed is 1 from the start, its uptime is the machine's, which sound
/// cards use. After any other speed the two differ for good, because an uptime never goes back.
package final class SimulatedClock: WallClock, WakeTimer, TimeScale {
    private struct State {
        var time: SimulatedTime
        /// The number of waits for real hardware.
        var waitCount = 0
        var settings: ClockSettings
        var waiting: Task<Void, Never>?
    }

    private let timerEvents = TimerEvents()
    private let state: Mutex<State>

    /// Creates a clock that shows this time now. The speed is clamped to `speeds`.
    package init(wallMilliseconds: Int, speed: Double = 1, trust: ClockTrust = .synchronised, zoneName: String = "UTC")
    {
        let time = SimulatedTime(wallMilliseconds: wallMilliseconds, speed: speed, at: Uptime.nanoseconds)
        state = Mutex(State(time: time, settings: ClockSettings(trust: trust, zoneName: zoneName)))
    }

    deinit {
        state.withLock { $0.waiting?.cancel() }
    }

    // MARK: WallClock

    package var reading: Moment { state.withLock { $0.time.reading(at: Uptime.nanoseconds) } }

    /// The clock's trust. Setting it emits an event.
    package var trust: ClockTrust {
        get { state.withLock(\.settings.trust) }
        set { change { $0.settings.trust = newValue } }
    }

    /// The machine's zone. Setting it emits an event.
    package var zoneName: String {
        get { state.withLock(\.settings.zoneName) }
        set { change { $0.settings.zoneName = newValue } }
    }

    // MARK: WakeTimer

    /// Replaces the times at which the timer wakes.
    package func set(_ times: WakeTimes) {
        change { $0.settings.times = times }
    }

    package var events: AsyncStream<Set<TimerEvent>> { timerEvents.stream }

    // MARK: Control

    package static var speeds: ClosedRange<Double> { SimulatedTime.speeds }

    /// The number of simulated seconds per real second.
    package var speed: Double {
        get { state.withLock(\.time.speed) }
        set { change { $0.time.run(at: newValue, from: Uptime.nanoseconds) } }
    }

    package func pin() { addWaiting(1) }

    package func unpin() { addWaiting(-1) }

    private func addWaiting(_ count: Int) {
        let isFirstOrLast = state.withLock { state in
            defer { state.waitCount += count }
            return (state.waitCount > 0) != (state.waitCount + count > 0)
        }
        guard isFirstOrLast else { return }
        change { $0.time.pin($0.waitCount > 0, from: Uptime.nanoseconds) }
    }

    /// Moves the system's clock. The uptime stays.
    package func jump(byMilliseconds milliseconds: Int) {
        change(telling: [.clockSet]) { $0.time.jump(byMilliseconds: milliseconds) }
    }

    /// Makes a change, emits its events and those that are due, and waits for the next wake time.
    private func change(telling events: [TimerEvent] = [], _ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state.settings
            change(&state)
            let now = Uptime.nanoseconds
            let new = state.settings.events(since: before, at: state.time.reading(at: now))
            for event in events + new { timerEvents.emit(event) }
            state.waiting?.cancel()
            state.waiting = state.time.nanosecondsUntil(state.settings.times, from: now).map { wait(nanoseconds: $0) }
        }
    }

    private func wait(nanoseconds: Int) -> Task<Void, Never> {
        Task { [weak self] in
            do {
                try await Task.sleep(for: .nanoseconds(nanoseconds))
            } catch {
                // Another wait has replaced this one.
                return
            }
            self?.change { _ in }
        }
    }
}
