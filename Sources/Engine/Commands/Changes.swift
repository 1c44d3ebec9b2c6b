// Changes to what the owner keeps: alarms, settings, calendars.

import Alarms
import CivilTime

extension Engine {
    /// More alarms than this are no household's and no hostel's.
    static let alarmsMax = AlarmsFile.alarmsMax
    static let calendarsMax = 1000

    /// What would be true if the command were carried out, and what its sender is answered then; no facts where it is so
    /// already.
    func change(
        _ command: Command, meaning meant: Occurrence? = nil
    ) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        switch command {
        case .save(let alarm): return try save(startingAsBefore(alarm))
        case .edit(let id, let changes):
            let (alarm, misread) = try edited(id, changes)
            let (facts, outcome) = try save(alarm)
            return (facts, outcome.warning(of: misread))
        case .delete(let id):
            let kept = try existing(id)
            try refuseIfLocked(kept, becomes: nil)
            return ([.alarmDeleted(id)], .done)
        case .enable(let id, let isEnabled):
            let kept = try existing(id)
            var alarm = kept.alarm
            // An alarm that rings once is set anew by switching it on again, but only if it was off. What is off by what a
            // clock says that may be wrong is off for good when its owner says so.
            let isOffByMistake = !isEnabled && ledger.past.isMissed(id, version: kept.since)
            guard alarm.isEnabled != isEnabled || isOffByMistake else { return try saved(alarm, []) }
            alarm.isEnabled = isEnabled
            // Whatever has become of what it needs: it can be switched off.
            return try isEnabled ? save(alarm) : keep(alarm)
        case .skip(let id):
            let kept = try existing(id)
            var alarm = kept.alarm
            guard let next = due[id], next.occurrence == meant ?? next.occurrence else { return try saved(alarm, []) }
            alarm.skipped = alarm.skipped.inserting(next.date)
            try refuseDaysOff(of: alarm)
            return try change(kept, to: alarm)
        case .unskip(let id):
            let kept = try existing(id)
            var alarm = kept.alarm
            guard !alarm.skipped.isEmpty else { return try saved(alarm, []) }
            alarm.skipped = DateSet()
            return try change(kept, to: alarm)
        case .pause(let id, let dates):
            let kept = try existing(id)
            var alarm = kept.alarm
            guard alarm.paused != dates else { return try saved(alarm, []) }
            alarm.paused = dates
            try refuseDaysOff(of: alarm)
            return try change(kept, to: alarm)
        case .saveSettings(let settings): return try save(settings)
        case .configure(let changes): return try save(configured(changes))
        case .saveCalendar(let name, let calendar): return try save(calendar, name)
        case .restore(let file, let isBackup): return try restore(file, isBackup: isBackup)
        case .enrol(let code): return try enrol(code)
        case .forget(let label): return try forget(label)
        // What is done about sessions changes nothing of this.
        case .snooze, .stop, .unlock, .answer, .hold, .testRing, .preflight: return ([], .done)
        }
    }

    private func existing(_ id: Alarm.ID) throws(Refusal) -> KeptAlarm {
        guard let kept = ledger.alarms[id] else { throw .noSuchAlarm(id) }
        return kept
    }

    /// Refuses more days off than are kept. Nothing else of the alarm is judged: it may be skipped though it has become
    /// invalid.
    private func refuseDaysOff(of alarm: Alarm) throws(Refusal) {
        let problems = alarm.daysOffProblems
        guard problems.isEmpty else { throw .problems(problems) }
    }

    /// What alarms stand among.
    public var surroundings: Surroundings {
        var surroundings = Surroundings(zones: zones.catalogue)
        surroundings.calendars = Set(ledger.calendars.keys)
        surroundings.codes = Set(ledger.codes.filter { $0.kind == .qr }.map(\.label))
        surroundings.tags = Set(ledger.codes.filter { $0.kind == .tag }.map(\.label))
        surroundings.kinds = kinds
        return surroundings
    }

    private func save(_ wanted: Alarm) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        var alarm = wanted
        if let old = ledger.alarms[alarm.id]?.alarm, alarm.isForNextTime,
            [old.skipped, today(old).skipped].contains(alarm.skipped)
        {
            alarm.skipped = alarm.skippedStill(after: old)
        }
        var surroundings = surroundings
        let problems = alarm.problems(among: &surroundings)
        let mistakes = problems.filter { $0.weight == .refused || $0.weight == .unmet && alarm.isEnabled }
        guard mistakes.isEmpty else { throw .problems(mistakes) }
        if ledger.alarms[alarm.id] == nil, ledger.alarms.count >= Engine.alarmsMax { throw .tooMany("alarms") }
        return try keep(
            alarm,
            problems.map { problem in
                guard problem.weight == .unmet else { return problem }
                return Problem(problem.place, "\(problem.reason); the alarm stays off until that is mended", .warning)
            })
    }

    /// Keeps an alarm that was judged, or that is as it was judged once.
    private func keep(
        _ alarm: Alarm, _ problems: [Problem] = []
    ) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        let ready = ready(alarm)
        if let old = ledger.alarms[alarm.id] {
            if old.alarm == ready, ready.isEnabled {
                return try saved(ready, problems + loneCodes(ready) + heldSnooze(ready))
            }
            try refuseIfLocked(old, becomes: ready)
        }
        let next = next(of: ready)
        var warnings = problems + loneCodes(ready) + heldSnooze(ready)
        if next == nil, isOn(ready) {
            warnings.append(Problem("", "the alarm is on, but nothing of it is to ring", .warning))
        }
        return ([saving(ready, among: ledger.settings)] + planned(next), .saved(next: next, warnings: warnings))
    }

    /// That a snooze will not be as long as the alarm says.
    private func heldSnooze(_ alarm: Alarm) -> [Problem] {
        let (bounds, seconds) = (ledger.settings.snoozeBounds, alarm.snooze.seconds)
        guard !bounds.contains(seconds), alarm.snooze.max != 0, ledger.alarms[alarm.id]?.alarm.snooze != alarm.snooze
        else {
            return []
        }
        let held = min(max(seconds, bounds.lowerBound), bounds.upperBound)
        let range = "\(bounds.lowerBound) to \(bounds.upperBound) seconds"
        return [Problem("snooze.seconds", "this device snoozes for \(range), so it will be \(held)", .warning)]
    }

    /// Whether what is due by an alarm before it is saved like this counts still. While nobody knows the time, that may be
    /// something that no clock here has seen yet: whoever changes how it rings, or one that is locked, does not get rid of it.
    func countsOn(_ alarm: Alarm) -> Bool {
        guard !clock.isTrusted, let old = ledger.alarms[alarm.id], old.alarm.isEnabled, alarm.isEnabled else {
            return false
        }
        return isLocked(old)
            || alarm.hasTimes(of: old.alarm, since: today(of: alarm))
    }

    /// The day that it is where an alarm is.
    func today(of alarm: Alarm, among settings: Settings? = nil) -> CivilDate {
        zones.zone(of: alarm, settings ?? ledger.settings).local(clock.instant).date
    }

    /// Keeps an alarm of which other days are left out. It counts since it did: its one ring may be over, its intervals have
    /// their days, and whatever switched it off may have been a mistake.
    private func change(_ kept: KeptAlarm, to alarm: Alarm) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        // What it is by a move alone it stays, though nobody could tell that any more behind what is left out now.
        let since = sinceMove(kept).flatMap { $0 > kept.since ? $0 : nil }
        let (old, moved) = (
            since.map(kept.moved(since:)) ?? kept,
            since.map { [Fact.alarmMoved(alarm.id, version: kept.since, since: $0)] } ?? []
        )
        // A named day that is over tells still which day was not the one of a base that rings once.
        var changed = old.changed(to: alarm.isForNextTime ? alarm : ready(alarm))
        let next = isOn(changed.alarm) ? ring(of: changed, after: clock.instant) : nil
        // Where the one time was left out for which it was there, and is over, the alarm is set anew.
        if case .passed(let instant) = old.baseEnd, isBaseOver(of: old), alarm.isForNextTime, next == nil {
            let day = zones.zone(of: alarm, ledger.settings).local(instant).date
            if old.alarm.leavesOut(day), !alarm.leavesOut(day), alarm.dates[day] == nil { return try keep(alarm) }
        }
        // What was left out and is over stays so, though it is left out no longer.
        let start = startOfLooking(at: old)
        let first = ring(of: changed, after: start)
        if let first, first.occurrence.at <= clock.instant, first != ring(of: old, after: start) {
            // Where that was the only ring, the alarm is set anew.
            if next == nil, first.layer == .base, changed.alarm.isForNextTime { return try keep(alarm) }
            changed = changed.changed(to: changed.alarm, passed: clock.instant)
        }
        try refuseIfLocked(old, becomes: changed.alarm, isAnew: false)
        return (
            moved + [.alarmChanged(changed.alarm, passed: changed.passed)] + planned(next),
            .saved(next: next, warnings: [])
        )
    }

    private func isOn(_ alarm: Alarm) -> Bool { alarm.isEnabled && ledger.settings.isEnabled }

    private func planned(_ ring: PlannedRing?) -> [Fact] { ring.map { [.planned($0.occurrence, $0.layer)] } ?? [] }

    /// It is as it was wanted already.
    private func saved(_ alarm: Alarm, _ warnings: [Problem]) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        ([], .saved(next: due[alarm.id], warnings: warnings))
    }

    /// The alarm as it is kept where the settings are these: days that are over are forgotten, and the day that its intervals were
    /// shown to count from is not one that its owner has named.
    func ready(_ alarm: Alarm, among settings: Settings? = nil) -> Alarm {
        // Nothing is over by a clock that nobody trusts.
        var ready = clock.isTrusted ? alarm.forgettingDates(before: today(of: alarm, among: settings)) : alarm
        guard let old = ledger.alarms[alarm.id], old.alarm.recurrence == ready.recurrence else { return ready }
        if ready.start == old.shown.start, old.alarm.start == nil { ready.start = nil }
        return ready
    }

    /// An alarm that is sent as a whole: what it does not say of the day that its intervals count from is as it was. Only an edit
    /// takes that back.
    func startingAsBefore(_ wanted: Alarm) -> Alarm {
        guard wanted.start == nil, let old = ledger.alarms[wanted.id]?.alarm, old.recurrence == wanted.recurrence
        else { return wanted }
        var alarm = wanted
        alarm.start = old.start
        return alarm
    }

    /// What an alarm would ring next if it were saved now, and the calendars were these.
    func next(of alarm: Alarm, calendars: [String: DayCalendar]? = nil) -> PlannedRing? {
        guard isOn(alarm) else { return nil }
        return scheduleIfSaved(alarm, calendars: calendars).first(
            after: clock.instant, but: ledger.alarms.handled(alarm.id))
    }

    func save(_ settings: Settings) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        let old = ledger.settings
        guard settings != old else { return ([], .done) }
        guard settings.problems.isEmpty else { throw .problems(settings.problems) }
        if let name = settings.zoneName {
            var catalogue = zones.catalogue
            do { _ = try catalogue.zone(chosen: name) } catch { throw .problems([Problem("zone", "\(error)")]) }
        }
        let isEscape =
            !settings.isEnabled && old.isEnabled || settings.zoneName != old.zoneName
            || settings.lockSeconds < old.lockSeconds || settings.hasEmergencyExit && !old.hasEmergencyExit
            || settings.snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || settings.snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
        if isEscape, let locked = lockedAlarms.first { throw refusal(locked) }
        let isSwitchedOn = settings.isEnabled && !old.isEnabled
        let saved = Fact.settingsSaved(
            settings, since: isSwitchedOn ? clock.instant : ledger.enabledSince.instant,
            zoneSince: settings.zoneName == old.zoneName ? ledger.settingsZoneSince.instant : clock.instant)
        let over = isSwitchedOn ? basesOver(among: ledger.alarms.all) : []
        let moved = settings.zoneName == old.zoneName ? [] : counts(inZoneOf: settings)
        return (over + moved + [saved], .done)
    }

    /// From now on these days count for all that go by them.
    func saving(_ calendar: DayCalendar, _ name: String) -> [Fact] {
        let users = ledger.alarms.all.filter { $0.alarm.calendarName == name }
        return basesOver(among: users) + [.calendarSaved(name, calendar, since: clock.instant)]
    }

    private func save(
        _ calendar: DayCalendar?, _ name: String
    ) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        guard ledger.calendars[name] != calendar else { return ([], .done) }
        if let calendar, !calendar.problems.isEmpty { throw .problems(calendar.problems) }
        var calendars = ledger.calendars
        calendars[name] = calendar
        for kept in lockedAlarms where kept.alarm.calendarName == name {
            try refuseIfLocked(kept, goesBy: calendars)
        }
        guard let calendar else {
            let users = ledger.alarms.all.filter { $0.alarm.calendarName == name }
            guard users.isEmpty else {
                throw .problems(
                    users.prefix(5).map { user in
                        let label = user.alarm.label.isEmpty ? user.alarm.id : user.alarm.label
                        return Problem("", "\(label.quoted) goes by this calendar: give it other days first")
                    })
            }
            return ([.calendarDeleted(name)], .done)
        }
        if ledger.calendars[name] == nil, ledger.calendars.count >= Engine.calendarsMax { throw .tooMany("calendars") }
        return (saving(calendar, name), .done)
    }
}

