// What becomes true, when, and who is told.

import Alarms

extension Engine {
    /// Something is true from now on, and is written down beside.
    mutating func note(_ fact: Fact) {
        let entry = Entry(millisecondsSince1970: clock.now, fact)
        commit.add(entry)
        adopt(entry)
    }

    mutating func note(_ facts: [Fact]) {
        for fact in facts { note(fact) }
    }

    private mutating func adopt(_ entry: Entry, askedUptime: Int? = nil) {
        agenda.adopt(entry, takingBack: sessions.apply(entry), askedUptime: askedUptime)
        preflight.apply(entry.fact)
        if entry.fact.concernsAllAlarms { planPreflightUnlessWaiting() }
        told.isStatusStale = true
    }

    mutating func sendBatch() {
        guard let (entries, number) = commit.nextBatch(now: clock.now, uptime: clock.uptime) else { return }
        effects.append(.keep(entries, number: number))
    }

    mutating func kept(_ number: Int) {
        guard let batch = commit.kept(number) else { return }
        answer(batch.answers)
        if let (claim, entries) = batch.claim { adopt(claim, entries, isTooLate: batch.isGivenUp) }
    }

    /// A change is durable, and holds from now on. Where its sender was told "not confirmed" (`isTooLate`), it holds too, but no
    /// session falls silent by it any more.
    private mutating func adopt(_ claim: Claim, _ entries: [Entry], isTooLate: Bool) {
        var moved: [Alarm.ID] = []
        let before = sessions
        for entry in entries {
            if case .alarmSaved(let alarm, _) = entry.fact { moved.append(alarm.id) }
            if case .planMoved(let id, _) = entry.fact { moved.append(id) }
            // The clock may have been set back since: then the journal has this before the step.
            let isAhead = entry.millisecondsSince1970 > clock.now
            let milliseconds = isAhead ? agenda.newestMilliseconds : entry.millisecondsSince1970
            adopt(
                Entry(millisecondsSince1970: milliseconds, agenda.landed(entry.fact)),
                askedUptime: claim.asking.uptime)
        }
        catchUp(moved, with: claim)
        if let until = claim.pauseUntilUptime, case .snoozed(let occurrence, _, _) = claim.facts.first {
            // The session may have been stopped meanwhile.
            guard sessions[occurrence] != nil else {
                return isTooLate ? () : reply(.refused(.nothingRings), to: claim.asking)
            }
            if !isTooLate {
                sessions.change(occurrence) { [clock] in $0.fallSilent(until: until, at: clock.uptime) }
                sessions.snoozed(byPressAt: claim.asking.uptime)
                // Whoever sleeps on does nothing for a challenge.
                attempts.leave(occurrence)
            } else if case .resting(let pause) = before[occurrence]?.state {
                // It rests on.
                let count = before[occurrence]?.restCount ?? 0
                note(.rested(occurrence, count: count, untilMilliseconds: pause.untilMilliseconds))
            } else {
                // It rings on.
                note(.resumed(occurrence))
            }
            writeDownPauses()
        }
        if !isTooLate { reply(.done(claim.outcome), to: claim.asking) }
    }

    private mutating func answer(_ answers: [Commit.Answer]) {
        for (asking, reply) in answers { self.reply(reply, to: asking) }
    }

    mutating func notKept(_ number: Int, reason: String) {
        guard let answers = commit.notKept(number, reason, uptime: clock.uptime) else { return }
        answer(answers)
        told.isStatusStale = true
    }

    mutating func watchDisk() {
        let failure = commit.failure
        answer(commit.expire(at: clock.uptime))
        if commit.failure != failure { told.isStatusStale = true }
    }
}
