// When a speaker that still goes round had better be started anew.

/// Watches how long a ring is not heard. What hangs in this process ends only with it, and may be what nobody hears it for.
struct HangDetector: Sendable {
    /// For so long it may be that somebody plugs something in.
    var timeoutMilliseconds = 60_000.0
    /// A slow disk keeps a thread for so long, and lets it go.
    var stuckMilliseconds = 5000.0
    /// The threads that keep this process from an end.
    var stuck: @Sendable () -> Set<String> = OwnThreads.stuck

    private var unheardSinceUptime: Double?
    /// Since when each of them was found stuck at every look.
    private var stuckSinceUptime: [String: Double] = [:]

    init() {}

    /// Whether a new process may be heard where this one is not. One that cannot end leaves no room for a new one, and rings at
    /// least on what is plugged in next.
    mutating func isLost(isToBeHeard: Bool, isHeard: Bool, hangs: Bool, at uptime: Double) -> Bool {
        guard isToBeHeard, !isHeard else {
            (unheardSinceUptime, stuckSinceUptime) = (nil, [:])
            return false
        }
        let since = unheardSinceUptime ?? uptime
        unheardSinceUptime = since
        let stuck = hangs ? stuck() : []
        stuckSinceUptime = stuckSinceUptime.filter { stuck.contains($0.key) }
        for thread in stuck where stuckSinceUptime[thread] == nil { stuckSinceUptime[thread] = uptime }
        let canEnd = !stuckSinceUptime.values.contains { uptime - $0 >= stuckMilliseconds }
        return hangs && uptime - since >= timeoutMilliseconds && canEnd
    }
}
