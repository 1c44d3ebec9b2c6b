// The rings that do not come because their owner has skipped the date, or has paused the alarm on it.
//
// The history has a line for each, so that an owner who slept through a morning can see why. `leftOut` has the
// next such ring of each alarm. When its time has come, it is recorded like a ring. Rings up to
// `leftOutUntil` are recorded: at the start, this is the time of the newest record.

import Alarms
import CivilTime

extension Agenda {
    /// The bound on the rings that are recorded at once: the clock may have jumped over years.
    private static let leftOutAtOnceMax = 1000
    /// The bound on the search for the next date that is left out.
    private static let leftOutTriesMax = 1000

    /// While the clock is not trusted, no day is over.
    var nextLeftOutDeadline: Deadline { clock.isTrusted ? .wall(leftOut.firstInstant?.milliseconds) : .never }

    /// Removes and returns the rings that were left out up to now, each with the reason.
    mutating func takeLeftOut() -> [(ring: Occurrence, reason: Note)] {
        var taken: [(ring: Occurrence, reason: Note)] = []
        while clock.isTrusted, let ring = leftOut.first, ring.occurrence.at <= clock.instant,
            let entry = alarms[ring.occurrence.alarm]
        {
            let isEnough = taken.count >= Agenda.leftOutAtOnceMax
            leftOutUntil = max(leftOutUntil, isEnough ? clock.instant : ring.occurrence.at)
            if !isEnough {
                taken.append((ring.occurrence, entry.alarm.skipped.contains(ring.date) ? .skipped : .paused))
            }
            leftOut.plan(entry.id, nextLeftOut(entry), place: entry.place)
        }
        return taken
    }

    /// Plans the next ring of an alarm that is left out.
    mutating func planLeftOut(_ id: Alarm.ID) {
        let entry = alarms[id]
        leftOut.plan(id, entry.flatMap(nextLeftOut), place: entry?.place ?? 0)
    }

    /// Returns the first ring after the cursor that the owner has left out.
    private func nextLeftOut(_ entry: AlarmEntry) -> PlannedRing? {
        let alarm = entry.alarm
        guard alarm.isEnabled, settings.isEnabled, !alarm.skipped.isEmpty || !alarm.paused.isEmpty else { return nil }
        var whole = alarm
        (whole.skipped, whole.paused) = (DateSet(), DateSet())
        let schedule = planningContext.schedule(whole, entry.position.anchor)
        var after = max(entry.position.cursor, leftOutUntil)
        for _ in 0..<Agenda.leftOutTriesMax {
            guard let ring = schedule.first(after: after, but: entry.rung) else { return nil }
            // On a date with a time of its own the alarm rings in a pause as well.
            if alarm.skipped.contains(ring.date) || alarm.paused.contains(ring.date) && ring.layer != .date {
                return ring
            }
            let next = [alarm.skipped, alarm.paused].compactMap { $0.first(onOrAfter: ring.date.advanced(by: 1)) }
            guard let date = next.min() else { return nil }
            let midnight = schedule.zone.instants(of: CivilDateTime(date, .midnight)).first
            after = max(ring.occurrence.at, midnight.advanced(by: -1))
        }
        return nil
    }
}

extension Engine {
    /// Records the rings that were left out. A clock that is set back reaches some of them again.
    mutating func recordLeftOut() {
        for (ring, reason) in agenda.takeLeftOut() where !events.contains(reason, of: ring) {
            record(.noted(ring, reason))
        }
    }
}
