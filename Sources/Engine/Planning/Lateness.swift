// What is due, what is late, and what is too late.

import Alarms
import CivilTime

extension Engine {
    /// Whatever comes this late was on time.
    static let lateSecondsMin = 2

    /// Lets everything ring that is due.
    mutating func ringDue() {
        takeInThoseOutside()
        var missed: [(last: PlannedRing, first: Instant)] = []
        var crowd = Crowd(ledger.sessions, lockSeconds: ledger.settings.lockSeconds)
        while let ring = due.first(), ring.occurrence.at.milliseconds <= clock.now {
            let occurrence = ring.occurrence
            guard let kept = ledger.alarms[occurrence.alarm] else {
                plan(occurrence.alarm)
                continue
            }
            // One occurrence makes one session, though its alarm was deleted and made anew meanwhile.
            guard ledger.session(occurrence) == nil else {
                plan(kept, after: occurrence.at)
                continue
            }
            // Nobody can answer so many: the rest ring when some have ended. But what somebody has to get up for does not
            // wait for what anybody could have made from bed.
            guard crowd.hasRoom(for: kept, at: occurrence.at) else {
                outside.insert(occurrence.alarm)
                due.plan(occurrence.alarm, nil, place: kept.place)
                continue
            }
            let lateSeconds = (clock.now - occurrence.at.milliseconds) / 1000
            let window = max(kept.alarm.lateWindowSeconds, Engine.lateSecondsMin)
            if lateSeconds <= window {
                fire(ring, kept)
                crowd.count += 1
                plan(kept, after: occurrence.at)
                if let next = due[occurrence.alarm] { note(.planned(next.occurrence, next.layer)) }
                continue
            }
            if clock.isTrusted {
                if let index = missed.lastIndex(where: { $0.last.occurrence.alarm == occurrence.alarm }) {
                    missed[index].last = ring
                } else {
                    missed.append((ring, occurrence.at))
                }
            }
            // What is old by a clock that nobody trusts is looked at again when it is trusted. The clock may have jumped
            // over years: of what is too old anyway, only the last few are looked at one by one.
            plan(kept, after: max(occurrence.at, clock.instant.advanced(by: -window - Engine.missedSecondsMax)))
        }
        for (last, first) in missed {
            let occurrence = last.occurrence
            let version = versionToSwitchOff(after: occurrence, from: occurrence.at)
            // The alarm may be deleted by something that is on its way to the disk already.
            let alarm = ledger.alarms[occurrence.alarm]?.alarm
            note(
                .missed(
                    occurrence, label: alarm?.label ?? "", lateWindowSeconds: alarm?.lateWindowSeconds, first: first,
                    switchesOff: version))
            effects.append(.notify(.missed(occurrence, first: first)))
        }
    }

    /// There is room again for what is due.
    private mutating func takeInThoseOutside() {
        guard !outside.isEmpty, ledger.sessions.count < Ledger.sessionsMax else { return }
        let ids = outside.sorted()
        outside = []
        for id in ids { plan(id) }
    }

    /// The version of an alarm that was to ring a few times at most, if it has no ring left when an occurrence of it has had
    /// its turn: it is switched off then. `start` is where to look.
    func versionToSwitchOff(after occurrence: Occurrence, from start: Instant? = nil) -> Instant? {
        guard let kept = ledger.alarms[occurrence.alarm], kept.alarm.time != nil, kept.alarm.isForFewDays else {
            return nil
        }
        // One that was made anew meanwhile knows nothing of it.
        var handled = ledger.alarms.handled(occurrence.alarm)
        handled.ring(occurrence.at)
        let start = start ?? startOfLooking(at: kept)
        guard schedule(kept).first(after: start, but: handled) == nil else { return nil }
        // What is left out may be left out no longer, unless it is over.
        var alarm = kept.alarm
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        let left = schedule(kept.changed(to: alarm)).first(after: max(start, clock.instant), but: handled)
        return left == nil ? kept.since : nil
    }

    /// The clock was set: what was jumped over is late, what comes again has had its turn.
    mutating func clockWasSet(_ step: Clock.Step) {
        shortenDoubtfulPauses()
        noteStep(step)
        writeDownPauses()
    }

    /// Writes down that the clock was set. Intervals that count from the day on which an alarm was saved count from the day
    /// that this was by the clock as it is.
    mutating func noteStep(_ step: Clock.Step) {
        let ahead = ledger.alarms.all.filter { $0.since > step.instant }
        note(.clockStepped(from: step.from, to: step.to))
        for old in ahead {
            if let kept = ledger.alarms[old.alarm.id] {
                moveBeginning(of: kept, from: old.since, to: step.shifted(old.since))
            }
        }
        mendBeginnings()
    }

    mutating func clockIsTrusted(_ isTrusted: Bool) {
        guard isTrusted != clock.isTrusted else { return }
        let before = clock.now
        clock.trust(isTrusted)
        if isTrusted {
            settleDoubts()
            shortenDoubtfulPauses()
        }
        note(.clockTrusted(isTrusted))
        if clock.now < before - Clock.creepMax { noteStep(Clock.Step(from: before, to: clock.now)) }
        mendBeginnings()
        writeDownPauses()
        planAll()
    }