extension Alarm {
    /// Whether its owner has left a day out.
    fileprivate func leavesOut(_ day: CivilDate) -> Bool { skipped.contains(day) || paused.contains(day) }

    /// Whether both are to ring at the same times of the same days from a day on, but for those that are left out.
    fileprivate func hasTimes(of other: Alarm, since today: CivilDate) -> Bool {
        hasRules(of: other) && start == other.start
            && forgettingDates(before: today).dates == other.forgettingDates(before: today).dates
    }

    /// Whether both are to ring at the same times, but on dates of their own.
    fileprivate func hasRules(of other: Alarm) -> Bool {
        time == other.time && date == other.date && recurrence == other.recurrence && zoneName == other.zoneName
            && calendarName == other.calendarName && weekly == other.weekly
    }

    /// What is skipped of one that rings once and was another before, where that was not said anew. What was skipped of its
    /// base was the one ring of then; that of a day with an entry of its own is so as long as that entry is.
    fileprivate func skippedStill(after old: Alarm) -> DateSet {
        let isSetAnew = !hasRules(of: old) || isEnabled && !old.isEnabled
        let named = Set(dates.keys).union(old.dates.keys)
        let still = isSetAnew ? DateSet(named.filter(skipped.contains).map { $0...$0 }) : skipped
        return named.filter { dates[$0] != old.dates[$0] }.reduce(still) { $0.removing($1) }
    }
}

extension Outcome {
    /// The same, with more that an alarm's owner should know of it.
    fileprivate func warning(of problems: [Problem]) -> Outcome {
        guard case .saved(let next, let others) = self else { return self }
        return .saved(next: next, warnings: problems + others)
    }
}

extension Recurrence {
    /// Whether it gives other days when it starts on another day.
    var countsFromStart: Bool {
        if case .count = end { return true }
        // A rule that names no day is for the day of its start: the 12th of each month, or each Monday.
        return interval > 1 || frequency != .daily && days.isEmpty && monthDays.isEmpty
    }
}
