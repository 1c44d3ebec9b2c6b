// What is too late to ring, and which alarm has no ring left.

import Alarms
import CivilTime

extension Agenda {
    /// A ring that is no later than this is on time.
    static let lateSecondsMin = 2

    /// The clock may have jumped over years: the last missed ring is searched for within so long of now, then within ever longer.
    private static let missedSecondsFirst = 31 * 86_400

    /// Up to then an alarm's rings are too old to ring.
    func tooOld(_ entry: AlarmEntry) -> Instant { clock.instant.advanced(by: -1 - entry.lateSecondsMax) }

    /// All rings of an alarm, from one that is too old to ring, that are too old as well: they are missed as one.
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

    /// Whether a one-time alarm has no ring left behind one. What its owner has left out may be wanted again.
    func isSpent(_ entry: AlarmEntry, after instant: Instant) -> Bool {
        guard entry.alarm.isOneTime else { return false }
        var (alarm, position) = (entry.alarm, entry.position)
        (alarm.skipped, alarm.paused) = (DateSet(), DateSet())
        position.pass(instant)
        return almanac.schedule(alarm, position.anchor).first(after: position.cursor, but: entry.rung) == nil
    }

    /// So long what an alarm says about days that are over is kept.
    private static let pastDays = 31

    /// An alarm as it is kept: without what it says about days that are long over. By a clock that is not trusted, nothing is.
    func ready(_ alarm: Alarm) -> Alarm {
        clock.isTrusted ? alarm.forgettingDates(before: today(of: alarm).advanced(by: -Agenda.pastDays)) : alarm
    }
}
