// What time it is by the rule alone: what the engine says is compared with it.

/// The best time that can be known on a machine: its own clock's once that is trusted, until then at least the newest record's.
struct BestKnownClock {
    private(set) var isTrusted = true
    /// What the machine's clock lacks to be the best that is known.
    private var aheadMilliseconds = 0
    /// The latest that it may be since a clock that nobody trusts was set: what had not been written down yet is recorded too.
    private var latest: Int?
    /// Whether the newest record may be of before the clock was set last, and that it was set not written down yet.
    private var isNewestUnsure = false
    /// How often the clock was set, or began anew.
    private(set) var changeCount = 0

    private static let tolerance = 500

    /// The machine was started, or the service was. `newest` is when the newest durable record was made.
    mutating func started(wall: Int, newest: Int, isTrusted: Bool) {
        self.isTrusted = isTrusted
        aheadMilliseconds = isTrusted ? 0 : max(0, newest - wall)
        (latest, isNewestUnsure) = (nil, false)
    }

    /// Somebody set the machine's clock. `isKept` says that whatever happened before is written down.
    mutating func wasSet(from old: Int, to new: Int, newest: Int, isKept: Bool) {
        changeCount += 1
        guard !isTrusted else { return }
        latest = old + aheadMilliseconds
        isNewestUnsure = !isKept
        aheadMilliseconds = max(0, newest - new)
    }

    /// It is known that the machine's clock is right.
    mutating func trust() {
        if !isTrusted { changeCount += 1 }
        (isTrusted, aheadMilliseconds, latest) = (true, 0, nil)
    }

    /// The best that is known when the machine's clock shows this.
    func now(wall: Int) -> Int { wall + aheadMilliseconds }

    /// Whether somebody says what the time may be. Where a record may have been newer than those that are known to be
    /// durable, that is taken for true.
    mutating func agrees(with now: Int, isTrusted: Bool, wall: Int) -> Bool {
        guard isTrusted == self.isTrusted else { return false }
        let known = self.now(wall: wall)
        let earliest = isNewestUnsure ? wall : known
        if let latest, earliest - BestKnownClock.tolerance...max(known, latest) + BestKnownClock.tolerance ~= now {
            aheadMilliseconds = max(0, now - wall)
            self.latest = nil
            return true
        }
        return abs(now - known) <= BestKnownClock.tolerance
    }
}
