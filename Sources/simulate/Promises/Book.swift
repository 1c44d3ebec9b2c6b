// What the people of the house were told is so: their own account of alarms, settings, codes and calendars.

import Alarms
import CivilTime
import Engine

/// Everything that was acknowledged, and nothing else. Times are milliseconds by the best-known clock.
struct Book {
    var alarms: [Alarm.ID: Kept] = [:]
    private(set) var settings = Settings()
    private(set) var codes: [String: EnrolledCode] = [:]
    private(set) var calendars: [String: DayCalendar] = [:]
    /// When the master switch was last switched on, and the rest last changed.
    var changes: [Dependence: ChangedAt] = [:]
    /// When alarms have rung, in seconds since 1970.
    private(set) var turns: [Alarm.ID: Set<Int>] = [:]
    /// The alarms that were deleted since somebody asked.
    private var deleted: [Alarm.ID] = []
    /// Whether the clock was set back, and that is not durable yet.
    var hasUnkept = false
    /// Counts changes.
    var revision = 0
    private var versionCount = 0

    /// The zone that an alarm is read in.
    func zone(of alarm: Alarm, machine: Int) -> PlainZone {
        let name = alarm.zoneName ?? settings.zoneName
        return PlainZone.all[name.flatMap { name in SimulatedZones.all.firstIndex { $0.name == name } } ?? machine]
    }

    // MARK: what is asked for

    /// It was done: everything is as it was wanted.
    mutating func apply(_ asked: Asked) {
        revision += 1
        let before = alarms
        defer {
            for (id, kept) in alarms where asked.isRaced && before[id]?.version != kept.version {
                alarms[id]?.isRaced = true
                hasUnkept = true
            }
        }
        switch asked.command {
        case .save(let alarm): save(alarm, asked)
        case .edit(let id, let changes):
            guard let old = alarms[id]?.alarm, case .object(let members) = old.json.patched(with: changes) else {
                return
            }
            save(Alarm.read(members).alarm, asked)
        case .configure(let changes):
            guard case .object(let members) = settings.json.patched(with: changes) else { return }
            var fields = Fields(members, at: "")
            save(Settings(reading: &fields), asked)
        case .delete(let id):
            (alarms[id], turns[id]) = (nil, nil)
            deleted.append(id)
        case .enable(let id, let isEnabled):
            guard var alarm = alarms[id]?.alarm else { return }
            // What a wrong clock has switched off is off for good when its owner says so.
            let isOffByMistake = if case .missed = alarms[id]?.off { !isEnabled } else { false }
            guard alarm.isEnabled != isEnabled || isOffByMistake else { return }
            alarm.isEnabled = isEnabled
            save(alarm, asked)
        case .skip(let id):
            guard var alarm = alarms[id]?.alarm, let next = asked.nextDate else { return }
            alarm.skipped = alarm.skipped.inserting(next)
            change(alarm, asked)
        case .unskip(let id):
            guard var alarm = alarms[id]?.alarm, !alarm.skipped.isEmpty else { return }
            alarm.skipped = DateSet()
            change(alarm, asked)
        case .pause(let id, let dates):
            guard var alarm = alarms[id]?.alarm, alarm.paused != dates else { return }
            alarm.paused = dates
            change(alarm, asked)
        case .saveSettings(let new): save(new, asked)
        case .saveCalendar(let name, let calendar): save(calendar, name, asked)
        case .restore(let file, let isBackup):
            if isBackup { save(file.settings, asked) }
            for (name, calendar) in file.calendars { save(calendar, name, asked) }
            for code in file.codes where isBackup || codes[code.label] == nil { codes[code.label] = code }
            for alarm in file.alarms where !alarm.isMistaken && hasCalendar(alarm) {
                var alarm = alarm
                if !canBeMet(alarm) { alarm.isEnabled = false }
                save(alarm, asked, isAnew: true)
            }
        case .enrol(let code): codes[code.label] = code
        case .forget(let label): codes[label] = nil
        case .snooze, .stop, .unlock, .answer, .hold, .testRing, .preflight: break
        }
    }

