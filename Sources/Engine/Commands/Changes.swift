// The owner's changes of alarms, settings and calendars. Each command becomes facts or a refusal.

import Agenda
import Alarms
import CivilTime
import Text

extension Engine {
    /// The bounds on alarms and calendars, larger than any household or hostel needs.
    package static let alarmsMax = AlarmsFile.alarmsMax
    package static let calendarsMax = 1000

    /// The facts of a command, and the outcome for its sender. Without a change there are no facts.
    typealias Decision = (facts: [Fact], outcome: Outcome)

    func change(_ command: Command, _ context: CommandContext) throws(Refusal) -> Decision {
        let asked = agenda.instant(atUptime: context.uptime)
        try refuseIfChanged(command, since: context.request?.ifRevision)
        switch command {
        case .add(let alarm):
            guard agenda.alarms[alarm.id] == nil else { throw .problems([Problem("id", "is the id of another alarm")]) }
            return try save(alarm, at: asked)
        case .save(let alarm): return try save(alarm, at: asked)
        case .edit(let id, let patch): return try edit(id, patch, at: asked)
        case .delete(let id):
            let entry = try existing(id)
            try refuseIfLocked(entry, becomes: nil)
            return ([.alarmDeleted(id, label: entry.alarm.label)], .done)
        case .enable(let id, let isEnabled):
            let entry = try existing(id)
            var alarm = entry.alarm
            alarm.isEnabled = isEnabled
            // An alarm can be switched off even if a code or device that it needs is missing.
            if isEnabled, !entry.alarm.isEnabled { return try save(alarm, at: asked) }
            return try store(alarm, at: asked, isOffForGood: !isEnabled)
        case .skip(let id, let date): return try skip(existing(id), on: date, context)
        case .unskip(let id):
            var alarm = try existing(id).alarm
            alarm.skipped = DateSet()
            return try store(alarm, at: asked)
        case .pause(let id, let dates):
            var alarm = try existing(id).alarm
            alarm.paused = dates
            if let last = dates.runs.last?.upperBound { try refuseIfOver(last, of: alarm, "dates") }
            // Only the days are validated: the owner may pause or skip an alarm whose other fields have
            // become invalid.
            try refuse(alarm.daysOffProblems)
            return try store(alarm, at: asked)
        case .postpone(let id, let length): return try postpone(existing(id), by: length, context)
        case .done(let id): return try done(existing(id), context)
        case .saveSettings(let settings): return try save(settings)
        case .configure(let patch):
            try refuse(patch.problems.refused)
            let settings = patch.applied(to: agenda.settings)
            try refuse(reversal(of: settings.snooze))
            return try save(settings, refusing: [.refused, .unmet])
        case .saveCalendar(let name, let calendar): return try save(calendar, name)
        case .restore(let file, let isBackup): return try restore(file, isBackup: isBackup, at: asked)
        case .enrol(let code): return try enrol(code)
        case .forget(let label): return try forget(label)
        case .keepCodeKey: return (firstCodeKey, .done)
        case .client(let command): return try change(command)
        // These commands change no alarm.
        case .snooze, .stop, .awake, .unlock, .answer, .hold, .testRing, .preflight, .inBed, .scan, .cancelScan,
            .clearHistory:
            return ([], .done)
        }
    }

    /// Skips one date, by default that of the next planned ring. A date that is already skipped counts as
    /// planned, so that a repeated command does not skip a second date.
    private func skip(_ entry: AlarmEntry, on named: CivilDate?, _ context: CommandContext) throws(Refusal) -> Decision
    {
        var alarm = entry.alarm
        let skipped = alarm.skipped
        alarm.skipped = DateSet()
        let schedule = agenda.planningContext.schedule(alarm, entry.position.anchor)
        let next = schedule.first(after: max(entry.position.cursor, clock.instant), but: entry.rung)
        if let ring = context.request?.ifRing, ring != next?.occurrence {
            throw .problems([Problem("ifRing", "is no longer the next ring of this alarm")])
        }
        guard let date = named ?? next?.date, alarm.isEnabled else {
            throw .problems([Problem("", "the alarm has no ring to skip")])
        }
        try refuseIfOver(date, of: alarm, "date")
        alarm.skipped = skipped.inserting(date)
        try refuse(alarm.daysOffProblems)
        let stored = try store(alarm, at: agenda.instant(atUptime: context.uptime))
        guard case .saved(let saved, _) = stored.outcome else { return stored }
        return (stored.facts, .skipped(saved, date))
    }

