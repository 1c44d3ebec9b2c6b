// Promise 8: every queue and everything that is kept in memory stays within its bound.

import Engine

/// The bounds, as whoever builds the appliance reckons with them. A night comes near those of a disk that fails and of
/// requests; tests of the engine reach the others.
enum LoadWatch {
    /// What is too much; nothing where all is within its bounds.
    static func excess(_ loads: Loads, isFailing: Bool) -> String? {
        // A disk that fails will not have them all; one that answers has what a house full of alarms comes to at once.
        let factsMax = isFailing ? 4000 : 44_000
        if loads.waitingFacts > factsMax { return "\(loads.waitingFacts) facts wait for the disk" }
        if loads.sentFacts > 44_000 { return "\(loads.sentFacts) facts are on their way to the disk" }
        if loads.waitingRequests > 64 { return "\(loads.waitingRequests) requests wait" }
        // Those that wait, one that is being written down, and whoever has completed something on a slow disk.
        if loads.openRequests > 64 + 32 { return "\(loads.openRequests) requests are open" }
        if loads.answers > 256 { return "\(loads.answers) answers are remembered" }
        if loads.owedReplies > 32 { return "\(loads.owedReplies) replies are owed" }
        if loads.sessions > 3000 || loads.voices != loads.sessions {
            return "there are \(loads.sessions) sessions and \(loads.voices) voices"
        }
        if loads.pastRings > 20_000 { return "\(loads.pastRings) past rings are kept" }
        if loads.plannedRings > 2 * (2 * loads.alarms + 64) { return "\(loads.plannedRings) rings are planned" }
        if loads.unlockedAlarms > loads.alarms { return "\(loads.unlockedAlarms) alarms are unlocked" }
        if loads.doubtfulAlarms > loads.alarms { return "\(loads.doubtfulAlarms) alarms are in doubt" }
        return nil
    }
}
