// Rings that are too late to ring, and alarms that have no ring left.

import Alarms
import CivilTime

extension Agenda {
    /// The seconds of lateness that still count as on time.
    package static let lateSecondsMin = 2

    /// The first span to search for the last missed ring. It grows: the clock may have jumped over years.
    private static let missedSecondsFirst = 31 * 86_400

    /// Returns the instant up to which the rings of an alarm are too old to ring.
    package func tooOld(_ entry: AlarmEntry) -> Instant { clock.instant.advanced(by: -1 - entry.lateSecondsMax) }

    /// Groups all rings of an alarm from `first` on that are too old to ring: they are missed as one.
    private func missed(_ entry: AlarmEntry, from first: Instant) -> MissedRings {
        let end = tooOld(entry)
        // A ring that was put off is missed by itself.
        let scheduled = planningContext.schedule(entry.alarm, entry.position.anchor)
        var (last, searched, seconds) = (first, end, Agenda.missedSecondsFirst)
        while last == first, searched > first {
            searched = max(first, end.advanced(by: -seconds))
            seconds *= 8
            var next = scheduled.first(after: searched, but: entry.rung)
            while let ring = next, ring.at <= end {
                last = ring.at
                next = scheduled.first(after: last, but: entry.rung)
            }
        }
        return missed(entry, from: first, until: last)
    }

    /// Returns the miss of a ring, with later rings that are too old as well unless it `isAlone`.
    package func missed(_ entry: AlarmEntry, _ ring: PlannedRing, isAlone: Bool = false) -> MissedRings {
        if ring.isPostponed, let postponed = entry.postponed { return missed(entry, postponed: postponed) }
        return isAlone ? missed(entry, from: ring.at, until: ring.at) : missed(entry, from: ring.at)
    }

    /// The miss of a ring that was put off. `first` is the instant at which it would have rung.
    private func missed(_ entry: AlarmEntry, postponed: PostponedRing) -> MissedRings {
        let spent = entry.with(postponed: .some(nil))
        var missed = missed(spent, from: postponed.until, until: postponed.ring)
        missed.postponedLayer = postponed.layer
        return missed
    }

    private func missed(_ entry: AlarmEntry, from first: Instant, until last: Instant) -> MissedRings {
        var missed = MissedRings(
            occurrence: Occurrence(alarm: entry.id, at: last), first: first, label: entry.alarm.label,
            lateWindowSeconds: entry.alarm.lateWindowSeconds, revision: entry.position.revision,
            switchesOff: isSpent(entry, after: last))
        (missed.note, missed.category) = (entry.alarm.note, entry.alarm.category)
        return missed
    }

    /// Returns true if a one-time alarm has no ring left after an instant. Skipped and paused days count.
    package func isSpent(_ entry: AlarmEntry, after instant: Instant) -> Bool {
        guard entry.alarm.isOneTime, entry.postponed == nil else { return false }
        var (alarm, position) = (entry.alarm, entry.position)
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        position.pass(instant)
        return planningContext.schedule(alarm, position.anchor).first(after: position.cursor, but: entry.rung) == nil
    }

    /// The number of days for which an alarm's past dates are kept.
    private static let pastDays = 31

    /// Returns an alarm without its dates that are long past. While the clock is not trusted, all are kept.
    package func pruned(_ alarm: consuming Alarm) -> Alarm {
        guard clock.isTrusted, alarm.hasSingleDays else { return alarm }
        return alarm.forgettingDates(before: today(of: alarm).advanced(by: -Agenda.pastDays))
    }
}