    private mutating func save(_ wanted: Alarm, _ asked: Asked, isAnew: Bool = false) {
        var alarm = wanted
        if !isAnew, alarm.isForNextTime, let old = alarms[alarm.id]?.alarm {
            let shown = old.forgettingDates(before: today(old, asked))
            if [old.skipped, shown.skipped].contains(alarm.skipped) { alarm.skipped = alarm.skipped(after: old) }
        }
        let plain = alarm.plain
        // Saved as it is, it counts from when it was saved first.
        let start = start(alarm, asked)
        if !isAnew, alarm.isEnabled, let old = alarms[alarm.id],
            old.alarm == plain.forgettingDates(before: today(alarm, asked))
        {
            // Unless it comes to count from a day for good.
            if start == old.start, start != .unknown { return }
            if start == .unknown {
                alarms[alarm.id]?.start = .unknown
                alarms[alarm.id]?.since = old.since.lowerBound...max(old.since.upperBound, asked.span.upperBound)
                alarms[alarm.id]?.isUncertain(until: asked.span.upperBound)
                return
            }
        }
        versionCount += 1
        // Whoever changes something else of an alarm, or one that is locked, while nobody knows the time, does not get rid of
        // what is due by it.
        let isOwed = alarms[alarm.id]?.alarm.isEnabled == true && asked.isTimeUnknown != false
        alarms[alarm.id] = Kept(
            alarm: plain, today: today(alarm, asked), since: asked.span, start: start,
            savedAt: asked.doubt == nil ? asked.savedAt : nil, isDoubtLost: asked.isDoubtLost,
            doubt: asked.doubt, mayOwe: isOwed, uncertainUntil: asked.isCertain ? nil : asked.span.upperBound,
            version: versionCount)
    }

    /// Other days of it are left out: it counts since it did, and whatever switched it off has.
    private mutating func change(_ alarm: Alarm, _ asked: Asked) {
        guard var kept = alarms[alarm.id] else { return }
        let old = kept.alarm
        if asked.wasOff == true, alarm.isEnabled { kept.isUncertain(until: asked.span.upperBound) }
        (kept.today, kept.alarm) = (today(alarm, asked), alarm.plain)
        // While nobody knows the time, nobody knows yet which day intervals count from.
        if kept.start != .since || asked.isTimeUnknown != true { kept.start = start(alarm, asked) }
        if asked.isRaced { kept.isRaced = true }
        // Nor are they over in another zone that it came to be in meanwhile.
        if asked.isTimeUnknown == false, asked.zoneIndexBefore ?? asked.zoneIndex == asked.zoneIndex {
            kept.over = ([old.skipped, old.paused], asked.span.lowerBound)
        }
        // By which day one was left out that came to be in another zone meanwhile, nobody can tell.
        if asked.zoneIndexBefore ?? asked.zoneIndex != asked.zoneIndex, alarm.hasNextTime, alarm.mayLeaveOutItsBase {
            kept.isBaseUnsure = true
        }
        // Where the one ring was left out and is over, it is set anew.
        if alarm.isForNextTime, !old.skipped.isEmpty && alarm.skipped.isEmpty || old.paused != alarm.paused {
            kept.since = kept.since.lowerBound...max(kept.since.upperBound, asked.span.upperBound)
            kept.isUncertain(until: asked.span.upperBound)
        }
        alarms[alarm.id] = kept
    }

    private func today(_ alarm: Alarm, _ asked: Asked) -> CivilDate {
        CivilDate(dayNumber: days(asked.span.upperBound...asked.span.upperBound, alarm, asked).upperBound)
    }

    /// The days that it was at some times, in the zones that there were then.
    private func days(_ span: ClosedRange<Int>, _ alarm: Alarm, _ asked: Asked) -> ClosedRange<Int> {
        let zones = [asked.zoneIndex, asked.zoneIndexBefore ?? asked.zoneIndex].map { zone(of: alarm, machine: $0) }
        let days = zones.flatMap { [$0.day(at: span.lowerBound / 1000), $0.day(at: span.upperBound / 1000)] }
        return days.reduce(days[0]...days[0]) { min($0.lowerBound, $1)...max($0.upperBound, $1) }
    }

