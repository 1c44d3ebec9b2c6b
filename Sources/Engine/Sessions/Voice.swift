// What a session does now: the part that a restart works out anew.

/// Whether a session rings, and how far its volume has risen.
struct Voice: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// Its volume began to rise then, or would have if it had never been silent.
        case ringing(rampStartUptime: Int)
        /// It had risen for so long, and is silent until then. The end is doubtful when it was worked out from a clock that
        /// nobody trusts.
        case paused(untilUptime: Int, rampMilliseconds: Int, isDoubtful: Bool)
    }

    private var state: State
    /// When it began, or was found again after a restart.
    let startUptime: Int
    /// Of several that ring, the one whose turn came first is heard.
    private(set) var turn: Int

    /// A session that has just begun, or rings on: its volume has risen for so long already.
    init(ringingAt uptime: Int, rampMilliseconds: Int, turn: Int) {
        state = .ringing(rampStartUptime: uptime - rampMilliseconds)
        startUptime = uptime
        self.turn = turn
    }

    /// A session that was silent when the service stopped, and is to be for a while yet.
    init(pausedAt uptime: Int, until untilUptime: Int, rampMilliseconds: Int, isDoubtful: Bool) {
        startUptime = uptime
        state = .paused(untilUptime: untilUptime, rampMilliseconds: rampMilliseconds, isDoubtful: isDoubtful)
        turn = 0
    }

    var isRinging: Bool {
        if case .ringing = state { true } else { false }
    }

    var rampStartUptime: Int {
        switch state {
        case .ringing(let start): start
        case .paused(let until, let ramp, _): until - ramp
        }
    }

    var pausedUntilUptime: Int? {
        if case .paused(let until, _, _) = state { until } else { nil }
    }

    var isDoubtful: Bool {
        if case .paused(_, _, let isDoubtful) = state { isDoubtful } else { false }
    }

    mutating func pause(until untilUptime: Int, at uptime: Int) {
        state = .paused(
            untilUptime: untilUptime, rampMilliseconds: max(0, uptime - rampStartUptime), isDoubtful: false)
    }

    /// Shortens a pause whose end was doubtful; no pause becomes longer.
    mutating func shorten(to untilUptime: Int) {
        guard case .paused(let until, let ramp, true) = state else { return }
        state = .paused(untilUptime: min(until, untilUptime), rampMilliseconds: ramp, isDoubtful: false)
    }

    /// Rings again, as loud as it was.
    mutating func ring(at uptime: Int, turn: Int) {
        guard case .paused(_, let ramp, _) = state else { return }
        state = .ringing(rampStartUptime: uptime - ramp)
        self.turn = turn
    }
}
