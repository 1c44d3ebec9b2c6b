// The rings that do not come because their owner has skipped the date, or has paused the alarm on it.
//
// The history has a line for each, which tells the owner why a morning was silent. `leftOut` has the next such
// ring of each alarm. When its time has come, it is recorded like a ring. Rings up to `leftOutUntil` are
// recorded: at the start, this is the time of the newest record.

import Alarms
import CivilTime

extension Agenda {
    /// The bound on the rings that are recorded at once: the clock may have jumped over years.
    private static let leftOutAtOnceMax = 1000
    /// The bound on the search for the next date that is left out.
    private static let leftOutTriesMax = 1000

    /// Removes and returns the rings that were left out up to now: skipped dates, and dates of a pause.
    package mutating func takeLeftOut() -> [(ring: PlannedRing, isSkipped: Bool)] {
        var taken: [(ring: PlannedRing, isSkipped: Bool)] = []
        while clock.isTrusted, let ring = leftOut.first, ring.occurrence.at <= clock.instant,
            let entry = alarms[ring.occurrence.alarm]
        {
            let isEnough = taken.count >= Agenda.leftOutAtOnceMax
            leftOutUntil = max(leftOutUntil, isEnough ? clock.instant : ring.occurrence.at)
            if !isEnough { taken.append((ring, entry.alarm.skipped.contains(ring.date))) }
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
