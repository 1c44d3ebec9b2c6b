// Which rings are too late to ring, and which alarm has no ring left.

import Alarms
import CivilTime

extension Agenda {
    /// A ring that is no later than this is on time.
    static let lateSecondsMin = 2

    /// The clock may have jumped over years: the last missed ring is searched for within so long before now, then longer.
    private static let missedSecondsFirst = 31 * 86_400

    /// Rings of an alarm up to this instant are too old to ring.
    func tooOld(_ entry: AlarmEntry) -> Instant { clock.instant.advanced(by: -1 - entry.lateSecondsMax) }

    /// Groups all rings of an alarm that are too old to ring, from `first` on: they are missed as one.
    func missed(_ entry: AlarmEntry, from first: Instant) -> MissedRings {
        let end = tooOld(entry)
        var (last, searched, seconds) = (first, end, Agenda.missedSecondsFirst)
        while last == first, searched > first {
            searched = max(first, end.advanced(by: -seconds))
            seconds *= 8
            var next = ring(of: entry, after: searched)
            while let ring = next, ring.occurrence.at <= end {
                last = ring.occurrence.at
                next = self.ring(of: entry, after: last)
            }
        }
        return missed(entry, from: first, until: last)
    }

    func missed(_ entry: AlarmEntry, from first: Instant, until last: Instant) -> MissedRings {
        MissedRings(
            occurrence: Occurrence(alarm: entry.id, at: last), first: first, label: entry.alarm.label,
            lateWindowSeconds: entry.alarm.lateWindowSeconds, revision: entry.position.revision,
            switchesOff: isSpent(entry, after: last))
    }

    /// Whether a one-time alarm has no ring left after an instant. Skipped and paused days count: they may come back.
    func isSpent(_ entry: AlarmEntry, after instant: Instant) -> Bool {
        guard entry.alarm.isOneTime else { return false }
        var (alarm, position) = (entry.alarm, entry.position)
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        position.pass(instant)
        return planningContext.schedule(alarm, position.anchor).first(after: position.cursor, but: entry.rung) == nil
    }

    /// For so many days an alarm's dates in the past are kept.
    private static let pastDays = 31

    /// An alarm as it is stored: without its dates that are long past. While the clock is not trusted, all are kept.
    func pruned(_ alarm: consuming Alarm) -> Alarm {
        guard clock.isTrusted, alarm.hasSingleDays else { return alarm }
        return alarm.forgettingDates(before: today(of: alarm).advanced(by: -Agenda.pastDays))
    }
}
