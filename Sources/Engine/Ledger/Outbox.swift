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

    init(asking: Asking, facts: [Fact], outcome: Outcome, pauseUntilUptime: Int? = nil) {
        self.asking = asking
        self.facts = facts
        self.outcome = outcome
        self.pauseUntilUptime = pauseUntilUptime
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
        /// To where the clock was set since it was sent; the earliest of several.
        var pulledBackTo: Instant?
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

    /// A disk that goes on failing is asked less and less often.
    private static let retryMillisecondsFirst = 5000
    private static let retryMillisecondsMax = 80_000
    private var failureCount = 0
    /// A disk that has failed for so many facts will not have them all.
    static let factsMax = 4000

    /// Whether a claim waits for the disk: the next one is decided when it is clear what becomes of it.
    var hasClaim: Bool { claim != nil || batch?.claim != nil }

    var isEmpty: Bool { facts.isEmpty && !hasClaim && batch == nil }

    /// How many facts a restart would not know.
    var unkeptCount: Int { facts.count + (batch?.facts.count ?? 0) }

    mutating func add(_ entry: Entry) {
        if facts.count >= Outbox.factsMax {
            facts.remove(at: facts.firstIndex { !$0.fact.isNeeded } ?? 0)
        }
        facts.append(entry)
        if case .clockStepped(_, let to) = entry.fact {
            let now = Instant(secondsSince1970: to.dividedDown(by: 1000))
            let earliest = batch?.pulledBackTo.map { min($0, now) } ?? now
            batch?.pulledBackTo = earliest
        }
    }

    /// What goes to the disk now, if anything does.
    mutating func nextBatch(now: Int, uptime: Int) -> (entries: [Entry], number: Int)? {
        guard batch == nil, !facts.isEmpty || claim != nil, claim != nil || (retryUptime ?? 0) <= uptime else {
            return nil
        }
        retryUptime = nil
        batchCount += 1
        let claimed = claim.map { claim in
            (claim, claim.facts.map { Entry(millisecondsSince1970: now, $0) })
        }
        batch = Batch(number: batchCount, facts: facts, claim: claimed, debts: debts)
        let entries = facts + (claimed?.1 ?? [])
        (facts, claim, debts) = ([], nil, [])
        return (entries, batchCount)
    }

    /// The batch is durable.
    mutating func kept(_ number: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        (self.batch, failure, failureCount) = (nil, nil, 0)
        return batch
    }

    /// The batch is not durable and will not be: its facts are tried again.
    mutating func notKept(_ number: Int, _ reason: String, uptime: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        facts.insert(contentsOf: batch.facts, at: 0)
        (self.batch, failure) = (nil, reason)
        let wait = min(Outbox.retryMillisecondsFirst << min(failureCount, 10), Outbox.retryMillisecondsMax)
        failureCount += 1
        if !facts.isEmpty { retryUptime = uptime + wait }
        return batch
    }
}

extension Fact {
    /// Whether a restart would do something else without it.
    fileprivate var isNeeded: Bool {
        switch self {
        case .planned, .audioStarted, .audioFailed, .scanRefused, .stopRefused, .resumed, .clockStepped, .clockTrusted,
            .healthChanged:
            false
        default: true
        }
    }
}
