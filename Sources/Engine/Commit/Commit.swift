// What is on its way to the disk, what is decided after that, and who waits for it.

import Alarms

/// Somebody who wants something, and when it was asked for.
struct Asking: Hashable, Sendable {
    /// Nothing where nobody waits for a reply, as before a button.
    var request: Request?
    var door: Door
    var uptime: Int
    /// What was heard then: a session that comes to be heard later is not meant.
    var heard: Occurrence?
}

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

    /// A pause is elapsed time: it ends when it would have, though the clock was set since it was asked for.
    fileprivate func facts(now: Int, uptime: Int) -> [Fact] {
        guard let pauseUntilUptime, case .snoozed(let occurrence, let count, _)? = facts.first else { return facts }
        return [.snoozed(occurrence, count: count, untilMilliseconds: now + pauseUntilUptime - uptime)]
    }
}

/// Facts that are true but not durable yet, the claim that becomes true when it is durable, and the queue of changes behind it.
///
/// One batch is on its way to the disk at a time; newer facts go out with the next. Facts are retried until they are durable. One
/// change is decided at a time: the next one when the last is durable, or known not to be.
struct Commit: Sendable {
    typealias Answer = (asking: Asking, reply: Reply)
    typealias Change = (command: Command, asking: Asking)
    /// A reply that is owed as soon as the facts so far are durable, or known not to be.
    typealias Debt = (asking: Asking, ifKept: Reply, ifNotKept: Reply)

    /// What goes to the disk at once.
    struct Batch: Sendable {
        fileprivate let number: Int
        fileprivate let facts: [Entry]
        let claim: (claim: Claim, entries: [Entry])?
        fileprivate var debts: [Debt]
        fileprivate let sentUptime: Int
        /// Whether the disk took so long that everybody was answered that it is not kept. It may be, some day.
        fileprivate(set) var isGivenUp = false

        /// The answers to those who wait for the facts so far, and not for the claim.
        var answers: [Answer] { isGivenUp ? [] : debts.map { ($0.asking, $0.ifKept) } }

        fileprivate func answers(notKept reason: String) -> [Answer] {
            (claim.map { [($0.claim.asking, .refused(.notKept(reason: reason)))] } ?? [])
                + debts.map { ($0.asking, $0.ifNotKept) }
        }
    }

    private(set) var facts: [Entry] = []
    private var claim: Claim?
    private var debts: [Debt] = []
    private var batch: Batch?
    private var batchCount = 0
    /// After a failure facts wait until then.
    private(set) var retryUptime: Int?
    private var failureCount = 0
    /// Why the last batch was not kept; nothing when it was.
    private(set) var failure: String?
    private var waiting: [Change] = []
    private var requests = Requests()

    /// So long a disk may take, and people wait for it.
    private static let timeoutMilliseconds = 10_000
    /// A disk that goes on failing is retried with backoff.
    private static let retryMillisecondsFirst = 5000
    private static let retryMillisecondsMax = 80_000
    /// A disk that has failed for so many facts will not have them all.
    static let factsMax = 4000
    /// What may come up in one input, on a disk that works: one fact for each alarm, when all are missed or planned anew, and more.
    private static let factsAtOnceMax = factsMax + 4 * Engine.alarmsMax
    /// More changes than this wait for nobody: a disk is slower than a crowd.
    private static let waitingMax = 64

    // MARK: what it is like

    /// Whether a claim waits for the disk: the next one is decided when it is clear what becomes of it.
    var hasClaim: Bool { claim != nil || batch?.claim != nil && !isStuck }

    /// Whether the disk has not answered for so long that nobody waits any more.
    private var isStuck: Bool { batch?.isGivenUp == true }

    var isEmpty: Bool { facts.isEmpty && claim == nil && batch == nil }

    /// How many facts a restart would not know.
    var unkeptCount: Int { facts.count + (batch?.facts.count ?? 0) }

    /// Facts are tried again, or somebody has waited for long enough.
    var nextDeadline: Int? {
        var next = retryUptime ?? .max
        if let batch, !isStuck { next = min(next, batch.sentUptime + Commit.timeoutMilliseconds) }
        if let first = waiting.first { next = min(next, first.asking.uptime + Commit.timeoutMilliseconds) }
        return next == .max ? nil : next
    }

    /// How much of each there is, and how much there may be.
    var bounds: [(String, Int, Int)] {
        [
            // A disk that fails will not have them all; one that answers has what a house full of alarms comes to at once.
            ("facts wait for the disk", facts.count, failure == nil ? Commit.factsAtOnceMax : Commit.factsMax),
            ("facts are on their way to the disk", batch?.facts.count ?? 0, Commit.factsAtOnceMax),
            ("requests wait", waiting.count, Commit.waitingMax),
            // Those that wait, one that is being written down, and whoever has completed something on a slow disk.
            ("requests are open", requests.openCount, Commit.waitingMax + 32),
            ("answers are remembered", requests.answerCount, 256),
            ("replies are owed", debts.count + (batch?.debts.count ?? 0), 32),
        ]
    }

