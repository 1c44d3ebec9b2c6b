// What is done with the feet: steps to walk.

/// A number of steps.
struct Steps: Hashable, Sendable {
    private(set) var left: Int
    private var lastUptime: Int?

    /// Nobody walks faster: what comes sooner is the same step, and what comes sooner all the time is a wire that is loose.
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
