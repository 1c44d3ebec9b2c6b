// When a speaker that still goes round had better be started anew.

/// Watches how long a ring is not heard. What hangs in this process ends only with it, and may be what nobody hears it for.
struct HangWatch {
    /// For so long it may be that somebody plugs something in.
    let patienceMilliseconds: Double
    private var unheardSinceUptime: Double?

    init(patienceMilliseconds: Double) {
        self.patienceMilliseconds = patienceMilliseconds
    }

    /// Whether a new process may be heard where this one is not. One that cannot end leaves no room for a new one, and rings at
    /// least on what is plugged in next.
    mutating func isLost(
        isToBeHeard: Bool, isHeard: Bool, hangs: Bool, canEnd: @autoclosure () -> Bool, at uptime: Double
    ) -> Bool {
        guard isToBeHeard, !isHeard else {
            unheardSinceUptime = nil
            return false
        }
        let since = unheardSinceUptime ?? uptime
        unheardSinceUptime = since
        return hangs && uptime - since >= patienceMilliseconds && canEnd()
    }
}
