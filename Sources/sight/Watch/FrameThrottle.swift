// How often something may be said.

/// Lets through so much in a second, and a few at once.
struct FrameThrottle {
    private let perMillisecond: Double
    private let most: Double
    private var left: Double
    private var uptime: Double?

    /// In any second at most `perSecond` + `atOnce`.
    init(perSecond: Double, atOnce: Double) {
        (perMillisecond, most, left) = (perSecond / 1000, atOnce, atOnce)
    }

    mutating func admits(at now: Double) -> Bool {
        left = min(most, left + (now - (uptime ?? now)) * perMillisecond)
        uptime = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
