// The times at which facts take effect and replies are sent.

import Agenda
import Alarms

extension Engine {
    /// Applies a fact at once, and queues it for the disk.
    mutating func record(_ fact: Fact) {
        let entry = Entry(millisecondsSince1970: clock.now, fact)
        writes.add(entry)
        applyAndPlan(entry)
    }

    mutating func record(_ facts: [Fact]) {
        for fact in facts { record(fact) }
    }

    mutating func record(_ moves: [PlanMove]) {
        for move in moves { record(move.fact) }
    }

    /// Applies an entry; the log of events gets it as it is in the journal (`written`).
    private mutating func applyAndPlan(_ entry: Entry, written: Entry? = nil, askedUptime: Int? = nil) {
        agenda.applyAndPlan(entry, takingBack: sessions.apply(entry), askedUptime: askedUptime)
        preflight.apply(entry.fact)
        applyToClients(entry.fact)
        events.apply(written ?? entry)
        if entry.fact.concernsAllAlarms { planPreflightUnlessWaiting() }
        emitted.isStatusStale = true
    }

    mutating func sendBatch() {
        guard let (entries, number) = writes.nextBatch(now: clock.now, uptime: clock.uptime) else { return }
        effects.append(.commit(entries, number: number))
    }

    mutating func batchCommitted(_ number: Int) {
        guard let batch = writes.batchSucceeded(number) else { return }
        answer(batch.answers)
        if let (change, entries) = batch.change {
            apply(change, entries, isTooLate: batch.hasTimedOut, isWithdrawn: batch.isWithdrawn)
        }
    }

    /// Applies a change that is durable. If it has timed out (`isTooLate`), its sender has got a refusal. It
    /// still takes effect, but no longer silences a session. Nor does a snooze that was withdrawn.
    private mutating func apply(_ change: PendingChange, _ entries: [Entry], isTooLate: Bool, isWithdrawn: Bool) {
        var moved: [Alarm.ID] = []
        let before = sessions
        for entry in entries {
            if case .alarmSaved(let alarm, _) = entry.fact { moved.append(alarm.id) }
            if case .planMoved(let id, _) = entry.fact { moved.append(id) }
            if case .postponed(let id, _, _, _) = entry.fact { moved.append(id) }
            if case .done(let ring, _?, _) = entry.fact { moved.append(ring.alarm) }
            // If the clock was set back since, the journal has this entry before the step.
            let isAhead = entry.millisecondsSince1970 > clock.now
            let milliseconds = isAhead ? agenda.newestMilliseconds : entry.millisecondsSince1970
            applyAndPlan(
                Entry(millisecondsSince1970: milliseconds, agenda.movedPastLatestRing(entry.fact)),
                written: entry,
                askedUptime: change.context.uptime)
            // The history has the time that is in the journal.
            if isAhead, case .snoozed(let occurrence, _, _) = entry.fact {
                sessions.change(occurrence) { $0.restampSnooze(at: entry.millisecondsSince1970) }
            }
        }
        reapplyMoves(moved, with: change)
        if case .postponed(let id, let postponed, let endsSession, let sender) = change.facts.first {
            let occurrence = Occurrence(alarm: id, at: postponed.ring)
            let isOpen = before[occurrence] != nil
            if endsSession, !isOpen {
                // The session has ended meanwhile.
                record(.postponementEnded(occurrence))
                return isTooLate ? () : reply(.refused(sessions.nothingToEnd), to: change.context)
            } else if isOpen, !endsSession {
                // It has begun to ring meanwhile.
                record(.postponed(id, postponed, endsSession: true, by: sender))
            }
        }
        if let until = change.pauseUntilUptime, case .snoozed(let occurrence, _, _) = change.facts.first {
            // The session may have ended meanwhile, or its challenges are completed.
            guard sessions[occurrence]?.isChecking == false else {
                return isTooLate ? () : reply(.refused(sessions.nothingToEnd), to: change.context)
            }
            if isWithdrawn {
                record(.snoozeTakenBack(occurrence))
            } else if !isTooLate {
                sessions.change(occurrence) { [clock] in $0.fallSilent(until: until, at: clock.uptime) }
                sessions.snoozed(occurrence, byPressAt: change.context.uptime)
                // A snoozed session has no challenge.
                challengeState.abandon(occurrence)
            } else if case .resting(let pause) = before[occurrence]?.state {
                // The session rests, and continues to rest.
                let count = before[occurrence]?.restCount ?? 0
                record(.rested(occurrence, count: count, untilMilliseconds: pause.untilMilliseconds))
            } else {
                // The session rings, and continues to ring.
                record(.resumed(occurrence))
            }
            recordPauses()
        }
        if !isTooLate { reply(.done(change.outcome), to: change.context) }
    }

    private mutating func answer(_ answers: [WriteQueue.AddressedReply]) {
        for (context, reply) in answers { self.reply(reply, to: context) }
    }

    mutating func batchFailed(_ number: Int, reason: String) {
        guard let answers = writes.batchFailed(number, reason, uptime: clock.uptime) else { return }
        answer(answers)
        emitted.isStatusStale = true
    }

    mutating func expireWrites() {
        let failure = writes.failure
        answer(writes.expire(at: clock.uptime))
        if writes.failure != failure { emitted.isStatusStale = true }
    }
}
