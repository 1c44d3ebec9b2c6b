// What a session does now: the part that a restart works out anew.

/// Whether a session rings, and how far its volume has risen.
struct Voice: Hashable, Sendable {
    /// When its volume began to rise, or would have if it had never been silent; of one that is silent, reckoned from when
    /// it rings again.
    private(set) var rampStartUptime: Int
    /// Until then it is silent; nil while it rings.
    private(set) var pausedUntilUptime: Int?
    /// Whether the end of its silence was worked out from a clock that nobody trusts.
    private(set) var isDoubtful = false
    /// When it began, or was found again after a restart.
    let startUptime: Int
    /// Of several that ring, the one whose turn came first is heard.
    private(set) var turn = 0

    /// A session that has just begun, or rings on: its volume has risen for so long already.
    init(ringingAt uptime: Int, rampMilliseconds: Int, turn: Int) {
        rampStartUptime = uptime - rampMilliseconds
        startUptime = uptime
        self.turn = turn
    }

    /// A session that was silent when the service stopped, and is to be for a while yet.
    init(pausedAt uptime: Int, until untilUptime: Int, rampMilliseconds: Int, isDoubtful: Bool) {
        rampStartUptime = untilUptime - rampMilliseconds
        pausedUntilUptime = untilUptime
        startUptime = uptime
        self.isDoubtful = isDoubtful
    }

    var isRinging: Bool { pausedUntilUptime == nil }

    mutating func pause(until untilUptime: Int, at uptime: Int) {
        rampStartUptime = untilUptime - max(0, uptime - rampStartUptime)
        (pausedUntilUptime, isDoubtful) = (untilUptime, false)
    }

    /// Shortens a pause whose end was doubtful; no pause becomes longer.
    mutating func shorten(to untilUptime: Int) {
        guard isDoubtful, let until = pausedUntilUptime else { return }
        let end = min(until, untilUptime)
        rampStartUptime += end - until
        (pausedUntilUptime, isDoubtful) = (end, false)
    }

    /// Rings again, as loud as it was.
    mutating func ring(at uptime: Int, turn: Int) {
        guard let until = pausedUntilUptime else { return }
        rampStartUptime += uptime - until
        (pausedUntilUptime, isDoubtful) = (nil, false)
        self.turn = turn
    }
}