    /// From which day the intervals of an alarm count that is saved like this: the day it is made, if anybody knows which that
    /// is, and whoever changes something else of it leaves them as they are.
    private func start(_ alarm: Alarm, _ asked: Asked) -> StartDay {
        guard alarm.recurrence?.countsFromStart == true else { return .since }
        if let start = alarm.start {
            // Where that was only shown and is sent back, the clock may change it still.
            if let old = alarms[alarm.id], old.start == .unknown, asked.shownStart == start { return .unknown }
            // Nor can anybody tell it from the day that a clock showed that was set between.
            if asked.isRaced { return .unknown }
            return .days(start.dayNumber...start.dayNumber)
        }
        guard let old = alarms[alarm.id], old.alarm.recurrence == alarm.recurrence else {
            // A clock that was set between leaves two days to choose from.
            guard let isTimeUnknown = asked.isTimeUnknown, !asked.isRaced else { return .unknown }
            return isTimeUnknown ? .since : .days(days(asked.span, alarm, asked))
        }
        guard old.start == .since else { return old.start }
        let isOldDoubtful = old.doubt != nil || old.isDoubtLost
        return asked.isRaced || isOldDoubtful || asked.isTimeUnknown == nil
            ? .unknown : .days(days(old.since, old.alarm, asked))
    }

    private mutating func save(_ new: Settings, _ asked: Asked) {
        if new.isEnabled, !settings.isEnabled {
            otherDaysCount(from: asked) { _ in true }
            changes[.masterSwitch] = ChangedAt(asked.span.lowerBound)
        }
        if new.zoneName != settings.zoneName {
            changes[.settingsZone] = ChangedAt(asked.span.upperBound, isUnseen: asked.isRaced)
            houseMoves()
        }
        settings = new
    }

    /// The machine is in another zone.
    mutating func zoneChanged(at now: Int, isUnseen: Bool) {
        changes[.machineZone] = ChangedAt(now, isUnseen: isUnseen)
        houseMoves()
    }

    /// The day on which an alarm was saved was that by the clocks of then: nobody can tell it in another zone, where the time
    /// may come to be another still.
    private mutating func houseMoves() {
        for (id, kept) in alarms where kept.alarm.zoneName == nil && kept.alarm.hasNextTime {
            if kept.alarm.mayLeaveOutItsBase { alarms[id]?.isBaseUnsure = true }
        }
        for (id, kept) in alarms where kept.start == .since && kept.alarm.zoneName == nil {
            if kept.alarm.recurrence?.countsFromStart == true { alarms[id]?.start = .unknown }
        }
    }

    /// When all of the house was changed that an alarm depends on.
    func changes(of alarm: Alarm) -> [ChangedAt] {
        [.masterSwitch, alarm.calendarName.map { .calendar($0) }].compactMap { $0.flatMap { changes[$0] } }
    }

    /// When the house came to be in the zone that an alarm is read in; of what makes it that, the later counts.
    func moves(of alarm: Alarm) -> [ChangedAt] {
        guard alarm.zoneName == nil else { return [] }
        let zones: [Dependence] = settings.zoneName == nil ? [.settingsZone, .machineZone] : [.settingsZone]
        return zones.compactMap { changes[$0] }
    }

    private mutating func save(_ calendar: DayCalendar?, _ name: String, _ asked: Asked) {
        guard calendars[name] != calendar else { return }
        otherDaysCount(from: asked) { $0.calendarName == name }
        calendars[name] = calendar
        changes[.calendar(name)] = calendar.map { _ in ChangedAt(asked.span.lowerBound) }
    }

    /// Other days count from now on for some alarms. What was left out of one that was to ring the next time does not come back
    /// by that, if it is over; what is to come still is.
    private mutating func otherDaysCount(from asked: Asked, for isMeant: (Alarm) -> Bool) {
        for (id, kept) in alarms where isMeant(kept.alarm) && kept.alarm.hasNextTime && kept.alarm.mayLeaveOutItsBase {
            let isSure =
                asked.doubt == nil && !asked.isRaced && kept.isCertain && kept.doubt == nil
                && asked.zoneIndexBefore ?? asked.zoneIndex == asked.zoneIndex
            let once = finder(of: kept, machine: asked.zoneIndex).once ?? 0
            if !isSure || once * 1000 <= asked.span.upperBound { alarms[id]?.isBaseUnsure = true }
        }
    }

