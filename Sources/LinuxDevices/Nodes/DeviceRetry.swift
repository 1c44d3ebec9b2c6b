// When devices are looked for again that are not there.

/// A few tries soon, and ever fewer later: where udev tells of a new one, there is one at once.
struct DeviceRetry: Hashable, Sendable {
    /// When the next one is; nil where nothing is looked for.
    private(set) var uptime: Int?
    private var count = 0

    /// The backoff from one retry to the next, by the number of failures; the last for all further.
    private static let backoffMilliseconds = [250, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000]

    func isDue(at now: Int) -> Bool { uptime.map { $0 <= now } ?? false }

    /// Something is not there: the retry comes with backoff.
    mutating func fail(at now: Int) {
        uptime = now + DeviceRetry.backoffMilliseconds[min(count, DeviceRetry.backoffMilliseconds.count - 1)]
        count += 1
    }

    /// All are there, or what there is has changed.
    mutating func reset() { self = DeviceRetry() }
}