    /// Refuses a date in the past. While the clock is not trusted, every date is accepted.
    private func refuseIfOver(_ date: CivilDate, of alarm: Alarm, _ path: String) throws(Refusal) {
        guard clock.isTrusted, date < agenda.today(of: alarm) else { return }
        throw .problems([Problem(path, "\(date) is over")])
    }

    /// Refuses a change if its sender has seen a revision other than the present one.
    private func refuseIfChanged(_ command: Command, since revision: String?) throws(Refusal) {
        guard let revision else { return }
        let present: String? =
            switch command {
            case .save(let alarm): self.revision(ofAlarm: alarm.id)
            case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id, _), .unskip(let id),
                .pause(let id, _), .postpone(let id, _), .done(let id):
                self.revision(ofAlarm: id)
            case .configure, .saveSettings: agenda.settings.revision
            case .saveCalendar(let name, _): agenda.calendars[name]?.revision
            default: revision
            }
        if present != revision { throw .changedMeanwhile(revision: present) }
    }

    /// Returns the reply that the command would get now, and changes nothing.
    package func validate(_ command: Command, _ request: RequestHeader) -> Reply {
        do throws(Refusal) {
            return .done(try change(command, context(request.origin, request)).outcome)
        } catch {
            return .refused(error)
        }
    }

    private func existing(_ id: Alarm.ID) throws(Refusal) -> AlarmEntry {
        guard let entry = agenda.alarms[id] else { throw .noSuchAlarm(id) }
        return entry
    }

    func refuse(_ problems: [Problem]) throws(Refusal) {
        guard problems.isEmpty else { throw .problems(problems) }
    }

    /// The calendars, codes, zones and hardware that an alarm may refer to.
    package var validationContext: ValidationContext {
        var validationContext = ValidationContext(zones: agenda.zones.catalogue)
        validationContext.calendars = Set(agenda.calendars.keys)
        validationContext.codes = Set(agenda.codes.filter { $0.kind == .qr }.map(\.label))
        validationContext.tags = Set(agenda.codes.filter { $0.kind == .tag }.map(\.label))
        validationContext.kinds = challengeState.kinds
        validationContext.hasShaker = challengeState.hasShaker
        validationContext.hasSunrise = challengeState.hasSunrise
        return validationContext
    }

    /// Validates an alarm and stores it.
    private func save(_ alarm: Alarm, at asked: Instant) throws(Refusal) -> Decision {
        var validationContext = validationContext
        let problems = alarm.problems(among: &validationContext)
        try refuse(problems.filter { $0.weight == .refused || $0.weight == .unmet && alarm.isEnabled })
        if agenda.alarms[alarm.id] == nil, agenda.alarms.count >= Engine.alarmsMax {
            throw .tooMany("alarms", max: Engine.alarmsMax)
        }
        let shown = problems.map { problem in
            guard problem.weight == .unmet else { return problem }
            return Problem(.staysOff, problem.path, "\(problem.reason), so the alarm stays off")
        }
        return try store(alarm, at: asked, shown)
    }

    /// Stores an alarm whose changed fields are valid.
    private func store(
        _ wanted: Alarm, at asked: Instant, _ problems: [Problem] = [], isOffForGood: Bool = false
    ) throws(Refusal) -> Decision {
        let alarm = agenda.pruned(wanted)
        let warnings = problems + labelWarnings(alarm)
        var position = agenda.position(
            saving: alarm, at: asked, revision: agenda.alarms.newestRevision + 1, in: agenda.planningContext)
        if let old = agenda.alarms[alarm.id] {
            // A missed one-time ring has switched the alarm off. If the owner also switches it off, it
            // stays off even if a clock step takes back the miss.
            if isOffForGood, sessions.past.isMissed(alarm.id, revision: old.position.revision) {
                position.revision = agenda.alarms.newestRevision + 1
            }
            if old.alarm == alarm, position.revision == old.position.revision {
                return ([], saved(alarm, position, next: agenda.due[alarm.id], warnings))
            }
            try refuseIfLocked(old, becomes: alarm, position)
        }
        let next = next(of: alarm, position)
        if let date = alarm.date, next == nil, position.revision != agenda.alarms[alarm.id]?.position.revision,
            alarm.isEnabled, clock.isTrusted, position.anchor.map({ $0.at <= asked }) ?? false
        {
            throw .problems([Problem("date", "\(alarm.time.map { "\($0) on " } ?? "")\(date) has passed")])
        }
        let planned = next.map { [Fact.planned($0.occurrence, $0.layer)] } ?? []
        return (
            [.alarmSaved(alarm.withoutAnchor, position)] + planned,
            saved(alarm.withoutAnchor, position, next: next, warnings)
        )
    }

    /// Returns the outcome of a save: the alarm with its next two rings, and the warnings about it.
    private func saved(
        _ alarm: Alarm, _ position: ScheduleState, next: PlannedRing?, _ problems: [Problem]
    ) -> Outcome {
        let schedule = agenda.planningContext.schedule(alarm, position.anchor)
        let following = next.flatMap {
            schedule.first(after: $0.occurrence.at, but: agenda.alarms[alarm.id]?.rung ?? [])
        }
        let warnings = warnings(saving: alarm, position, next: next, in: agenda.planningContext)
        return .saved(
            SavedAlarm(alarm.showingAnchor(of: position), next: next, following: following),
            warnings: problems + warnings + (alarm.isEnabled ? speakerWarnings : []))
    }

    /// Returns a warning if the settings will shorten or lengthen the alarm's snooze.
    func snoozeClampWarnings(_ alarm: Alarm) -> [Problem] {
        let (bounds, seconds) = (agenda.settings.snoozeBounds, alarm.snooze.seconds)
        guard !bounds.contains(seconds), alarm.snooze.max != 0, agenda.alarms[alarm.id]?.alarm.snooze != alarm.snooze
        else { return [] }
        let held = min(max(seconds, bounds.lowerBound), bounds.upperBound)
        let range = "\(bounds.lowerBound) to \(bounds.upperBound) seconds"
        return [
            Problem(.snoozeLimited, "snooze.seconds", "this device snoozes for \(range), so a snooze lasts \(held)")
        ]
    }

    /// Returns the next ring that an alarm would have if it were saved with this position.
    private func next(of alarm: Alarm, _ position: ScheduleState) -> PlannedRing? {
        guard alarm.isEnabled, agenda.settings.isEnabled else { return nil }
        let old = agenda.alarms[alarm.id]
        let isSame = old?.position.revision == position.revision
        let rings = AlarmRings(
            agenda.planningContext.schedule(alarm, position.anchor),
            rung: (isSame ? old?.rung : old?.rungForNewSchedule) ?? [], isSame ? old?.postponed : nil)
        return rings.first(after: max(position.cursor, clock.instant))
    }

    /// Saves the settings. New defaults of the house are validated like an alarm. Codes may be missing if
    /// `weights` says so: a backup brings its own.
    func save(_ settings: Settings, refusing weights: Set<Problem.Weight> = [.refused]) throws(Refusal) -> Decision {
        let old = agenda.settings
        guard settings != old else { return ([], .configured(settings)) }
        try refuse(settings.memberProblems)
        var (validationContext, problems) = (validationContext, [Problem]())
        if settings.defaults != old.defaults { problems = settings.defaults.problems(among: &validationContext) }
        try refuse(problems.filter { weights.contains($0.weight) })
        if let name = settings.zoneName {
            var catalogue = agenda.zones.catalogue
            do { _ = try catalogue.zone(chosen: name) } catch { throw .problems([Problem("zone", "\(error)")]) }
        }
        if let escape = settings.escape(from: old), let locked = lockedAlarms.first { throw refusal(locked, escape) }
        let warnings = problems.filter { $0.weight == .warning }
        return ([.settingsSaved(settings)] + moves(by: settings), .configured(settings, warnings: warnings))
    }

    /// Returns the problem of a change that makes the shortest snooze longer than the longest. A file may
    /// have them in either order.
    private func reversal(of new: SnoozeLimits) -> [Problem] {
        let old = agenda.settings.snooze
        guard new.minSeconds > new.maxSeconds, new != old else { return [] }
        let (least, most) = (new.minSeconds, new.maxSeconds)
        return least == old.minSeconds
            ? [Problem("snooze.max", "must be at least snooze.min, \(least) seconds, not \(most)")]
            : [Problem("snooze.min", "must be at most snooze.max, \(most) seconds, not \(least)")]
    }

    /// Returns the moves of schedules if new settings switch all alarms on, or change the device's zone.
    private func moves(by settings: Settings) -> [Fact] {
        var new = agenda.planningContext
        new.settings = settings
        if settings.isEnabled, !agenda.settings.isEnabled {
            return agenda.moves(passingNow: agenda.alarms.all, in: new).map(\.fact)
        }
        guard agenda.zones.device(settings) != agenda.zones.device(agenda.settings) else { return [] }
        let entries = agenda.alarms.all.filter { $0.alarm.zoneName == nil }
        return agenda.moves(changingZone: entries, before: agenda.planningContext, in: new).map(\.fact)
    }

    /// Returns the facts that save calendars and move the schedules of alarms that use them.
    func saving(_ changed: [String: DayCalendar], in planningContext: PlanningContext) -> [Fact] {
        let users = agenda.alarms.all.filter { $0.alarm.calendarName.map { changed[$0] != nil } ?? false }
        return changed.sorted { $0.key < $1.key }.map { .calendarSaved($0.key, $0.value) }
            + agenda.moves(passingNow: users, in: planningContext).map(\.fact)
    }

    private func save(_ calendar: DayCalendar?, _ name: String) throws(Refusal) -> Decision {
        guard agenda.calendars[name] != calendar else { return ([], .calendarSaved(calendar)) }
        try refuse(calendar?.memberProblems ?? [])
        var new = agenda.planningContext
        new.calendars[name] = calendar
        for entry in lockedAlarms where entry.alarm.calendarName == name { try refuseIfLocked(entry, in: new) }
        guard let calendar else {
            let users = agenda.alarms.all.map(\.alarm).filter { $0.calendarName == name }
            try refuse(
                users.prefix(5).map { user in
                    let label = user.label.isEmpty ? user.id : user.label
                    return Problem("", "the alarm \(label.quoted) uses this calendar: give it other days first")
                })
            return ([.calendarDeleted(name)], .calendarSaved(nil))
        }
        if agenda.calendars[name] == nil, agenda.calendars.count >= Engine.calendarsMax {
            throw .tooMany("calendars", max: Engine.calendarsMax)
        }
        let warnings = warnings(saving: name, in: new)
        return (saving([name: calendar], in: new), .calendarSaved(calendar, warnings: warnings))
    }

    /// Applies a patch to the present alarm, so that two clients that edit the alarm at once keep each
    /// other's changes.
    private func edit(_ id: Alarm.ID, _ patch: AlarmPatch, at asked: Instant) throws(Refusal) -> Decision {
        let alarm = try patch.applied(to: agenda.pruned(existing(id).alarm))
        guard !patch.problems.areHarmless else { return try save(alarm, at: asked) }
        // The refusal lists all other problems of the alarm as well.
        var validationContext = validationContext
        let problems = patch.problems + alarm.problems(among: &validationContext, besides: patch.problems)
        throw .problems(problems.filter { $0.weight != .warning })
    }
}

extension Settings {
    /// Names a change from older settings by which the owner could escape a locked alarm; nil if there is
    /// none.
    fileprivate func escape(from old: Settings) -> String? {
        if !isEnabled, old.isEnabled { return "the alarms cannot all be switched off" }
        if zoneName != old.zoneName { return "the time zone cannot be changed" }
        if lockSeconds < old.lockSeconds { return "the lock window cannot be made shorter" }
        if hasEmergencyExit, !old.hasEmergencyExit { return "the emergency exit cannot be switched on" }
        let isLonger =
            snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
        return isLonger ? "the limits of snoozes cannot be raised" : nil
    }
}

extension Alarm {
    /// The alarm as it is stored. Its anchor is stored with its position.
    package var withoutAnchor: Alarm {
        var alarm = self
        alarm.anchor = nil
        return alarm
    }
}
