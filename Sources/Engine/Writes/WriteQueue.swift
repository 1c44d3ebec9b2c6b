// The write-behind queue: facts and changes on their way to the disk, queued commands, waiting replies.
//
// A disk may hang for minutes, but a ring must not wait for it. A power cut may come at any time, but a
// change that was acknowledged must survive it. Writing everything first delays the ring. Replying first
// loses acknowledged changes. So events and changes differ:
//
// 1. An event (a ring, a press) takes effect at once. Its fact waits in `facts` for the disk.
// 2. An owner's change waits in `pending`. It takes effect and is acknowledged when it is durable. Changes
//    that come meanwhile are queued, up to 64, because each must be decided on the result of the last.
// 3. One batch is at the disk at a time: all facts so far and, behind them, the pending change. Newer facts
//    go out with the next batch, so the journal keeps their order.
// 4. If a batch fails, its change is refused, and waiting replies report the failure. Its facts are retried
//    after 5 s, then ever later, up to 80 s. A new change does not wait for the retry; it takes them along.
// 5. A batch times out after 10 s, with the same replies. All queued commands are refused, and so are new
//    ones. The write may still succeed. Then its change takes effect, but does not silence a session,
//    because the owner may have got up since.
// 6. While the disk fails, at most 4000 facts are kept. Those that a restart does not need go first.
//
// Example: an alarm rings, and batch 1 with its fact goes out. A snooze waits in `pending`, an edit in
// `queue`. Batch 1 is durable, so batch 2 goes out with the snooze. Once batch 2 is durable, the session
// falls silent, the snooze is acknowledged, and the edit is decided.

import Alarms

package struct CommandContext: Hashable, Sendable {
    /// The request to reply to; nil for a press of a button.
    var request: RequestHeader?
    package var origin: Origin
    var uptime: Int
    /// The session that was heard at the time of the command, which is not meant for a later one.
    package var heard: Occurrence?

    var sender: Sender { Sender(origin, client: request?.client) }
}

/// An owner's change that was decided and takes effect when it is durable. It is shared, not copied.
package final class PendingChange: Sendable {
    package let context: CommandContext
    package let facts: [Fact]
    let outcome: Outcome
    /// For a snooze: the uptime until which the session is silent.
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

    /// Returns the facts to write. The end of a pause is computed again, because the clock may have been
    /// set.
    fileprivate func facts(now: Int, uptime: Int) -> [Fact] {
        guard let pauseUntilUptime, case .snoozed(let occurrence, let count, _)? = facts.first else { return facts }
        return [.snoozed(occurrence, count: count, untilMilliseconds: now + pauseUntilUptime - uptime)]
    }
}

