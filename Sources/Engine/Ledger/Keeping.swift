// What becomes true, when, and who is told.

import Alarms

extension Engine {
    /// Something is true from now on, and is written down beside.
    mutating func note(_ fact: Fact) {
        let entry = Entry(millisecondsSince1970: clock.now, fact)
        outbox.add(entry)
        adopt(entry)
    }

    private mutating func adopt(_ entry: Entry) {
        ledger.apply(entry)
        outbox.isStatusStale = true
        switch entry.fact {
        case .alarmSaved(let alarm, _): plan(alarm.id)
        case .alarmDeleted(let id):
            plan(id)
            unlocked[id] = nil
        case .settingsSaved, .calendarSaved, .calendarDeleted, .zoneChanged, .clockStepped: planAll()
        case .ended(let occurrence, _, _, _?), .missed(let occurrence, _, _?): plan(occurrence.alarm)
        default: break
        }
    }

    mutating func sendBatch() {
        guard let (entries, number) = outbox.nextBatch(now: clock.now, uptime: clock.uptime) else { return }
        effects.append(.keep(entries, number: number))
    }

    mutating func kept(_ number: Int) {
        guard let batch = outbox.kept(number) else { return }
        if let (claim, entries) = batch.claim {
            // If the clock was set back meanwhile, the journal has the claim before the step that pulls it back.
            for entry in entries { adopt(batch.pulledBackTo.map { entry.pulledBack(to: $0) } ?? entry) }
            if let until = claim.pauseUntilUptime, case .snoozed(let occurrence, _, _) = claim.facts.first {
                voices[occurrence]?.pause(until: until, at: clock.uptime)
                snoozeUptime = claim.asking.uptime
                // Whoever sleeps on does nothing for a challenge.
                if attempt?.isFor(occurrence) == true { attempt = nil }
            }
            reply(.done(claim.outcome), to: claim.asking)
        }
        for debt in batch.debts { reply(debt.ifKept, to: debt.asking) }
    }

    mutating func notKept(_ number: Int, reason: String) {
        guard let batch = outbox.notKept(number, reason, uptime: clock.uptime) else { return }
        if let (claim, _) = batch.claim { reply(.refused(.notKept(reason: reason)), to: claim.asking) }
        for debt in batch.debts { reply(debt.ifNotKept, to: debt.asking) }
        outbox.isStatusStale = true
    }
}
