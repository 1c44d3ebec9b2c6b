// Which ring of each alarm is next.

import Alarms
import CivilTime

extension Engine {
    /// Further back than this nobody wants to know what was missed.
    static let missedSecondsMax = 31 * 86_400

    /// When an alarm rings, if nothing changes, or if nothing does but the calendars.
    func schedule(
        _ alarm: Alarm, since: Instant, begins: CivilDate?, calendars: [String: DayCalendar]? = nil
    ) -> Schedule {
        var schedule = plainSchedule(alarm, since: since, begins: begins, calendars: calendars)
        // What has rung to its end by a clock that was ahead, before it was saved like this, is not its next time.
        while let rung = rungTime(of: alarm, schedule), ledger.session(Occurrence(alarm: alarm.id, at: rung)) == nil {
            schedule = plainSchedule(alarm, since: rung, begins: begins, calendars: calendars)
        }
        return schedule
    }

    /// The same, whatever has rung.
    private func plainSchedule(
        _ alarm: Alarm, since: Instant, begins: CivilDate? = nil, calendars: [String: DayCalendar]? = nil
    ) -> Schedule {
        Schedule(
            alarm, in: zones.zone(of: alarm, ledger.settings),
            calendar: alarm.calendarName.flatMap { (calendars ?? ledger.calendars)[$0] }, since: since, begins: begins)
    }

    /// The next time of an alarm, where it has rung then already.
    private func rungTime(of alarm: Alarm, _ schedule: Schedule) -> Instant? {
        guard alarm.hasNextTime, let only = schedule.onlyRing, !only.isLeftOut,
            ledger.alarms.handled(alarm.id).hasRung(only.at)
        else { return nil }
        return only.at
    }

    /// Whether an alarm has rung at its next time while it was being saved: that was it.
    func hasRungMeanwhile(_ alarm: Alarm, savedAt since: Instant) -> Bool {
        rungTime(of: alarm, plainSchedule(alarm, since: since)).map { $0 <= clock.instant } ?? false
    }

    /// When an alarm rings that is kept; by other calendars, if they come to count now.
    func schedule(_ kept: KeptAlarm, calendars: [String: DayCalendar]? = nil) -> Schedule {
        var (alarm, since) = (kept.alarm, kept.since)
        let changed = calendars == nil ? otherDaysSince(for: alarm) : clock.instant
        // Whatever day and time that would be now, its base is over.
        if kept.isBaseOver(where: changed) { (alarm.time, alarm.date) = (nil, nil) }
        // The next time is among those that count now: a calendar that changes, or a switch that is off over the one time, must
        // not leave an alarm without any.
        if alarm.hasNextTime { since = max(since, changed) }
        // Nor must a zone in which it was over when it came to be: it is late there, or the next time is another day's.
        if alarm.hasNextTime { since = max(since, kept.moved?.instant ?? .earliest, sinceMove(kept) ?? .earliest) }
        // What was saved by a clock that was far ahead is as if it had been saved now.
        return schedule(alarm, since: min(since, clock.instant), begins: kept.begins?.day, calendars: calendars)
    }

    /// Since when the next time of an alarm counts by a move alone. Of what leaves something out, that would not be known.
    func sinceMove(_ kept: KeptAlarm) -> Instant? {
        guard kept.alarm.hasNextTime, kept.alarm.leavesNothingOut, kept.passed == nil else { return nil }
        return zoneSince(of: kept.alarm)?.advanced(by: -kept.alarm.lateWindowSeconds)
    }

    /// Since when the days count that an alarm goes by.
    private func otherDaysSince(for alarm: Alarm) -> Instant {
        max(ledger.enabledSince.instant, calendarSince(of: alarm) ?? .earliest)
    }

    /// Whether the base of an alarm is over, which other days that came to count do not bring back.
    func isBaseOver(of kept: KeptAlarm) -> Bool { kept.isBaseOver(where: otherDaysSince(for: kept.alarm)) }

    /// The alarms whose base was to ring the next time, and that time is over: its owner had left it out, something else took its
    /// place, or it was missed. What other days count from now on does not bring it back. One that is off is set anew by whatever
    /// switches it on.
    func basesOver(among alarms: [KeptAlarm]) -> [Fact] {
        alarms.filter(\.alarm.isEnabled).compactMap { kept in
            switch baseEnd(of: kept) {
            case kept.baseEnd: nil
            case .passed(let instant): .baseOver(kept.alarm.id, at: instant)
            case .rung, nil: .baseOver(kept.alarm.id, at: nil)
            }
        }
    }

