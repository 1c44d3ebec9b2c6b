// The write-behind queue: facts on their way to the disk, commands queued behind them, and replies that wait for them.

import Alarms

package struct CommandContext: Hashable, Sendable {
    /// The request to reply to; nil for a press of a button.
    var request: RequestHeader?
    package var origin: Origin
    var uptime: Int
    /// The session that was heard then: the command is not meant for one that is heard later.
    package var heard: Occurrence?
}

/// An owner's change that was decided and takes effect when it is durable. It does not change any more, and is not copied.
package final class PendingChange: Sendable {
    package let context: CommandContext
    package let facts: [Fact]
    let outcome: Outcome
    /// For a snooze: the uptime until which the session is silent once the snooze is durable.
    let pauseUntilUptime: Int?
    /// The versions of the clock and the zones by which it was decided.
    package let clockVersion, zonesVersion: Int

    init(
        _ facts: [Fact], _ outcome: Outcome, for context: CommandContext, pauseUntilUptime: Int? = nil,
        clockVersion: Int = 0, zonesVersion: Int = 0
    ) {
        (self.context, self.facts, self.outcome) = (context, facts, outcome)
        self.pauseUntilUptime = pauseUntilUptime
        (self.clockVersion, self.zonesVersion) = (clockVersion, zonesVersion)
    }

    /// The facts to write. A pause is elapsed time: its end in wall time is computed again, for the clock may have been set.
    fileprivate func facts(now: Int, uptime: Int) -> [Fact] {
        guard let pauseUntilUptime, case .snoozed(let occurrence, let count, _)? = facts.first else { return facts }
        return [.snoozed(occurrence, count: count, untilMilliseconds: now + pauseUntilUptime - uptime)]
    }
}

