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
        case .alarmSaved(let alarm, _, _, _, _), .alarmChanged(let alarm, _, _): plan(alarm.id)
        case .alarmCounted(let id, _, _, _, _), .alarmStarts(let id, _, _), .alarmMoved(let id, _, _),
            .baseOver(let id, _):
            plan(id)
        case .alarmDeleted(let id):
            plan(id)
            (unlocked[id], savedInDoubt[id]) = (nil, nil)
        case .settingsSaved, .calendarSaved, .calendarDeleted, .zoneChanged, .zoneRulesChanged, .clockStepped:
            planAll()
        case .ended(let occurrence, _, _, _), .missed(let occurrence, _, _, _, _?): plan(occurrence.alarm)
        case .pastKept(let ring): plan(ring.occurrence.alarm)
        case .sessionKept(let session): plan(session.occurrence.alarm)
        default: break
        }
    }

    mutating func sendBatch() {
        guard let (entries, number) = outbox.nextBatch(now: clock.now, uptime: clock.uptime) else { return }
        effects.append(.keep(entries, number: number))
    }

    mutating func kept(_ number: Int) {
        guard let batch = outbox.kept(number) else { return }
        if !batch.isGivenUp { answerKept(batch.debts.prefix(batch.debtsBeforeClaim)) }
        let later = batch.debts.dropFirst(batch.debtsBeforeClaim)
        if let (claim, entries) = batch.claim {
            let reasons = ledger.sessions.reduce(into: [:]) { $0[$1.occurrence] = $1.pause?.reason }
            let before = batch.isGivenUp ? (facts: ledger.undoing(claim.facts), savedInDoubt) : ([], savedInDoubt)
            // If the clock was set meanwhile, the journal has the claim before the step that changes it.
            let turned = entries.map { batch.turns.reduce($0) { $0.after($1) } }
            let twins = batch.isGivenUp ? [] : turned.map(\.fact).filter { isOverWithAnother($0) }
            let toCome = batch.isGivenUp ? [] : turned.flatMap { basesToCome(before: $0.fact) }
            for entry in turned { adopt(entry) }
            // The house may have moved while this was on its way.
            comeInNewZone(toCome)
            for twin in twins { note(twin) }
            for case .alarmSaved(let alarm, let since, _, _, _) in turned.map(\.fact)
            where hasRungMeanwhile(alarm, savedAt: since) {
                note(.alarmChanged(alarm, isSpent: true))
            }
            // It counts from another time by now: behind a restart it would be known what its move came to.
            for case .alarmMoved(let id, let version, let since) in turned.map(\.fact) {
                guard let kept = ledger.alarms[id], ![kept.since, kept.savedAt].contains(version),
                    batch.saved[id] == nil
                else { continue }
                note(.alarmMoved(id, version: kept.since, since: since))
            }
            // What was saved in doubt moves by that.
            for entry in turned { moveBeginning(of: entry.fact, unlessIn: claim.doubts) }
            // Whoever was told that it is not kept goes by that: what rings goes on ringing, and all is as it was.
            guard !batch.isGivenUp else {
                undo(before.0)
                savedInDoubt = before.1
                lookAgain(at: claim)
                return correct(claim, reasons)
            }
            noteDoubt(claim)
            if let until = claim.pauseUntilUptime, case .snoozed(let occurrence, _, _) = claim.facts.first {
                // Somebody may have stopped it meanwhile.
                guard ledger.session(occurrence) != nil else {
                    reply(.refused(.nothingRings), to: claim.asking)
                    return answerKept(later)
                }
                voices[occurrence]?.pause(until: until, at: clock.uptime)
                snoozeUptime = claim.asking.uptime
                // Whoever sleeps on does nothing for a challenge.
                if attempt?.isFor(occurrence) == true { attempt = nil }
                writeDownPauses()
            }
            reply(.done(claim.outcome), to: claim.asking)
        }
        guard !batch.isGivenUp else { return }
        answerKept(later)
    }

    /// The alarms whose next time may be another zone's behind that.
    private func basesToCome(before fact: Fact) -> [KeptAlarm] {
        switch fact {
        case .settingsSaved: basesToCome(among: ledger.alarms.all)
        case .alarmChanged(let alarm, _, _): basesToCome(among: [ledger.alarms[alarm.id]].compactMap(\.self))
        default: []
        }
    }

    /// Whether an alarm was saved once already in the second in which it is saved now, and that is off, or has rung its one
    /// time. What has come of it stands behind this in the journal, and would come of this as well: so it is written down once
    /// more.
    private func isOverWithAnother(_ fact: Fact) -> Bool {
        guard case .alarmSaved(let alarm, let since, _, _, _) = fact, let old = ledger.alarms[alarm.id] else {
            return false
        }
        return old.since == since && alarm.isEnabled && (!old.alarm.isEnabled || old.baseEnd == .rung)
    }

    private mutating func answerKept(_ debts: ArraySlice<Outbox.Debt>) {
        for debt in debts { reply(debt.ifKept, to: debt.asking) }
    }

    /// What was refused is undone, however much it is.
    private mutating func undo(_ facts: [Fact]) {
        guard !facts.isEmpty else { return }
        outbox.startUndoing(facts.count)
        for fact in facts { note(fact) }
    }

    /// A snooze was written down long after everybody was told that it was not: what the session has done since is written
    /// down behind it.
    private mutating func correct(_ claim: Claim, _ reasons: [Occurrence: Session.Pause.Reason]) {
        guard case .snoozed(let occurrence, _, _) = claim.facts.first, let session = ledger.session(occurrence),
            let voice = voices[occurrence]
        else { return }
        let until = voice.pausedUntilUptime.map { clock.now + $0 - clock.uptime } ?? clock.now
        note(
            reasons[occurrence] == .rest
                ? .rested(occurrence, count: session.restCount, untilMilliseconds: until)
                : .snoozed(occurrence, count: session.snoozeCount, untilMilliseconds: until))
    }

    private mutating func noteDoubt(_ claim: Claim) {
        savedInDoubt.merge(claim.doubts) { $1 }
        lookAgain(at: claim)
    }

    /// The clock may have been set while the disk was busy with it.
    private mutating func lookAgain(at claim: Claim) {
        countFromWhenItWasSaved()
        for case .alarmSaved(let alarm, _, _, _, _) in claim.facts { mendBeginning(of: alarm.id) }
    }

    mutating func notKept(_ number: Int, reason: String) {
        guard let batch = outbox.notKept(number, reason, uptime: clock.uptime) else { return }
        if !batch.isGivenUp { answerNotKept(batch, reason: reason) }
        if let claim = batch.claim?.claim { lookAgain(at: claim) }
        outbox.isStatusStale = true
    }

    private mutating func answerNotKept(_ batch: Outbox.Batch, reason: String) {
        if let (claim, _) = batch.claim { reply(.refused(.notKept(reason: reason)), to: claim.asking) }
        for debt in batch.debts { reply(debt.ifNotKept, to: debt.asking) }
    }

    /// Nobody waits for ever for a disk that does not answer, nor behind a crowd.
    mutating func watchDisk() {
        for asking in desk.giveUpWaiting(since: clock.uptime - Outbox.patienceMilliseconds) {
            reply(.refused(.busy), to: asking)
        }
        guard let batch = outbox.giveUp(uptime: clock.uptime) else { return }
        answerNotKept(batch, reason: outbox.failure ?? "")
        // Nor for what was to go to the disk next: a snooze that is granted minutes later silences somebody who has got up.
        let (claim, debts) = outbox.giveUpWaiting()
        if let claim { reply(.refused(.busy), to: claim.asking) }
        for debt in debts { reply(debt.ifNotKept, to: debt.asking) }
        for asking in desk.giveUpWaiting(since: clock.uptime) { reply(.refused(.busy), to: asking) }
        outbox.isStatusStale = true
    }
}