    mutating func takeDeleted() -> [Alarm.ID] {
        defer { deleted = [] }
        return deleted
    }

    /// Whether there is the calendar that it goes by, if it does.
    private func hasCalendar(_ alarm: Alarm) -> Bool { alarm.calendarName.map { calendars[$0] != nil } ?? true }

    /// Whether there is a code or tag for each challenge that wants one.
    func canBeMet(_ alarm: Alarm) -> Bool {
        func canBeMet(_ challenge: Challenge) -> Bool {
            switch challenge.task {
            case .code(let labels): labels.contains { codes[$0]?.kind == .qr }
            case .tag(let labels): labels.contains { codes[$0]?.kind == .tag }
            case .roulette(let choices): choices.allSatisfy(canBeMet)
            default: true
            }
        }
        return alarm.challenges.allSatisfy(canBeMet)
    }

    // MARK: what happens

    /// Alarms that differ from what they were before may be as they were.
    mutating func doubt(since before: Book) {
        for (id, kept) in alarms {
            guard let old = before.alarms[id], old.version != kept.version else { continue }
            let first = min(old.since.lowerBound, kept.since.lowerBound)
            alarms[id]?.since = first...max(old.since.upperBound, kept.since.upperBound)
            alarms[id]?.isUncertain(until: max(old.since.upperBound, kept.since.upperBound))
            if old.start != kept.start { alarms[id]?.start = .unknown }
        }
    }

    /// Forgets of days that were over what the records have forgotten of them.
    mutating func forgetDates(as model: Model, _ today: (Alarm, Book) -> CivilDate) {
        for (id, kept) in alarms where !kept.alarm.hasNoDates || model.alarms[id]?.alarm.hasNoDates == false {
            let today = max(kept.today, today(kept.alarm, self))
            guard let durable = model.alarms[id]?.alarm,
                durable.forgettingDates(before: today).days == kept.alarm.forgettingDates(before: today).days,
                durable.namesNoDates(beside: kept.alarm)
            else { continue }
            var alarm = kept.alarm
            (alarm.dates, alarm.skipped, alarm.paused) = (durable.dates, durable.skipped, durable.paused)
            alarms[id]?.alarm = alarm
        }
    }

    /// An alarm has begun to ring.
    mutating func hasTurn(_ occurrence: Occurrence) {
        turns[occurrence.alarm, default: []].insert(occurrence.at.secondsSince1970)
        revision += 1
    }

    /// The base of an alarm has rung, or begun to: if it is for once it does not again.
    mutating func spend(_ occurrence: Occurrence) {
        guard let alarm = alarms[occurrence.alarm]?.alarm, alarm.recurrence == nil else { return }
        revision += 1
        alarms[occurrence.alarm]?.spent = occurrence
    }

    /// The service has started again: what nobody could write down has not rung.
    mutating func forgetSpent(but isKept: (Occurrence) -> Bool) {
        for (id, kept) in alarms where kept.spent.map({ !isKept($0) }) ?? false { alarms[id]?.spent = nil }
        revision += 1
    }

    /// The same where nothing is left out of an alarm.
    func leavingNothingOut(of id: Alarm.ID) -> Book {
        var book = self
        book.alarms[id]?.alarm.skipped = DateSet()
        book.alarms[id]?.alarm.paused = DateSet()
        return book
    }

    /// Switches off what has no ring left.
    mutating func switchOff(_ id: Alarm.ID, _ off: Off) {
        revision += 1
        alarms[id]?.alarm.isEnabled = false
        alarms[id]?.off = off
    }

    /// Switches on again what was not to be switched off.
    mutating func switchOnAgain(_ id: Alarm.ID) {
        revision += 1
        alarms[id]?.alarm.isEnabled = true
        alarms[id]?.off = nil
    }
}
