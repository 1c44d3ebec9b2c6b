// A clock whose hands are moved by tests.

import Devices
import Synchronization

/// Clock and timer in one, in which no time passes by itself.
public final class ManualClock: WallClock, WakeTimer {
    private struct State {
        var reading: ClockReading
        var trust: ClockTrust
        var zoneName: String
        var times = WakeTimes()
    }

    /// What it is asked for, each time.
    public let wakes: AsyncStream<WakeTimes>
    private let asking: AsyncStream<WakeTimes>.Continuation
    private let news = TimerEvents()
    private let state: Mutex<State>

    /// A clock that shows this, for as long as nobody moves its hands.
    public init(_ reading: ClockReading, trust: ClockTrust = .synchronised, zoneName: String = "UTC") {
        state = Mutex(State(reading: reading, trust: trust, zoneName: zoneName))
        (wakes, asking) = AsyncStream.makeStream()
    }

    // MARK: As a clock

    /// What it shows.
    public var reading: ClockReading { state.withLock(\.reading) }

    /// How far it is to be believed. Whoever changes that is heard.
    public var trust: ClockTrust {
        get { state.withLock(\.trust) }
        set {
            change { state in
                defer { state.trust = newValue }
                return state.trust == newValue ? [] : [.trustChanged]
            }
        }
    }

    /// The machine's zone. Whoever changes it is heard.
    public var zoneName: String {
        get { state.withLock(\.zoneName) }
        set {
            change { state in
                defer { state.zoneName = newValue }
                return state.zoneName == newValue ? [] : [.zoneChanged]
            }
        }
    }

    // MARK: As a timer

    /// Takes note.
    public func set(wallMilliseconds: Int?, uptimeMilliseconds: Int?) {
        let times = WakeTimes(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds)
        change { state in
            state.times = times
            return []
        }
        asking.yield(times)
    }

    /// What happens.
    public var events: AsyncStream<TimerEvent> { news.stream }

    /// What is still to come of what it was asked for.
    public var times: WakeTimes { state.withLock(\.times) }

    // MARK: Its hands

    /// Time passes, on both clocks.
    public func advance(byMilliseconds milliseconds: Int) {
        precondition(milliseconds >= 0, "time does not go back; a clock can be set back")
        change { state in
            state.reading.wallMilliseconds += milliseconds
            state.reading.uptimeMilliseconds += milliseconds
            return []
        }
    }

    /// Somebody sets the clock: no time passes.
    public func step(byMilliseconds milliseconds: Int) {
        change { state in
            state.reading.wallMilliseconds += milliseconds
            return [.clockSet]
        }
    }

    /// Tells of what was done, and then of what is due by it.
    private func change(_ change: (inout State) -> [TimerEvent]) {
        state.withLock { state in
            var events = change(&state)
            if state.times.take(at: state.reading) { events.append(.due) }
            for event in events { news.tell(event) }
        }
    }
}
