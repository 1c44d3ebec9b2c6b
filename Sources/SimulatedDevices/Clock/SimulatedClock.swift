// A clock that runs fast and jumps as it is told: the way to see a night in a minute.

import Devices
import Glibc
import Synchronization

/// Clock and timer in one, by the machine's own time since its start.
///
/// Whoever starts it at speed 1 and leaves it there has the machine's own uptime, which sound cards keep time with. After
/// another speed it is ahead of or behind that for good, because an uptime never goes back.
public final class SimulatedClock: WallClock, WakeTimer {
    private struct State {
        var time: SimulatedTime
        var trust: ClockTrust
        var zoneName: String
        var times = WakeTimes()
        var waiting: Task<Void, Never>?
    }

    private let news = TimerEvents()
    private let state: Mutex<State>

    /// A clock that shows that time now. Speeds below a hundredth and above a hundred thousand are not to be had.
    public init(wallMilliseconds: Int, speed: Double = 1, trust: ClockTrust = .synchronised, zoneName: String = "UTC") {
        let time = SimulatedTime(wallMilliseconds: wallMilliseconds, speed: speed, at: SimulatedClock.nanoseconds)
        state = Mutex(State(time: time, trust: trust, zoneName: zoneName))
    }

    deinit {
        state.withLock { $0.waiting?.cancel() }
    }

    // MARK: As a clock

    /// What it shows now.
    public var reading: ClockReading { state.withLock { $0.time.reading(at: SimulatedClock.nanoseconds) } }

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

    /// Asks to be told when one of the clocks shows a time.
    public func set(wallMilliseconds: Int?, uptimeMilliseconds: Int?) {
        change { state in
            state.times = WakeTimes(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds)
            return []
        }
    }

    /// What happens.
    public var events: AsyncStream<TimerEvent> { news.stream }

    // MARK: Its hands

    /// How many of its seconds pass in one of the machine's.
    public var speed: Double {
        get { state.withLock(\.time.speed) }
        set {
            change { state in
                state.time.run(at: newValue, from: SimulatedClock.nanoseconds)
                return []
            }
        }
    }

    /// Somebody sets the clock: no time passes.
    public func jump(byMilliseconds milliseconds: Int) {
        change { state in
            state.time.jump(byMilliseconds: milliseconds)
            return [.clockSet]
        }
    }

    /// Tells of what was done and of what is due, and waits for what is not.
    private func change(_ change: (inout State) -> [TimerEvent]) {
        state.withLock { state in
            var events = change(&state)
            let now = SimulatedClock.nanoseconds
            if state.times.take(at: state.time.reading(at: now)) { events.append(.due) }
            for event in events { news.tell(event) }
            state.waiting?.cancel()
            state.waiting = state.time.nanosecondsUntil(state.times, from: now).map { wait(nanoseconds: $0) }
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
            self?.change { _ in [] }
        }
    }

    /// The machine's own, asleep or awake.
    private static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
