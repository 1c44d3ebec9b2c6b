// A clock that runs fast and jumps as it is told: the way to see a night in a minute.

import CivilTime
import Devices
import Synchronization
import System

/// How far a clock is to be believed, where it stands, and when it is to call.
package struct ClockSettings: Sendable {
    package var trust: ClockTrust
    package var zoneName: String
    package var times = WakeTimes()

    package init(trust: ClockTrust, zoneName: String) { (self.trust, self.zoneName) = (trust, zoneName) }

    /// All that is to be told since it was as it was before, now that the clocks show this.
    package mutating func events(since before: ClockSettings, at reading: Moment) -> [TimerEvent] {
        var events: [TimerEvent] = []
        if trust != before.trust { events.append(.trustChanged) }
        if zoneName != before.zoneName { events.append(.zoneChanged) }
        if times.removeDue(at: reading) { events.append(.due) }
        return events
    }
}

/// Clock and timer in one. At speed 1 from the start it has the machine's own uptime, which sound cards keep time with; after
/// another speed it is ahead of or behind that for good, because an uptime never goes back.
package final class SimulatedClock: WallClock, WakeTimer, TimeScale {
    private struct State {
        var time: SimulatedTime
        /// How many wait for a thing of the world.
        var waitCount = 0
        var settings: ClockSettings
        var waiting: Task<Void, Never>?
    }

    private let timerEvents = TimerEvents()
    private let state: Mutex<State>

    /// A clock that shows that time now. Speeds below a hundredth and above a hundred thousand are not to be had.
    package init(wallMilliseconds: Int, speed: Double = 1, trust: ClockTrust = .synchronised, zoneName: String = "UTC")
    {
        let time = SimulatedTime(wallMilliseconds: wallMilliseconds, speed: speed, at: Uptime.nanoseconds)
        state = Mutex(State(time: time, settings: ClockSettings(trust: trust, zoneName: zoneName)))
    }

    deinit {
        state.withLock { $0.waiting?.cancel() }
    }

    // MARK: As a clock

    package var reading: Moment { state.withLock { $0.time.reading(at: Uptime.nanoseconds) } }

    /// How far it is to be believed. Whoever changes that is heard.
    package var trust: ClockTrust {
        get { state.withLock(\.settings.trust) }
        set { change { $0.settings.trust = newValue } }
    }

    /// The machine's zone. Whoever changes it is heard.
    package var zoneName: String {
        get { state.withLock(\.settings.zoneName) }
        set { change { $0.settings.zoneName = newValue } }
    }

    // MARK: As a timer

    /// Asks to be told when one of the clocks shows a time.
    package func set(_ times: WakeTimes) {
        change { $0.settings.times = times }
    }

    package var events: AsyncStream<Set<TimerEvent>> { timerEvents.stream }

    // MARK: Its hands

    package static var speeds: ClosedRange<Double> { SimulatedTime.speeds }

    /// How many of its seconds pass in one of the machine's.
    package var speed: Double {
        get { state.withLock(\.time.speed) }
        set { change { $0.time.run(at: newValue, from: Uptime.nanoseconds) } }
    }

    /// Somebody waits for a thing of the world.
    package func pin() { addWaiting(1) }

    /// One of those does not any more.
    package func unpin() { addWaiting(-1) }

    private func addWaiting(_ count: Int) {
        let isFirstOrLast = state.withLock { state in
            defer { state.waitCount += count }
            return (state.waitCount > 0) != (state.waitCount + count > 0)
        }
        guard isFirstOrLast else { return }
        change { $0.time.pin($0.waitCount > 0, from: Uptime.nanoseconds) }
    }

    /// Somebody sets the clock: no time passes.
    package func jump(byMilliseconds milliseconds: Int) {
        change(telling: [.clockSet]) { $0.time.jump(byMilliseconds: milliseconds) }
    }

    /// Tells of what was done and of what is due, and waits for what is not.
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
                // Something else is waited for.
                return
            }
            self?.change { _ in }
        }
    }
}