    /// A clock that nobody trusted was set: what was saved by it was saved as long ago as it was, whatever it showed then.
    /// Who wanted to be woken the next morning does so still.
    mutating func countFromWhenItWasSaved() {
        for (id, doubt) in savedInDoubt.sorted(by: { $0.key < $1.key }) {
            // What is saved once more in the same second is looked at when it is clear what becomes of that.
            if let kept = ledger.alarms[id], outbox.saves(kept) { continue }
            let begun = doubt.begun.map { ($0.uptime, instant(atUptime: $0.uptime)) }
            if clock.isTrusted { savedInDoubt[id] = nil } else { savedInDoubt[id]?.begun = begun }
            guard let kept = ledger.alarms[id], !isRinging(kept) else { continue }
            let begins = begins(kept, doubt)
            var since = instant(atUptime: doubt.savedUptime)
            let moved = kept.beginning(begins.map { Beginning($0) })
            if doubt.countsOn, let start = startOfWhatIsOwed(moved, doubt, before: since) { since = min(since, start) }
            // A second more or less is how the two were rounded.
            let isOther = abs(since.seconds(since: kept.since)) > 1
            let isMoved = begins != kept.begins?.day
            guard isOther || isMoved || kept.isDoubtful && clock.isTrusted else { continue }
            note(
                .alarmCounted(
                    id, version: kept.since, since: isOther ? since : kept.since, isDoubtful: !clock.isTrusted,
                    begins: isMoved ? begins : nil))
        }
    }

    /// A clock that was set back is set right: what was saved by the right one counts from then, and not from when the wrong
    /// one was set. What it would have rung by that was not jumped over. Where nobody can know whether the clock is right now,
    /// or has only stood, what is late by it rings still.
    mutating func countAgainFromWhenItWasSaved(_ step: Clock.Step, isSure: Bool) {
        for kept in ledger.alarms.pulledBack where !outbox.saves(kept.alarm.id) {
            guard let savedAt = kept.savedAt, step.from < savedAt.milliseconds, savedAt <= step.instant else {
                continue
            }
            let oldest = startOfLateness(of: kept.alarm)
            let since = isSure ? savedAt : max(kept.since, min(savedAt, oldest))
            note(.alarmCounted(kept.alarm.id, version: kept.since, since: since, isDoubtful: false))
            // Nor is the day that intervals count from changed by a guess.
            if isSure {
                let was = savedAt.advanced(by: -(step.to - step.from).dividedDown(by: 1000))
                moveBeginning(of: kept, from: was, to: savedAt)
            }
        }
        // What is being saved now knows of the clock already.
        guard isSure, !outbox.savesSettings else { return }
        for fact in ledger.setRight(by: step) {
            if case .alarmMoved(let id, _, _) = fact, outbox.saves(id) { continue }
            note(fact)
        }
    }

    /// What was due then, or earlier, is too late to ring now.
    private func startOfLateness(of alarm: Alarm) -> Instant {
        clock.instant.advanced(by: -max(alarm.lateWindowSeconds, Engine.lateSecondsMin) - 1)
    }

    /// When it was by the clock as it is now.
    func instant(atUptime uptime: Int) -> Instant {
        Instant(secondsSince1970: (clock.now - clock.uptime + uptime).dividedDown(by: 1000))
    }

    /// The time is known. Of what was saved by a clock that nobody trusted, before a restart, nobody knows how long ago that
    /// was: it is late if it may be, and otherwise rings the next time the clock shows its time. Nothing of it was missed,
    /// unless its owner has named the day.
    mutating func settleDoubts() {
        let known = Set(savedInDoubt.keys)
        countFromWhenItWasSaved()
        for kept in ledger.alarms.doubtful
        where !known.contains(kept.alarm.id) && !isRinging(kept) && !outbox.saves(kept) {
            guard !kept.alarm.namesItsDays else { continue }
            // Where nothing is late or missed, it counts since it did.
            let first = ring(of: kept, after: kept.looksFrom)
            guard kept.since > clock.instant || first.map({ $0.occurrence.at <= clock.instant }) ?? false else {
                continue
            }
            let since = startOfLateness(of: kept.alarm)
            let local = zones.zone(of: kept.alarm, ledger.settings).local(since)
            // The next day on which the clock shows its time.
            let day = kept.alarm.time.map { $0 > local.time } ?? true ? local.date : local.date.advanced(by: 1)
            note(
                .alarmCounted(
                    kept.alarm.id, version: kept.since, since: since, isDoubtful: false,
                    begins: kept.begins.flatMap { $0.isDoubtful ? day : nil }))
        }
    }

    /// From when on an alarm counts, if a ring of it was due before an instant; nothing where none was. What was saved by a
    /// clock that was ahead says nothing of when that was.
    private func startOfWhatIsOwed(_ kept: KeptAlarm, _ doubt: Doubt, before instant: Instant) -> Instant? {
        let oldest = startOfLateness(of: kept.alarm)
        var since = kept.since > clock.instant ? max(oldest, doubt.madeSince ?? oldest) : kept.since
        // Nothing is missed of what was perhaps not there yet, nor of what is set anew.
        if kept.alarm.isForNextTime || doubt.madeSince == nil && !kept.alarm.namesItsDays { since = max(since, oldest) }
        let isDue = ring(of: kept, after: since).map { $0.occurrence.at <= instant } ?? false
        return isDue ? since : nil
    }

    /// Whether a session goes on that was planned by an alarm as it is, and is perhaps its last.
    private func isRinging(_ kept: KeptAlarm) -> Bool {
        kept.alarm.isForFewDays
            && ledger.sessions.contains { $0.occurrence.alarm == kept.alarm.id && $0.alarmSince == kept.since }
    }
}