    /// How the base of an alarm is over where other days come to count now. What was over by a clock that was wrong may not be.
    func baseEnd(of kept: KeptAlarm) -> BaseEnd? {
        guard kept.alarm.hasNextTime, !isBaseOver(of: kept) else { return kept.baseEnd }
        guard let only = schedule(kept).onlyRing, only.at <= clock.instant,
            only.isLeftOut || only.at <= kept.passed ?? .earliest
                || ledger.alarms.handled(kept.alarm.id).contains(only.at)
        else { return nil }
        return .passed(only.at)
    }

    /// When the calendar that an alarm goes by was last changed.
    func calendarSince(of alarm: Alarm) -> Instant? {
        alarm.calendarName.flatMap { ledger.calendarsSince[$0]?.instant }
    }

    /// Looks at all alarms anew: whatever they depend on has changed.
    mutating func planAll() {
        (due, locks) = (DueList(), DueList())
        locksNotedUntil = nil
        for kept in ledger.alarms.all { plan(kept) }
        // One that waits for a ring to be over waits still.
        if preflightAt.map({ $0 > clock.instant }) ?? true { planPreflight(after: clock.instant) }
        outbox.isStatusStale = true
    }

    /// Looks at one alarm anew.
    mutating func plan(_ id: Alarm.ID) {
        if let kept = ledger.alarms[id] {
            plan(kept)
        } else {
            due.plan(id, nil, place: 0)
            locks.plan(id, nil, place: 0)
        }
        outbox.isStatusStale = true
    }

    private mutating func plan(_ kept: KeptAlarm) {
        plan(kept, after: startOfLooking(at: kept))
    }

    /// Plans the first ring after an instant that has not had its turn.
    mutating func plan(_ kept: KeptAlarm, after instant: Instant) {
        guard kept.alarm.isEnabled, ledger.settings.isEnabled else {
            due.plan(kept.alarm.id, nil, place: kept.place)
            return planLock(kept, nil)
        }
        let ring = ring(of: kept, after: instant)
        due.plan(kept.alarm.id, ring, place: kept.place)
        planLock(kept, ring)
    }

    /// The first ring after an instant that has not had its turn.
    func ring(of kept: KeptAlarm, after instant: Instant) -> PlannedRing? {
        schedule(kept).first(after: instant, but: ledger.alarms.handled(kept.alarm.id))
    }

    /// From when on an alarm's rings count that have not had their turn: since it is there as it is, and so is everything
    /// that it depends on.
    func startOfLooking(at kept: KeptAlarm) -> Instant {
        let now = clock.instant
        var start = max(kept.looksFrom, ledger.enabledSince.instant)
        if let changed = calendarSince(of: kept.alarm) { start = max(start, changed) }
        if let moved = zoneSince(of: kept.alarm) {
            // In another zone its time may be just over: that is late, and no reason not to ring.
            start = max(start, moved.advanced(by: -kept.alarm.lateWindowSeconds))
        }
        // Further back nobody remembers what has rung.
        if let since = ledger.past.remembersSince, since < now { start = max(start, since) }
        // A clock that was set back must not keep an alarm from ringing until it shows that time again.
        if start > now { start = now.advanced(by: -1) }
        // What rings but once is told of however old it is, and switched off. A roster may have hundreds of days: what became
        // of the first of them nobody remembers.
        return kept.alarm.isForFewDays && kept.alarm.dates.isEmpty
            ? start : max(start, now.advanced(by: -Engine.missedSecondsMax))
    }

    /// When the zone that an alarm is read in came to be another, or to have other rules.
    private func zoneSince(of alarm: Alarm) -> Instant? {
        let rules = (alarm.zoneName ?? ledger.settings.zoneName).flatMap { ledger.rulesSince[$0]?.instant }
        return alarm.zoneName == nil ? max(ledger.zoneSince, rules ?? .earliest) : rules
    }
}

extension Schedule {
    /// The first ring after an instant that has not had its turn.
    func first(after instant: Instant, but handled: HandledRings) -> PlannedRing? {
        var ring = next(after: instant)
        while let found = ring, handled.contains(found.occurrence.at) { ring = next(after: found.occurrence.at) }
        return ring
    }
}

extension Alarm {
    /// Whether it rings on the days that it names and no others.
    var isForFewDays: Bool { recurrence == nil && weekly.values.allSatisfy { $0 == .off } }

    /// Whether its base rings the next time that the clock shows its time.
    var hasNextTime: Bool { recurrence == nil && date == nil && time != nil }

    /// Whether that is all that it does, but for days that it names.
    var isForNextTime: Bool { isForFewDays && hasNextTime }

    /// Whether nothing takes the place of a ring of its base, and none is left out, but on weekdays that its next time passes
    /// over.
    var leavesNothingOut: Bool { isForFewDays && dates.isEmpty && skipped.isEmpty && paused.isEmpty }

    /// Whether its owner has named days that can be over.
    var namesItsDays: Bool { date != nil || !dates.isEmpty && !isForNextTime }
}
