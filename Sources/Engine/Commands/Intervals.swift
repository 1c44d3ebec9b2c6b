// From which day the intervals of an alarm count that does not say so itself.

import Alarms
import CivilTime

extension Engine {
    /// From now on it rings.
    func saving(_ alarm: Alarm, among settings: Settings) -> Fact {
        .alarmSaved(
            alarm, since: clock.instant, isDoubtful: !clock.isTrusted, begins: begins(savedNow: alarm, among: settings))
    }

    /// When an alarm would ring if it were saved now.
    func scheduleIfSaved(_ alarm: Alarm, calendars: [String: DayCalendar]? = nil) -> Schedule {
        schedule(
            alarm, since: clock.instant, begins: begins(savedNow: alarm, among: ledger.settings)?.day,
            calendars: calendars)
    }

    /// What is not known for sure of an alarm that is saved now.
    func doubt(about alarm: Alarm, _ asking: Asking) -> Doubt {
        let countsOn = countsOn(alarm)
        var doubt = Doubt(savedUptime: asking.uptime, begunUptime: asking.uptime, countsOn: countsOn)
        if countsOn, let old = ledger.alarms[alarm.id] {
            // Whoever changes something else of it changes nothing of when it was made.
            if let known = savedInDoubt[alarm.id] {
                doubt = known
            } else {
                doubt.madeSince = old.isDoubtful ? nil : old.since
            }
        }
        doubt.begunUptime = goesOn(alarm) == nil ? asking.uptime : savedInDoubt[alarm.id]?.begunUptime
        return doubt
    }

    /// The day from which the intervals of an alarm count that is saved now; nothing where there are none, or it says so itself.
    private func begins(savedNow alarm: Alarm, among settings: Settings) -> Beginning? {
        guard alarm.start == nil, alarm.recurrence?.countsFromStart == true else { return nil }
        let today = today(of: alarm, among: settings)
        guard let begins = goesOn(alarm)?.begins else { return Beginning(today, isDoubtful: !clock.isTrusted) }
        // By a clock that is behind it would be silent until then. In another zone it may be the day before a day that is sure.
        return begins.isDoubtful ? Beginning(min(begins.day, today), isDoubtful: true) : begins
    }

    /// The alarm as it is, if its intervals go on when it is saved like this: whoever changes something else of it wants it on the
    /// same days as before. What rings a few times begins anew, where nobody knows when it began.
    private func goesOn(_ alarm: Alarm) -> KeptAlarm? {
        guard let old = ledger.alarms[alarm.id], let recurrence = alarm.recurrence,
            recurrence == old.alarm.recurrence
        else { return nil }
        if case .count = recurrence.end, old.begins?.isDoubtful == true, savedInDoubt[old.alarm.id]?.begunUptime == nil
        {
            return nil
        }
        return old
    }

    /// The day from which the intervals of an alarm count by the clock as it is now; nothing where there are none.
    func begins(_ kept: KeptAlarm, _ doubt: Doubt) -> CivilDate? {
        guard let begins = kept.begins else { return nil }
        guard let uptime = doubt.begunUptime else {
            return begins.isDoubtful ? min(begins.day, today(of: kept.alarm)) : begins.day
        }
        let zone = zones.zone(of: kept.alarm, ledger.settings)
        return min(zone.local(instant(atUptime: uptime)).date, today(of: kept.alarm))
    }

    /// What an alarm was saved at turns out to be another time: the day from which its intervals count goes with that.
    mutating func moveBeginning(of kept: KeptAlarm, from old: Instant, to new: Instant) {
        guard let begins = kept.begins?.day, !outbox.saves(kept.alarm.id) else { return }
        let zone = zones.zone(of: kept.alarm, ledger.settings)
        let day = begins.advanced(by: zone.local(new).date.dayNumber - zone.local(old).date.dayNumber)
        guard day != begins, let version = ledger.alarms[kept.alarm.id]?.since else { return }
        note(.alarmStarts(kept.alarm.id, version: version, day))
    }
}

extension KeptAlarm {
    /// As its owner is shown it: with the day from which its intervals count. By a clock that nobody trusted nobody knows that.
    var shown: Alarm {
        guard alarm.start == nil, let begins, !begins.isDoubtful else { return alarm }
        var shown = alarm
        shown.start = begins.day
        return shown
    }
}
