// What is on its way to the disk.

import Alarms
import CivilTime

/// What somebody asked for and cannot have before it is durable.
struct Claim: Sendable {
    var asking: Asking
    var facts: [Fact]
    var outcome: Outcome
    /// What else was done when a snooze is durable: the session is silent until then.
    var pauseUntilUptime: Int?
    /// The clock and the zones by which it was decided.
    var clockVersion = 0
    var zonesVersion = 0
}

extension Claim {
    /// A pause is elapsed time: it ends when it would have, though the clock was set since it was asked for.
    fileprivate func facts(now: Int, uptime: Int) -> [Fact] {
        guard let pauseUntilUptime, case .snoozed(let occurrence, let count, _)? = facts.first else { return facts }
        return [.snoozed(occurrence, count: count, untilMilliseconds: now + pauseUntilUptime - uptime)]
    }
}

/// Facts that are true but not durable yet, and the claim that is to become true when it is.
///
/// One batch is on its way at a time; what comes up meanwhile goes out with the next. Facts are kept until they are durable,
/// however often the disk fails.
struct Outbox: Sendable {
    /// A reply that is owed as soon as the facts so far are durable, or known not to be.
    struct Debt: Sendable {
        var asking: Asking
        var ifKept: Reply
        var ifNotKept: Reply
    }

    struct Batch: Sendable {
        var number: Int
        var facts: [Entry]
        var claim: (claim: Claim, entries: [Entry])?
        var debts: [Debt]
        /// How many of the debts there were when the batch was made of the claim: they are answered before it.
        let debtsBeforeClaim: Int
        let sentUptime: Int
        /// Whether it took so long that everybody was answered that it is not kept. It may be, some day.
        var isGivenUp = false
    }

    private(set) var facts: [Entry] = []
    var claim: Claim?
    var debts: [Debt] = []
    private(set) var batch: Batch?
    private var batchCount = 0
    /// After a failure facts wait until then.
    private(set) var retryUptime: Int?
    /// Why the last batch was not kept; nothing when it was.
    private(set) var failure: String?
    /// Whether the status says something that is no longer so.
    var isStatusStale = true

    /// So long a disk may take, and people wait for it.
    static let patienceMilliseconds = 10_000
    /// A disk that goes on failing is asked less and less often.
    private static let retryMillisecondsFirst = 5000
    private static let retryMillisecondsMax = 80_000
    private var failureCount = 0
    /// A disk that has failed for so many facts will not have them all.
    static let factsMax = 4000
    /// One that answers has in a moment what comes up at once: as when each alarm that there may be is missed, or counts anew.
    static let factsAtOnceMax = factsMax + 4 * Engine.alarmsMax

    /// Whether a claim waits for the disk: the next one is decided when it is clear what becomes of it.
    var hasClaim: Bool { claim != nil || batch?.claim != nil && !isStuck }

    /// Whether the disk has not answered for so long that nobody waits any more.
    var isStuck: Bool { batch?.isGivenUp == true }

    var isEmpty: Bool { facts.isEmpty && claim == nil && batch == nil }

    /// How many facts a restart would not know.
    var unkeptCount: Int { facts.count + (batch?.facts.count ?? 0) }

    /// A reply is owed when all facts so far are durable, or known not to be. Answers with it where that is known already.
    mutating func owe(_ debt: Debt) -> Reply? {
        // Nobody waits for a disk that is tried again only in a while.
        if isStuck || !facts.isEmpty && retryUptime != nil { return debt.ifNotKept }
        if !facts.isEmpty {
            debts.append(debt)
        } else if batch != nil {
            batch?.debts.append(debt)
        } else {
            return debt.ifKept
        }
        return nil
    }

    mutating func add(_ entry: Entry) {
        facts.append(entry)
        dropTooMany()
    }

    /// First what a restart would do nothing else without, then the oldest.
    private mutating func dropTooMany() {
        let tooMany = facts.count - (failure == nil ? Outbox.factsAtOnceMax : Outbox.factsMax)
        guard tooMany > 0 else { return }
        var left = tooMany
        facts.removeAll { entry in
            guard left > 0, !entry.fact.isNeeded else { return false }
            left -= 1
            return true
        }
        facts.removeFirst(left)
    }

    /// What goes to the disk now, if anything does.
    mutating func nextBatch(now: Int, uptime: Int) -> (entries: [Entry], number: Int)? {
        guard batch == nil, !facts.isEmpty || claim != nil, claim != nil || (retryUptime ?? 0) <= uptime else {
            return nil
        }
        retryUptime = nil
        batchCount += 1
        let claimed = claim.map { claim in
            (claim, claim.facts(now: now, uptime: uptime).map { Entry(millisecondsSince1970: now, $0) })
        }
        batch = Batch(
            number: batchCount, facts: facts, claim: claimed, debts: debts, debtsBeforeClaim: debts.count,
            sentUptime: uptime)
        let entries = facts + (claimed?.1 ?? [])
        (facts, claim, debts) = ([], nil, [])
        return (entries, batchCount)
    }

    /// When nobody waits any longer for the disk to answer.
    var patienceUptime: Int? { isStuck ? nil : batch.map { $0.sentUptime + Outbox.patienceMilliseconds } }

    /// Waits no longer for what is on its way, if that has taken too long: answers with it then, once.
    mutating func giveUp(uptime: Int) -> Batch? {
        guard let patienceUptime, patienceUptime <= uptime else { return nil }
        failure = "the disk does not answer"
        batch?.isGivenUp = true
        return batch
    }

    /// Forgets who waits for the batch after the one that is on its way: answers with them.
    mutating func giveUpWaiting() -> (claim: Claim?, debts: [Debt]) {
        defer { (claim, debts) = (nil, []) }
        return (claim, debts)
    }

    /// The batch is durable.
    mutating func kept(_ number: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        (self.batch, failure, failureCount) = (nil, nil, 0)
        return batch
    }

    /// The batch is not durable and will not be: its facts are tried again.
    mutating func notKept(_ number: Int, _ reason: String, uptime: Int) -> Batch? {
        guard var batch, batch.number == number else { return nil }
        (self.batch, failure) = (nil, reason)
        facts.insert(contentsOf: batch.facts, at: 0)
        dropTooMany()
        let wait = min(Outbox.retryMillisecondsFirst << min(failureCount, 10), Outbox.retryMillisecondsMax)
        failureCount += 1
        if !facts.isEmpty { retryUptime = uptime + wait }
        if claim == nil, !batch.isGivenUp {
            // Nobody waits until the disk is tried again.
            batch.debts += debts
            debts = []
        }
        return batch
    }
}

extension Fact {
    /// Whether a restart would do something else without it.
    fileprivate var isNeeded: Bool {
        switch self {
        case .planned, .audioStarted, .audioFailed, .scanRefused, .stopRefused, .healthChanged:
            false
        default: true
        }
    }
}
