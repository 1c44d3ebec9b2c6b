// What is done with the feet: steps to walk.

/// A number of steps.
struct Steps: Hashable, Sendable {
    private(set) var left: Int
    private var lastUptime: Int?

    /// The debounce of a step: a pulse sooner after the last pulse is not counted. A loose wire pulses faster all the time, and so
    /// counts nothing.
    private static let apartMilliseconds = 250

    init(count: Int) {
        left = count
    }

    mutating func step(uptime: Int) -> Progress {
        defer { lastUptime = uptime }
        if let lastUptime, uptime - lastUptime < Steps.apartMilliseconds { return .nothing }
        left -= 1
        return left > 0 ? .further : .done
    }
}
