// The request to put off a ring.

import Agenda
import Alarms
import CivilTime
import Text

/// The length by which a ring is put off, from the later of its time and now.
package enum Postponement: Hashable, Sendable {
    case seconds(Int)
    /// To the clock time of the ring, this many days later.
    case days(Int)

    fileprivate static let daysMax = 31
    fileprivate static let secondsRange = 60...daysMax * 86_400
}

extension Engine {
    /// Puts off the ring of an alarm that is in progress, or else its next one.
    func postpone(_ entry: AlarmEntry, by length: Postponement, _ context: CommandContext) throws(Refusal) -> Decision {
        let session = sessions[alarm: entry.id]
        let next = agenda.due[entry.id]
        if session?.isChecking == true { throw refusal(entry, "its ring cannot be put off") }
        guard let ring = session?.occurrence ?? next?.occurrence, let due = session?.due ?? next?.at else {
            throw .problems([Problem("", "the alarm has no ring to put off")])
        }
        if let meant = context.request?.ifRing, meant != ring {
            throw .problems([Problem("ifRing", "is no longer the next ring of this alarm")])
        }
        guard entry.alarm.isEnabled, agenda.settings.isEnabled else {
            throw .problems([Problem("", "the alarm is off, so it would not ring later")])
        }
        guard session?.terms.isPostponable ?? entry.alarm.isPostponable else {
            throw isLocked(entry) ? refusal(entry, "its ring cannot be put off") : .cannotPostpone(entry.alarm.name)
        }
        let until = try end(of: length, due, entry.alarm)
        let zone = agenda.zones.zone(of: entry.alarm, agenda.settings)
        let later = agenda.planningContext.schedule(entry.alarm, entry.position.anchor)
            .first(after: max(due, clock.instant), but: entry.rung)
        if let later, later.at <= until {
            let local = zone.local(later.at)
            throw .problems([
                Problem(
                    "",
                    "the alarm rings again on \(local.date) at \(local.time), before that: \(session == nil ? "skip" : "stop") this ring instead"
                )
            ])
        }
        let postponed = PostponedRing(ring: ring.at, until: until, layer: session?.layer ?? next?.layer ?? .base)
        let saved = SavedAlarm(
            entry.shown,
            next: AlarmRings(
                agenda.planningContext.schedule(entry.alarm, entry.position.anchor), rung: entry.rung, postponed
            ).first(after: until.advanced(by: -1)))
        return (
            [.postponed(entry.id, postponed, endsSession: session != nil, by: context.sender)],
            .saved(saved, warnings: [])
        )
    }

    private func end(of length: Postponement, _ due: Instant, _ alarm: Alarm) throws(Refusal) -> Instant {
        let start = max(due, clock.instant)
        switch length {
        case .seconds(let seconds):
            guard Postponement.secondsRange.contains(seconds) else {
                let range = "between 60 and \(Postponement.secondsRange.upperBound) seconds"
                throw .problems([Problem("seconds", "must be \(range), not \(seconds)")])
            }
            return start.advanced(by: seconds)
        case .days(let days):
            guard (1...Postponement.daysMax).contains(days) else {
                throw .problems([Problem("days", "must be between 1 and \(Postponement.daysMax), not \(days)")])
            }
            let zone = agenda.zones.zone(of: alarm, agenda.settings)
            let date = zone.local(start).date.advanced(by: days)
            return zone.instants(of: CivilDateTime(date, zone.local(due).time)).first
        }
    }
}
