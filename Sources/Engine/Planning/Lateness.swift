// What is due, what is late, and what is too late.

import Alarms
import CivilTime

extension Engine {
    /// Whatever comes this late was on time.
    static let lateSecondsMin = 2

    /// Lets everything ring that is due.
    mutating func ringDue() {
        var missed: [(last: PlannedRing, first: Instant)] = []
        while let ring = due.first(), ring.occurrence.at.milliseconds <= clock.now {
            let occurrence = ring.occurrence
            guard let kept = ledger.alarms[occurrence.alarm] else {
                due.plan(occurrence.alarm, nil, place: 0)
                continue
            }
            let lateSeconds = (clock.now - occurrence.at.milliseconds) / 1000
            if lateSeconds <= max(kept.alarm.lateWindowSeconds, Engine.lateSecondsMin),
                ledger.sessions.count < Ledger.sessionsMax
            {
                fire(ring, kept)
            } else if clock.isTrusted {
                if let index = missed.lastIndex(where: { $0.last.occurrence.alarm == occurrence.alarm }) {
                    missed[index].last = ring
                } else {
                    missed.append((ring, occurrence.at))
                }
            }
            // What is old by a clock that nobody trusts is looked at again when it is trusted.
            plan(kept, after: occurrence.at)
        }
        for (last, first) in missed {
            let occurrence = last.occurrence
            note(.missed(occurrence, first: first, switchesOff: versionToSwitchOff(after: occurrence)))
            effects.append(.notify(.missed(occurrence, first: first)))
        }
    }

    /// The version of an alarm that an occurrence was the only ring of, if that is what the alarm still is.
    func versionToSwitchOff(after occurrence: Occurrence, version: Instant? = nil) -> Instant? {
        guard let kept = ledger.alarms[occurrence.alarm], version.map({ $0 == kept.since }) ?? true,
            kept.alarm.time != nil, kept.alarm.recurrence == nil, kept.alarm.weekly.isEmpty
        else { return nil }
        let day = zones.zone(of: kept.alarm, ledger.settings).local(occurrence.at).date
        return kept.alarm.dates.keys.contains { $0 > day } ? nil : kept.since
    }

    /// The clock was set: what was jumped over is late, what comes again has had its turn.
    mutating func clockWasSet(_ step: Clock.Step) {
        shortenDoubtfulPauses()
        note(.clockStepped(from: step.from, to: step.to))
    }

    mutating func clockIsTrusted(_ isTrusted: Bool) {
        guard isTrusted != clock.isTrusted else { return }
        let before = clock.now
        clock.trust(isTrusted)
        note(.clockTrusted(isTrusted))
        if isTrusted { shortenDoubtfulPauses() }
        if clock.now < before - Clock.creepMax { note(.clockStepped(from: before, to: clock.now)) }
        planAll()
    }
}