    // MARK: requests

    mutating func admit(_ request: Request) -> Requests.Admission { requests.admit(request) }

    mutating func answer(_ request: Request, _ reply: Reply) -> [Request] { requests.answer(request, reply) }

    /// A change waits for its turn. Answers whether there is room for it.
    mutating func enqueue(_ command: Command, _ asking: Asking) -> Bool {
        guard waiting.count < Commit.waitingMax, !isStuck else { return false }
        waiting.append((command, asking))
        return true
    }

    /// The change that is to be decided now, if any is.
    mutating func dequeue() -> Change? {
        hasClaim || waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// A change was decided: it becomes true when it is durable.
    mutating func claim(_ claim: Claim) { self.claim = claim }

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

    // MARK: the disk

    mutating func add(_ entry: Entry) {
        facts.append(entry)
        dropTooMany()
    }

    /// First the oldest that a restart does not need, then the oldest.
    private mutating func dropTooMany() {
        var tooMany = facts.count - (failure == nil ? Commit.factsAtOnceMax : Commit.factsMax)
        guard tooMany > 0 else { return }
        facts.removeAll { entry in
            guard tooMany > 0, !entry.fact.isNeeded else { return false }
            tooMany -= 1
            return true
        }
        facts.removeFirst(tooMany)
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
        batch = Batch(number: batchCount, facts: facts, claim: claimed, debts: debts, sentUptime: uptime)
        let entries = facts + (claimed?.1 ?? [])
        (facts, claim, debts) = ([], nil, [])
        return (entries, batchCount)
    }

    /// A batch is durable; nil for an unknown one.
    mutating func kept(_ number: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        (self.batch, failure, failureCount) = (nil, nil, 0)
        return batch
    }

    /// A batch is not durable and will not be: its facts are retried. Answers what its senders are told; nil for an unknown batch.
    mutating func notKept(_ number: Int, _ reason: String, uptime: Int) -> [Answer]? {
        guard var batch, batch.number == number else { return nil }
        (self.batch, failure) = (nil, reason)
        facts.insert(contentsOf: batch.facts, at: 0)
        dropTooMany()
        let wait = min(Commit.retryMillisecondsFirst << min(failureCount, 10), Commit.retryMillisecondsMax)
        failureCount += 1
        if !facts.isEmpty { retryUptime = uptime + wait }
        guard !batch.isGivenUp else { return [] }
        if claim == nil {
            // Nobody waits until the disk is tried again.
            batch.debts += debts
            debts = []
        }
        return batch.answers(notKept: reason)
    }

    /// Nobody waits for ever for a disk that does not answer, nor behind a crowd. Answers what they are told.
    mutating func expire(at uptime: Int) -> [Answer] {
        var answers = giveUpWaiting(since: uptime - Commit.timeoutMilliseconds)
        guard let batch, !isStuck, batch.sentUptime + Commit.timeoutMilliseconds <= uptime else { return answers }
        let reason = "the disk does not answer"
        failure = reason
        self.batch?.isGivenUp = true
        answers += batch.answers(notKept: reason)
        // Nor for what was to go to the disk next: a snooze that is granted minutes later silences somebody who has got up.
        if let claim { answers.append((claim.asking, .refused(.busy))) }
        answers += debts.map { ($0.asking, $0.ifNotKept) }
        (claim, debts) = (nil, [])
        return answers + giveUpWaiting(since: uptime)
    }

    private mutating func giveUpWaiting(since uptime: Int) -> [Answer] {
        guard !waiting.isEmpty else { return [] }
        let tired = waiting.prefix { $0.asking.uptime <= uptime }
        waiting.removeFirst(tired.count)
        return tired.map { ($0.asking, .refused(.busy)) }
    }
}

extension Commit {
    /// What tells it apart from another: see `Engine.stateKey`.
    func combineState(into hasher: inout Hasher, clockVersion: Int) {
        hasher.combine(facts.map(\.fact))
        hasher.combine(batch?.facts.map(\.fact))
        hasher.combine(batch?.isGivenUp)
        for claim in [claim, batch?.claim?.claim] {
            hasher.combine(claim?.facts)
            hasher.combine(claim?.asking.door)
            hasher.combine(claim.map { $0.clockVersion == clockVersion })
        }
        hasher.combine(debts.map(\.ifKept))
        hasher.combine(batch?.debts.map(\.ifKept))
        for (command, asking) in waiting {
            hasher.combine(command)
            hasher.combine(asking.door)
            hasher.combine(asking.heard)
        }
        hasher.combine(retryUptime == nil)
        hasher.combine(failureCount)
        hasher.combine(failure)
        hasher.combine(requests.openCount)
    }
}

extension Fact {
    /// Whether a restart would do something else without it.
    fileprivate var isNeeded: Bool {
        switch self {
        case .planned, .audioStarted, .audioFailed, .scanRefused, .stopRefused, .healthChanged: false
        default: true
        }
    }
}
