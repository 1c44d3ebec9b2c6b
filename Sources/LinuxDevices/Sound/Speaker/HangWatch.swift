// When a speaker that still goes round had better be started anew.

/// Watches how long a ring is not heard. What hangs in this process ends only with it, and may be what nobody hears it for.
struct HangWatch {
    /// For so long it may be that somebody plugs something in.
    let patienceMilliseconds: Double
    private var unheardSinceUptime: Double?

    init(patienceMilliseconds: Double) {
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// Whether a new process may be heard where this one is not.
    mutating func isLost(isToBeHeard: Bool, isHeard: Bool, hangs: Bool, at uptime: Double) -> Bool {
        guard isToBeHeard, !isHeard else {
            unheardSinceUptime = nil
            return false
        }
        let since = unheardSinceUptime ?? uptime
        unheardSinceUptime = since
        return hangs && uptime - since >= patienceMilliseconds
    }
}
