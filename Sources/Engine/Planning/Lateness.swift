// What is due, what is late, and what is too late.

import Alarms
import CivilTime

extension Engine {
    /// Whatever comes this late was on time.
    static let lateSecondsMin = 2

    /// The clock may have jumped over years: the last of what is too old to ring is looked for from so long before the end on,
    /// and then from ever longer before.
    private static let missedSecondsFirst = 31 * 86_400

    /// Lets everything ring that is due, and tells what is too old for it.
    mutating func ringDue() {
        while let ring = due.first(), ring.occurrence.at.milliseconds <= clock.now {
            let occurrence = ring.occurrence
            guard let entry = ledger.alarms[occurrence.alarm] else {
                plan(occurrence.alarm)
                continue
            }
            if sessions[occurrence] != nil {
                // The alarm was made anew, or the clock set back by hours, while this rings: it has its turn.
                var position = entry.position
                position.pass(occurrence.at)
                note(.planMoved(entry.id, position))
            } else if occurrence.at <= tooOld(entry) {
                if clock.isTrusted { miss(entry, from: ring) } else { plan(occurrence.alarm) }
            } else if sessions.all.count >= Sessions.countMax {
                miss(entry, from: occurrence.at, until: occurrence.at)
            } else {
                fire(ring, entry)
                if let next = due[occurrence.alarm] { note(.planned(next.occurrence, next.layer)) }
            }
        }
    }

    /// What is too old to ring is missed, as one.
    private mutating func miss(_ entry: AlarmEntry, from first: PlannedRing) {
        let (end, first) = (tooOld(entry), first.occurrence.at)
        var (last, searched, seconds) = (first, end, Engine.missedSecondsFirst)
        while last == first, searched > first {
            searched = max(first, end.advanced(by: -seconds))
            seconds *= 8
            var next = ring(of: entry, after: searched)
            while let ring = next, ring.occurrence.at <= end {
                last = ring.occurrence.at
                next = self.ring(of: entry, after: last)
            }
        }
        miss(entry, from: first, until: last)
    }

    private mutating func miss(_ entry: AlarmEntry, from first: Instant, until last: Instant) {
        let missed = MissedRings(
            occurrence: Occurrence(alarm: entry.id, at: last), first: first, label: entry.alarm.label,
            lateWindowSeconds: entry.alarm.lateWindowSeconds, revision: entry.position.revision,
            switchesOff: isSpent(entry, after: last))
        note(.missed(missed))
        effects.append(.notify(.missed(missed.occurrence, first: first)))
    }

    /// Whether a one-time alarm has no ring left behind one. What its owner has left out may be wanted again.
    func isSpent(_ entry: AlarmEntry, after instant: Instant) -> Bool {
        guard entry.alarm.isOneTime else { return false }
        var (alarm, position) = (entry.alarm, entry.position)
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        position.pass(instant)
        return almanac.schedule(alarm, position.anchor).first(after: position.cursor, but: entry.rung) == nil
    }

    /// The clock was set.
    mutating func clockWasSet(_ step: Clock.Step) {
        shortenDoubtfulPauses()
        note(.clockStepped(from: step.from, to: step.to))
        if step.to < step.from {
            fixAnchorsAfterStepBack(ledger.alarms.all)
        } else {
            passStepForward(from: step.fromInstant)
        }
        if !clock.isTrusted { moveProvisional(ledger.alarms.all) }
        writeDownPauses()
    }

    mutating func clockIsTrusted(_ isTrusted: Bool) {
        guard isTrusted != clock.isTrusted else { return }
        let before = clock.now
        clock.trust(isTrusted)
        if isTrusted {
            let step = Clock.Step(from: before, to: clock.now)
            if step.to < step.from - Clock.creepMax { clockWasSet(step) }
            if step.from - step.to >= Engine.confirmedMilliseconds { moveProvisional(ledger.alarms.all) }
            shortenDoubtfulPauses()
            endForgotten()
            savedUptimes = [:]
        }
        note(.clockTrusted(isTrusted))
        writeDownPauses()
        planAll()
    }

    /// A clock that becomes trusted by a smaller step was right.
    static let confirmedMilliseconds = 60_000
}
