// A clock that only moves when it is told to, for tests.

import CivilTime
import Devices
import SimulatedDevices
import Synchronization

/// Clock and timer in one, in which no time passes by itself.
package final class ManualClock: WallClock, WakeTimer {
    private struct State {
        var reading: Moment
        var settings: ClockSettings
    }

    /// What it is asked for, each time.
    package let wakes: AsyncStream<WakeTimes>
    private let asking: AsyncStream<WakeTimes>.Continuation
    private let timerEvents = TimerEvents()
    private let state: Mutex<State>

    /// A clock that shows this, for as long as nobody moves its hands.
    package init(_ reading: Moment, trust: ClockTrust = .synchronised, zoneName: String = "UTC") {
        state = Mutex(State(reading: reading, settings: ClockSettings(trust: trust, zoneName: zoneName)))
        (wakes, asking) = AsyncStream.makeStream()
    }

    // MARK: As a clock

    /// What it shows.
    package var reading: Moment { state.withLock(\.reading) }

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

    package func set(_ times: WakeTimes) {
        change { $0.settings.times = times }
        asking.yield(times)
    }

    package var events: AsyncStream<Set<TimerEvent>> { timerEvents.stream }

    /// What is still to come of what it was asked for.
    package var times: WakeTimes { state.withLock(\.settings.times) }

    // MARK: Its hands

    /// Time passes, on both clocks.
    package func advance(byMilliseconds milliseconds: Int) {
        precondition(milliseconds >= 0, "time does not go back; a clock can be set back")
        change { state in
            state.reading.wallMilliseconds += milliseconds
            state.reading.uptimeMilliseconds += milliseconds
        }
    }

    /// Somebody sets the clock: no time passes.
    package func step(byMilliseconds milliseconds: Int) {
        change(telling: [.clockSet]) { $0.reading.wallMilliseconds += milliseconds }
    }

    /// Tells of what was done, and then of what is due by it.
    private func change(telling events: [TimerEvent] = [], _ change: (inout State) -> Void) {
        state.withLock { state in
            let before = state.settings
            change(&state)
            for event in events + state.settings.events(since: before, at: state.reading) { timerEvents.emit(event) }
        }
    }
}
