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
    /// The alarms that it saves while nobody knows the time.
    var doubts: [Alarm.ID: Doubt] = [:]
}

extension Claim {
    /// The clock was set while it waits: what counts from now does so still, and what ends in a while ends then.
    fileprivate mutating func clockWasSet(_ step: Clock.Step) {
        let ahead = step.to - step.from
        facts = facts.map { fact in
            guard case .snoozed(let occurrence, let count, let until) = fact else { return fact.after(.step(step)) }
            return .snoozed(occurrence, count: count, untilMilliseconds: until + ahead)
        }
        if case .snoozed(let name, let until, let left) = outcome {
            outcome = .snoozed(name, untilMilliseconds: until + ahead, left: left)
        }
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
        /// What has changed since it was sent of what is known of the time.
        var turns: [Clock.Turn] = []
        /// The alarms that its claim saves, and since when they are to count by the clock as it is.
        var saved: [Alarm.ID: Instant] = [:]
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
    /// Whether something is being undone that was refused, and a restart would find it done.
    var isUndoing: Bool { undoingCount > 0 }
    /// How many facts are there for that, beside all others.
    private var undoingCount = 0
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

    /// Whether an alarm is being saved: what comes to be true of it now is written down behind that.
    func saves(_ id: Alarm.ID) -> Bool {
        waits { if case .alarmSaved(let alarm, _, _, _, _) = $0 { alarm.id == id } else { false } }
    }

    /// Whether the same version of it is, by its second: what is written down now of the one would be true of the other.
    func saves(_ kept: KeptAlarm) -> Bool { batch?.saved[kept.alarm.id] == kept.since }

    /// Whether settings or a calendar are.
    var savesSettings: Bool {
        waits { fact in
            switch fact {
            case .settingsSaved, .calendarSaved, .calendarDeleted: true
            default: false
            }
        }
    }

    private func waits(_ isMeant: (Fact) -> Bool) -> Bool {
        [claim, batch?.claim?.claim].contains { $0?.facts.contains(where: isMeant) ?? false }
    }

    var isEmpty: Bool { facts.isEmpty && claim == nil && batch == nil }

    /// How many facts a restart would not know.
    var unkeptCount: Int { facts.count + (batch?.facts.count ?? 0) }

    /// What is to be expected of a fact that came up just now, and of all before it.
    enum Prospect {
        /// They are durable already.
        case kept
        /// The disk has failed, and is tried again only in a while.
        case notKept
        /// It is being tried, or will be at once.
        case open
    }

    var prospect: Prospect {
        if isStuck { return .notKept }
        if facts.isEmpty { return batch == nil ? .kept : .open }
        return retryUptime == nil ? .open : .notKept
    }

    /// A reply is owed when all facts so far are durable, or known not to be.
    mutating func owe(_ debt: Debt) {
        if facts.isEmpty, batch != nil {
            batch?.debts.append(debt)
        } else {
            debts.append(debt)
        }
    }

    mutating func add(_ entry: Entry) {
        facts.append(entry)
        dropTooMany()
        switch entry.fact {
        case .clockStepped(let from, let to): turn(.step(Clock.Step(from: from, to: to)))
        case .clockTrusted(true): turn(.trust)
        default: break
        }
    }

    /// Something is known of the time that was not when the claims were decided.
    private mutating func turn(_ turn: Clock.Turn) {
        if batch?.claim != nil { batch?.turns.append(turn) }
        switch turn {
        case .step(let step):
            claim?.clockWasSet(step)
            if let saved = batch?.saved { batch?.saved = saved.mapValues { min($0, step.instant) } }
        // What was decided before the time was known stays doubtful until it is looked at.
        case .trust: break
        }
    }

    /// What is noted next undoes what was refused: as many facts as a change may have, and none of them may be dropped.
    mutating func startUndoing(_ count: Int) { undoingCount += count }

    /// First what a restart would do nothing else without, then the oldest.
    private mutating func dropTooMany() {
        let tooMany = facts.count - (failure == nil ? Outbox.factsAtOnceMax : Outbox.factsMax) - undoingCount
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
            (claim, claim.facts.map { Entry(millisecondsSince1970: now, $0) })
        }
        batch = Batch(
            number: batchCount, facts: facts, claim: claimed, debts: debts, debtsBeforeClaim: debts.count,
            sentUptime: uptime)
        for case .alarmSaved(let alarm, let since, _, _, _) in claim?.facts ?? [] { batch?.saved[alarm.id] = since }
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
        if facts.isEmpty { undoingCount = 0 }
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
