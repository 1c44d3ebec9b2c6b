// The bounds on the engine's memory.

import Engine

extension Engine {
    /// The first exceeded bound as text; nil if all are kept.
    var excess: String? {
        let alarms = agenda.alarms.count
        let batch = writes.batch
        let bounds: [(StaticString, Int, Int)] = [
            // The bound is lower while the disk fails.
            (
                "facts wait for the disk", writes.facts.count,
                writes.failure == nil ? WriteQueue.factsAtOnceMax : WriteQueue.factsMax
            ),
            ("facts are on their way to the disk", batch?.facts.count ?? 0, WriteQueue.factsAtOnceMax),
            ("commands are queued", writes.queue.count, WriteQueue.queueMax),
            // The queued commands, the pending change, and completed challenges that wait for a slow disk.
            ("requests are open", writes.requests.openCount, WriteQueue.queueMax + 32),
            ("answers are remembered", writes.requests.answerCount, RequestLog.rememberedMax),
            ("replies are pending", writes.replies.count + (batch?.replies.count ?? 0), 32),
            ("sessions are open", sessions.all.count, 1000),
            ("past rings are kept", sessions.past.rings.count, 20_000),
            ("events are kept", events.entries.count, EventLog.countBeforeDropMax),
            ("rings are planned", agenda.load, 6 * (2 * alarms + 64)),
            ("rings are unlocked", agenda.unlocked.count, 1000),
            ("alarms are provisional", agenda.savedUptimes.count, alarms),
        ]
        return bounds.first { $0.1 > $0.2 }.map { "\($0.1) \($0.0)" }
    }
}
