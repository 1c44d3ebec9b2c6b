// The times at which a driver tries again to open its devices, and the failures that it reports.

/// The deadline of the next attempt: 250 ms after the first failure, then ever later, up to a minute. Since
/// udev reports most new devices at once, late attempts suffice.
struct Backoff: Hashable, Sendable {
    /// When the next attempt is due; nil if none is needed.
    private(set) var uptime: Int?
    private var count = 0

    /// From one attempt to the next, by the number of failures; the last for all further ones.
    private static let milliseconds = [250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000]

    func isDue(at now: Int) -> Bool { uptime.map { $0 <= now } ?? false }

    /// Sets the deadline after one more failure.
    mutating func fail(at now: Int) {
        uptime = now + Backoff.milliseconds[min(count, Backoff.milliseconds.count - 1)]
        count += 1
    }

    mutating func reset() { self = Backoff() }
}

/// The ID that a driver uses if one failure concerns all of its devices.
struct AllDevices: Hashable, Sendable {}

/// The devices of a driver that cannot be used. A failure is new if it differs from the device's last one.
struct Absences<ID: Hashable & Sendable, Failure: Hashable & Sendable>: Hashable, Sendable {
    private(set) var backoff = Backoff()
    private var failures: [ID: Failure] = [:]

    var isEmpty: Bool { failures.isEmpty }

    /// Records a failed attempt to open or to use a device. Returns whether the failure is new.
    mutating func insert(_ id: ID, _ failure: Failure) -> Bool { failures.updateValue(failure, forKey: id) != failure }

    /// Sets the deadline of the next attempt, soon, because an open device was lost.
    mutating func retrySoon(at now: Int) {
        backoff.reset()
        backoff.fail(at: now)
    }

    /// Records that a device can be used.
    mutating func remove(_ id: ID) { failures[id] = nil }

    /// Sets the deadline of the next attempt, after an attempt to open each device that is not open.
    mutating func endAttempt(at now: Int) {
        if isEmpty { backoff.reset() } else { backoff.fail(at: now) }
    }

    /// Restarts the backoff, because devices have come or gone.
    mutating func restartBackoff() { backoff.reset() }
}
