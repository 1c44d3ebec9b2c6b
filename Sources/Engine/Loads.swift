// How much an engine keeps in memory of what passes: each of these has a bound.

/// How many of each there are.
package struct Loads: Hashable, Sendable {
    /// Facts that wait for the disk, and those that are on their way to it.
    package var waitingFacts: Int
    package var sentFacts: Int
    /// Requests that wait to be decided, that wait for their answer, and answers that are remembered.
    package var waitingRequests: Int
    package var openRequests: Int
    package var answers: Int
    /// Replies that are owed when the disk is done.
    package var owedReplies: Int
    package var sessions: Int
    package var voices: Int
    package var pastRings: Int
    /// What is planned, and what is remembered of plans.
    package var plannedRings: Int
    package var unlockedAlarms: Int
    package var provisionalAlarms: Int
    package var alarms: Int
}

extension Engine {
    /// How much it keeps now.
    package var loads: Loads {
        Loads(
            waitingFacts: outbox.facts.count, sentFacts: outbox.batch?.facts.count ?? 0,
            waitingRequests: desk.waiting.count, openRequests: desk.openCount, answers: desk.answerCount,
            owedReplies: outbox.debts.count + (outbox.batch?.debts.count ?? 0), sessions: ledger.sessions.count,
            voices: voices.count, pastRings: ledger.past.rings.count, plannedRings: due.load + locks.load,
            unlockedAlarms: unlocked.count, provisionalAlarms: savedUptimes.count, alarms: ledger.alarms.count)
    }
}