/// Facts that are true but not durable yet, the pending change that takes effect when it is durable, and the queued commands.
///
/// One batch is on its way to the disk at a time; newer facts go out with the next. Facts are retried until they are durable. One
/// change is decided at a time: the next one when the last is durable, or known not to be.
package struct WriteQueue: Sendable {
    typealias AddressedReply = (context: CommandContext, reply: Reply)
    package typealias QueuedCommand = (command: Command, context: CommandContext)
    /// A reply to send as soon as all facts so far are durable, or the other one when they have failed.
    package typealias PendingReply = (context: CommandContext, ifDurable: Reply, ifFailed: Reply)

    /// The entries that are written in one commit.
    package struct Batch: Sendable {
        fileprivate let number: Int
        package let facts: [Entry]
        package let change: (change: PendingChange, entries: [Entry])?
        package fileprivate(set) var replies: [PendingReply]
        fileprivate let sentUptime: Int
        /// Whether the write has timed out and its senders were told that it failed. It may still succeed later.
        package fileprivate(set) var hasTimedOut = false

        /// The replies that wait for the facts of the batch, without the reply to its change.
        var answers: [AddressedReply] { hasTimedOut ? [] : replies.map { ($0.context, $0.ifDurable) } }

        fileprivate func answers(failedWith reason: String) -> [AddressedReply] {
            (change.map { [($0.change.context, .refused(.notKept(reason: reason)))] } ?? [])
                + replies.map { ($0.context, $0.ifFailed) }
        }
    }

    package private(set) var facts: [Entry] = []
    package private(set) var pending: PendingChange?
    package private(set) var replies: [PendingReply] = []
    package private(set) var batch: Batch?
    private var batchCount = 0
    /// When a failed write is retried; nil while no retry is scheduled.
    package private(set) var retryUptime: Int?
    package private(set) var failureCount = 0
    /// Why the last batch failed; nil after a success.
    package private(set) var failure: String?
    package private(set) var queue: [QueuedCommand] = []
    package private(set) var requests = RequestLog()

    /// The timeout of a write and of a queued command.
    private static let timeoutMilliseconds = 10_000
    /// A disk that goes on failing is retried with exponential backoff.
    private static let retryMillisecondsFirst = 5000
    private static let retryMillisecondsMax = 80_000
    /// The bound on facts that wait for a failing disk; the oldest are dropped.
    package static let factsMax = 4000
    /// The bound while the disk works: one input can lead to a fact for each alarm, when all are missed or planned, and more.
    package static let factsAtOnceMax = factsMax + 4 * Engine.alarmsMax
    package static let queueMax = 64

    // MARK: what it is like

    /// Whether a change is on its way to the disk: the next command is decided when its result is known.
    var hasPendingChange: Bool { pending != nil || batch?.change != nil && !isStalled }

    /// Whether the current batch has timed out: new commands are refused instead of queued.
    private var isStalled: Bool { batch?.hasTimedOut == true }

    var isEmpty: Bool { facts.isEmpty && pending == nil && batch == nil }

    /// How many facts are not durable: a restart would not know them.
    var pendingFactCount: Int { facts.count + (batch?.facts.count ?? 0) }

    var nextDeadline: Deadline {
        var next = retryUptime ?? .max
        if let batch, !isStalled { next = min(next, batch.sentUptime + WriteQueue.timeoutMilliseconds) }
        if let first = queue.first { next = min(next, first.context.uptime + WriteQueue.timeoutMilliseconds) }
        return .uptime(next)
    }

    /// Whether a queued command may be decided now.
    var hasNextCommand: Bool { !queue.isEmpty && !hasPendingChange }

    // MARK: requests

    mutating func admit(_ request: RequestHeader) -> RequestLog.Admission { requests.admit(request) }

    mutating func answer(_ request: RequestHeader, _ reply: Reply) -> Int {
        requests.answer(request, reply)
    }

    /// Queues a command. Returns false where the queue is full.
    mutating func enqueue(_ command: Command, _ context: CommandContext) -> Bool {
        guard queue.count < WriteQueue.queueMax, !isStalled else { return false }
        queue.append((command, context))
        return true
    }

    /// The next command to decide; nil where none may be decided now.
    mutating func dequeue() -> QueuedCommand? {
        hasNextCommand ? queue.removeFirst() : nil
    }

    /// Takes a change that was decided: it takes effect when it is durable.
    mutating func submit(_ change: PendingChange) { pending = change }

    /// Defers a reply until all facts so far are durable or have failed. Returns the reply if that is known already.
    mutating func replyWhenDurable(_ reply: PendingReply) -> Reply? {
        // While a retry is scheduled the reply does not wait for it.
        if isStalled || !facts.isEmpty && retryUptime != nil { return reply.ifFailed }
        if !facts.isEmpty {
            replies.append(reply)
        } else if batch != nil {
            batch?.replies.append(reply)
        } else {
            return reply.ifDurable
        }
        return nil
    }

    // MARK: the disk

    mutating func add(_ entry: Entry) {
        facts.append(entry)
        dropTooMany()
    }

    /// Drops facts beyond the bound: first the oldest that a restart does not need, then the oldest.
    private mutating func dropTooMany() {
        var tooMany = facts.count - (failure == nil ? WriteQueue.factsAtOnceMax : WriteQueue.factsMax)
        guard tooMany > 0 else { return }
        facts.removeAll { entry in
            guard tooMany > 0, !entry.fact.isNeeded else { return false }
            tooMany -= 1
            return true
        }
        facts.removeFirst(tooMany)
    }

    /// The next batch to write; nil where there is none, or one is being written.
    mutating func nextBatch(now: Int, uptime: Int) -> (entries: [Entry], number: Int)? {
        guard batch == nil, !facts.isEmpty || pending != nil, pending != nil || (retryUptime ?? 0) <= uptime else {
            return nil
        }
        retryUptime = nil
        batchCount += 1
        let stamped = pending.map { change in
            (change, change.facts(now: now, uptime: uptime).map { Entry(millisecondsSince1970: now, $0) })
        }
        batch = Batch(number: batchCount, facts: facts, change: stamped, replies: replies, sentUptime: uptime)
        let entries = facts + (stamped?.1 ?? [])
        (facts, pending, replies) = ([], nil, [])
        return (entries, batchCount)
    }

    /// A batch is durable. Returns it; nil for an unknown number.
    mutating func batchSucceeded(_ number: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        (self.batch, failure, failureCount) = (nil, nil, 0)
        return batch
    }

    /// A batch has failed: its facts are retried. Returns the replies to its senders; nil for an unknown number.
    mutating func batchFailed(_ number: Int, _ reason: String, uptime: Int) -> [AddressedReply]? {
        guard var batch, batch.number == number else { return nil }
        (self.batch, failure) = (nil, reason)
        facts.insert(contentsOf: batch.facts, at: 0)
        dropTooMany()
        let wait = min(WriteQueue.retryMillisecondsFirst << min(failureCount, 10), WriteQueue.retryMillisecondsMax)
        failureCount += 1
        if !facts.isEmpty { retryUptime = uptime + wait }
        guard !batch.hasTimedOut else { return [] }
        if pending == nil {
            // Replies that were to wait for the next batch do not wait for the retry.
            batch.replies += replies
            replies = []
        }
        return batch.answers(failedWith: reason)
    }

    /// Applies the timeouts of the write and of the queue. Returns the replies to those who have waited too long.
    mutating func expire(at uptime: Int) -> [AddressedReply] {
        var answers = timeOutQueue(since: uptime - WriteQueue.timeoutMilliseconds)
        guard let batch, !isStalled, batch.sentUptime + WriteQueue.timeoutMilliseconds <= uptime else { return answers }
        let reason = "the disk does not answer"
        failure = reason
        self.batch?.hasTimedOut = true
        answers += batch.answers(failedWith: reason)
        // The pending change is refused as well: a snooze minutes later would silence the alarm of somebody who has got up.
        if let pending { answers.append((pending.context, .refused(.busy))) }
        answers += replies.map { ($0.context, $0.ifFailed) }
        (pending, replies) = (nil, [])
        return answers + timeOutQueue(since: uptime)
    }

    private mutating func timeOutQueue(since uptime: Int) -> [AddressedReply] {
        guard !queue.isEmpty else { return [] }
        let expired = queue.prefix { $0.context.uptime <= uptime }
        queue.removeFirst(expired.count)
        return expired.map { ($0.context, .refused(.busy)) }
    }
}

extension Fact {
    /// Whether a restart would behave differently without this fact.
    fileprivate var isNeeded: Bool {
        switch self {
        case .planned, .audioStarted, .audioFailed, .scanRefused, .stopRefused, .healthChanged: false
        default: true
        }
    }
}
