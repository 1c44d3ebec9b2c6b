// How a simulated clock runs by the machine's.

import Devices

/// A clock that runs at some speed, from where it was when that was last changed: a value, by the nanoseconds since the
/// machine was started.
struct SimulatedTime: Hashable, Sendable {
    private(set) var speed: Double
    private var wallMilliseconds: Int
    private var uptimeMilliseconds: Int
    private var sinceNanoseconds: Int

    /// A second of the machine may last so long.
    static let speeds = 0.01...100_000.0

    /// A clock that shows that time now. Its uptime is the machine's own.
    init(wallMilliseconds: Int, speed: Double, at nanoseconds: Int) {
        self.speed = SimulatedTime.possible(speed) ?? 1
        self.wallMilliseconds = wallMilliseconds
        uptimeMilliseconds = nanoseconds / 1_000_000
        // The beginning of that millisecond, so that both come to their next one together.
        sinceNanoseconds = uptimeMilliseconds * 1_000_000
    }

    func reading(at nanoseconds: Int) -> ClockReading {
        let elapsed = Int(Double(max(0, nanoseconds - sinceNanoseconds)) * speed / 1_000_000)
        return ClockReading(
            wallMilliseconds: wallMilliseconds + elapsed, uptimeMilliseconds: uptimeMilliseconds + elapsed)
    }

    mutating func run(at speed: Double, from nanoseconds: Int) {
        start(from: nanoseconds)
        self.speed = SimulatedTime.possible(speed) ?? self.speed
    }

    mutating func jump(byMilliseconds milliseconds: Int) {
        wallMilliseconds += milliseconds
    }

    /// How long the machine still needs until the first of the times; nothing if there is none.
    func nanosecondsUntil(_ times: WakeTimes, from nanoseconds: Int) -> Int? {
        let now = reading(at: nanoseconds)
        let left = [
            times.wallMilliseconds.map { $0 - now.wallMilliseconds },
            times.uptimeMilliseconds.map { $0 - now.uptimeMilliseconds },
        ]
        // Not more than a day at once: whoever wakes too early waits again.
        return left.compactMap(\.self).min().map {
            Int((Double(min(max($0, 0), 86_400_000)) * 1_000_000 / speed).rounded(.up))
        }
    }

    private mutating func start(from nanoseconds: Int) {
        let reading = reading(at: nanoseconds)
        (wallMilliseconds, uptimeMilliseconds) = (reading.wallMilliseconds, reading.uptimeMilliseconds)
        sinceNanoseconds = max(nanoseconds, sinceNanoseconds)
    }

    private static func possible(_ speed: Double) -> Double? {
        speed.isFinite ? min(max(speed, speeds.lowerBound), speeds.upperBound) : nil
    }
}