/// The queue to the disk. Facts, change and replies move into `batch` together.
package struct WriteQueue: Sendable {
    typealias AddressedReply = (context: CommandContext, reply: Reply)
    package typealias QueuedCommand = (command: Command, context: CommandContext)
    /// A reply that waits until all present facts are durable, or one of them has failed.
    package typealias PendingReply = (context: CommandContext, ifDurable: Reply, ifFailed: Reply)

    /// The entries that are written in one commit.
    package struct Batch: Sendable {
        fileprivate let number: Int
        package let facts: [Entry]
        package let change: (change: PendingChange, entries: [Entry])?
        package fileprivate(set) var replies: [PendingReply]
        fileprivate let sentUptime: Int
        /// True if the write has timed out and the replies report a failure. It may still succeed later.
        package fileprivate(set) var hasTimedOut = false
        /// True if its change is a snooze whose press turned out to begin the emergency exit.
        package fileprivate(set) var isWithdrawn = false

        /// The replies that wait for the batch's facts, without the reply to its change.
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
    /// The time of the next retry; nil if none is scheduled.
    package private(set) var retryUptime: Int?
    package private(set) var failureCount = 0
    /// The reason why the last batch failed; nil after a success.
    package private(set) var failure: String?
    package private(set) var queue: [QueuedCommand] = []
    package private(set) var requests = RequestLog()

    /// The timeout of a write and of a queued command.
    private static let timeoutMilliseconds = 10_000
    /// The pause before the first retry. It doubles with each failure, up to `retryMillisecondsMax`.
    private static let retryMillisecondsFirst = 5000
    private static let retryMillisecondsMax = 80_000
    /// The bound on facts while the disk fails. The oldest are dropped.
    package static let factsMax = 4000
    /// The bound while the disk works: one input can lead to more than one fact for each alarm.
    package static let factsAtOnceMax = factsMax + 4 * Engine.alarmsMax
    package static let queueMax = 64

    // MARK: state

    /// True if a change is being written. The next command is decided when its result is known.
    var hasPendingChange: Bool { pending != nil || batch?.change != nil && !isStalled }

    /// True if the batch has timed out: new commands are refused instead of queued.
    private var isStalled: Bool { batch?.hasTimedOut == true }

    var isEmpty: Bool { facts.isEmpty && pending == nil && batch == nil }

    /// The number of facts that are not durable: a restart would lose them.
    var pendingFactCount: Int { facts.count + (batch?.facts.count ?? 0) }

    var nextDeadline: Deadline {
        var next = retryUptime ?? .max
        if let batch, !isStalled { next = min(next, batch.sentUptime + WriteQueue.timeoutMilliseconds) }
        if let first = queue.first { next = min(next, first.context.uptime + WriteQueue.timeoutMilliseconds) }
        return .uptime(next)
    }

    /// True if a queued command may be decided now.
    var hasNextCommand: Bool { !queue.isEmpty && !hasPendingChange }

    // MARK: requests

    mutating func admit(_ request: RequestHeader) -> RequestLog.Admission { requests.admit(request) }

    mutating func answer(_ request: RequestHeader, _ reply: Reply) -> Int {
        requests.answer(request, reply)
    }

    /// Queues a command. Returns false if the queue is full.
    mutating func enqueue(_ command: Command, _ context: CommandContext) -> Bool {
        guard queue.count < WriteQueue.queueMax, !isStalled else { return false }
        queue.append((command, context))
        return true
    }

    /// Removes and returns the next command to decide, or nil if none may be decided now.
    mutating func dequeue() -> QueuedCommand? {
        hasNextCommand ? queue.removeFirst() : nil
    }

    /// Withdraws the snoozes of a button's press since `uptime`, wherever they are on their way to the disk.
    mutating func withdrawSnoozes(since uptime: Int) {
        func isMeant(_ context: CommandContext) -> Bool { context.origin == .button && context.uptime >= uptime }
        queue.removeAll { queued in
            if case .snooze = queued.command { isMeant(queued.context) } else { false }
        }
        if let change = pending, change.pauseUntilUptime != nil, isMeant(change.context) { pending = nil }
        if let change = batch?.change?.change, change.pauseUntilUptime != nil, isMeant(change.context) {
            batch?.isWithdrawn = true
        }
    }

    /// Accepts a change that was decided.
    mutating func submit(_ change: PendingChange) { pending = change }

    /// Defers a reply until all facts so far are durable or have failed; returns it if that is known.
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

    /// Returns the next batch to write, or nil if there is none or one is being written.
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

    /// Records that a batch is durable. Returns it, or nil if the number is unknown.
    mutating func batchSucceeded(_ number: Int) -> Batch? {
        guard let batch, batch.number == number else { return nil }
        (self.batch, failure, failureCount) = (nil, nil, 0)
        return batch
    }

    /// Records that a batch has failed; its facts are retried. Returns the replies to its senders; nil for
    /// an unknown number.
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
            // Replies that wait for the next batch must not wait for the retry.
            batch.replies += replies
            replies = []
        }
        return batch.answers(failedWith: reason)
    }

    /// Applies the timeouts of the write and of the queue. Returns the replies to the senders that time out.
    mutating func expire(at uptime: Int) -> [AddressedReply] {
        var answers = timeOutQueue(since: uptime - WriteQueue.timeoutMilliseconds)
        guard let batch, !isStalled, batch.sentUptime + WriteQueue.timeoutMilliseconds <= uptime else { return answers }
        let reason = "the disk does not answer"
        failure = reason
        self.batch?.hasTimedOut = true
        answers += batch.answers(failedWith: reason)
        // The pending change is refused as well: a snooze must not silence the alarm minutes after its
        // request, when the owner may be up.
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
    /// True if a restart would behave differently without this fact.
    fileprivate var isNeeded: Bool {
        switch self {
        case .planned, .audioStarted, .audioFailed, .scanRefused, .stopRefused, .noted, .healthChanged: false
        default: true
        }
    }
}
