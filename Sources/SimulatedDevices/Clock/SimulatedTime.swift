// The arithmetic of a simulated clock.

import CivilTime
import Devices

/// The time of a clock that runs at some speed since its last change. A value: callers pass the machine's
/// uptime in nanoseconds.
struct SimulatedTime: Hashable, Sendable {
    private(set) var speed: Double
    private var isPinned = false
    private var wallMilliseconds: Int
    private var uptimeMilliseconds: Int
    private var sinceNanoseconds: Int

    static let speeds = 0.01...100_000.0
    private static let dayNanoseconds = 86_400e9

    /// Creates a clock that shows this time now. Its uptime is the machine's.
    init(wallMilliseconds: Int, speed: Double, at nanoseconds: Int) {
        self.speed = SimulatedTime.possible(speed) ?? 1
        self.wallMilliseconds = wallMilliseconds
        uptimeMilliseconds = nanoseconds / 1_000_000
        // The start of that millisecond, so that both uptimes reach their next millisecond together.
        sinceNanoseconds = uptimeMilliseconds * 1_000_000
    }

    func reading(at nanoseconds: Int) -> Moment {
        let elapsed = Int(Double(max(0, nanoseconds - sinceNanoseconds)) * rate / 1_000_000)
        return Moment(
            wallMilliseconds: wallMilliseconds + elapsed, uptimeMilliseconds: uptimeMilliseconds + elapsed)
    }

    mutating func run(at speed: Double, from nanoseconds: Int) {
        guard let speed = SimulatedTime.possible(speed) else { return }
        changePace(from: nanoseconds) { $0.speed = speed }
    }

    /// Pins or unpins the clock. A pinned clock runs no faster than the machine's.
    mutating func pin(_ isSlowedDown: Bool, from nanoseconds: Int) {
        changePace(from: nanoseconds) { $0.isPinned = isSlowedDown }
    }

    /// The number of simulated seconds per real second, now.
    private var rate: Double { isPinned ? min(speed, 1) : speed }

    private mutating func changePace(from nanoseconds: Int, _ change: (inout SimulatedTime) -> Void) {
        var changed = self
        change(&changed)
        if changed.rate != rate {
            let reading = reading(at: nanoseconds)
            (changed.wallMilliseconds, changed.uptimeMilliseconds) = (
                reading.wallMilliseconds, reading.uptimeMilliseconds
            )
            changed.sinceNanoseconds = max(nanoseconds, sinceNanoseconds)
        }
        self = changed
    }

    mutating func jump(byMilliseconds milliseconds: Int) {
        wallMilliseconds += milliseconds
    }

    /// Returns how long the machine needs until the first of the times, at most a day. Nil if there is none.
    func nanosecondsUntil(_ times: WakeTimes, from nanoseconds: Int) -> Int? {
        let elapsed = [
            times.wallMilliseconds.map { Double($0) - Double(wallMilliseconds) },
            times.uptimeMilliseconds.map { Double($0) - Double(uptimeMilliseconds) },
        ]
        guard let first = elapsed.compactMap(\.self).min() else { return nil }
        let left = first * 1_000_000 / rate - Double(nanoseconds - sinceNanoseconds)
        return Int(min(max(left, 0), SimulatedTime.dayNanoseconds).rounded(.up))
    }

    private static func possible(_ speed: Double) -> Double? {
        speed.isFinite ? min(max(speed, speeds.lowerBound), speeds.upperBound) : nil
    }
}
