// The manual clock: its time passes only when a test advances it.

import CivilTime
import Devices
import SimulatedDevices
import Synchronization

/// A clock and its timer in one.
package final class ManualClock: WallClock, WakeTimer {
    private struct State {
        var reading: Moment
        var settings: ClockSettings
    }

    /// Every setting of the timer, in order of arrival.
    package let wakes: AsyncStream<WakeTimes>
    private let asking: AsyncStream<WakeTimes>.Continuation
    private let timerEvents = TimerEvents()
    private let state: Mutex<State>

    /// Makes a clock that stands still at this reading.
    package init(_ reading: Moment, trust: ClockTrust = .synchronised, zoneName: String = "UTC") {
        state = Mutex(State(reading: reading, settings: ClockSettings(trust: trust, zoneName: zoneName)))
        (wakes, asking) = AsyncStream.makeStream()
    }

    // MARK: Clock

    package var reading: Moment { state.withLock(\.reading) }

    /// The trust in the clock. A change emits an event.
    package var trust: ClockTrust {
        get { state.withLock(\.settings.trust) }
        set { change { $0.settings.trust = newValue } }
    }

    /// The machine's zone. A change emits an event.
    package var zoneName: String {
        get { state.withLock(\.settings.zoneName) }
        set { change { $0.settings.zoneName = newValue } }
    }

    // MARK: Timer

    package func set(_ times: WakeTimes) {
        change { $0.settings.times = times }
        asking.yield(times)
    }

    package var events: AsyncStream<Set<TimerEvent>> { timerEvents.stream }

    /// The timer's times that are still in the future.
    package var times: WakeTimes { state.withLock(\.settings.times) }

    // MARK: Control by a test

    /// Advances the wall clock and the uptime.
    package func advance(byMilliseconds milliseconds: Int) {
        precondition(milliseconds >= 0, "time does not go back; a clock can be set back")
        change { state in
            state.reading.wallMilliseconds += milliseconds
            state.reading.uptimeMilliseconds += milliseconds
        }
    }

    /// Sets the wall clock. The uptime stays.
    package func step(byMilliseconds milliseconds: Int) {
        change(telling: [.clockSet]) { $0.reading.wallMilliseconds += milliseconds }
    }

    /// Makes a change, and emits the given events and those of due times.
    private func change(telling events: [TimerEvent] = [], _ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state.settings
            change(&state)
            for event in events + state.settings.events(since: before, at: state.reading) { timerEvents.emit(event) }
        }
    }
}
