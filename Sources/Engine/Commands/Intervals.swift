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
        let (old, known, countsOn) = (ledger.alarms[alarm.id], savedInDoubt[alarm.id], countsOn(alarm))
        var doubt = Doubt(savedUptime: asking.uptime, countsOn: countsOn)
        if countsOn {
            // Whoever changes something else of it changes nothing of when it was made.
            doubt.madeSince = old.flatMap { $0.isDoubtful ? nil : $0.since }
            if let known { doubt = known }
        }
        doubt.begun = goesOn(alarm) == nil ? (clock.uptime, clock.instant) : known?.begun
        return doubt
    }

    /// The day from which the intervals of an alarm count that is saved now; nothing where there are none, or it says so itself.
    private func begins(savedNow alarm: Alarm, among settings: Settings) -> Beginning? {
        guard alarm.start == nil, alarm.recurrence?.countsFromStart == true else { return nil }
        let today = today(of: alarm, among: settings)
        guard let old = goesOn(alarm) else { return Beginning(today, isDoubtful: !clock.isTrusted) }
        // Before that was kept, it was the day on which it was saved.
        let begins =
            old.begins
            ?? Beginning(
                zones.zone(of: old.alarm, ledger.settings).local(old.since).date, isDoubtful: old.isDoubtful)
        // By a clock that is behind it would be silent until then. In another zone it may be the day before.
        return begins.day > today.advanced(by: 1) ? Beginning(today, isDoubtful: begins.isDoubtful) : begins
    }

    /// The alarm as it is, if its intervals go on when it is saved like this: whoever changes something else of it wants it on the
    /// same days as before. Whoever takes back the day that they count from does not; and what rings a few times begins anew,
    /// where nobody knows when it began.
    private func goesOn(_ alarm: Alarm) -> KeptAlarm? {
        guard let old = ledger.alarms[alarm.id], let recurrence = alarm.recurrence,
            recurrence == old.alarm.recurrence, alarm.start != nil || old.alarm.start == nil
        else { return nil }
        if case .count = recurrence.end, old.begins?.isDoubtful == true, savedInDoubt[old.alarm.id]?.begun == nil {
            return nil
        }
        return old
    }

    /// The day from which the intervals of an alarm count by the clock as it is now; nothing where there are none.
    func begins(_ kept: KeptAlarm, _ doubt: Doubt) -> CivilDate? {
        guard let begins = kept.begins?.day, let begun = doubt.begun else { return kept.begins?.day }
        return moved(begins, of: kept, from: begun.instant, to: instant(atUptime: begun.uptime))
    }

    /// What an alarm was saved at turns out to be another time. The day from which its intervals count goes with that, if it was
    /// that day, or would be to come; an earlier one is none of that clock's.
    mutating func moveBeginning(of kept: KeptAlarm, from old: Instant, to new: Instant) {
        guard let begins = kept.begins?.day, let kept = ledger.alarms[kept.alarm.id] else { return }
        let zone = zones.zone(of: kept.alarm, ledger.settings)
        guard begins == zone.local(old).date || begins > zone.local(new).date else { return }
        begin(kept, on: moved(begins, of: kept, from: old, to: new))
    }

    /// The same for an alarm that was being saved while the clock was set.
    mutating func moveBeginning(of fact: Fact, unlessIn doubts: [Alarm.ID: Doubt]) {
        guard case .alarmSaved(let alarm, let since, _, let savedAt?, _) = fact, doubts[alarm.id] == nil,
            let kept = ledger.alarms[alarm.id], kept.since == since
        else { return }
        moveBeginning(of: kept, from: savedAt, to: since)
    }

    /// A day that goes with a time: what is a second more or less is how that was rounded.
    private func moved(_ day: CivilDate, of kept: KeptAlarm, from old: Instant, to new: Instant) -> CivilDate {
        guard abs(new.seconds(since: old)) > 1 else { return day }
        let zone = zones.zone(of: kept.alarm, ledger.settings)
        return day.advanced(by: zone.local(new).date.dayNumber - zone.local(old).date.dayNumber)
    }

    /// A day that is to come was that of a clock that was wrong, whatever became of it: the alarm would be silent until then. In
    /// another zone it may be tomorrow.
    mutating func mendBeginning(of id: Alarm.ID) {
        guard let kept = ledger.alarms[id], let begins = kept.begins else { return }
        let today = today(of: kept.alarm)
        if begins.day > today.advanced(by: 1) { begin(kept, on: today) }
    }

    mutating func mendBeginnings() {
        for kept in ledger.alarms.all where kept.begins != nil { mendBeginning(of: kept.alarm.id) }
    }

    private mutating func begin(_ kept: KeptAlarm, on day: CivilDate) {
        guard day != kept.begins?.day, !outbox.saves(kept) else { return }
        note(.alarmStarts(kept.alarm.id, version: kept.since, day))
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
