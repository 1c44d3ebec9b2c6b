// What the people of the house were told is so: their own account of alarms, settings, codes and calendars. Promise 3, as
// far as commands could break it: nothing that is asked for is a way to escape an alarm that is locked.

import Alarms
import CivilTime
import Engine

/// Everything that was acknowledged, and nothing else.
struct Account {
    struct AlarmAccount {
        /// In its owner's words, without the day that Rooster fixed.
        var alarm: Alarm
        /// The ring that switched it off as its last.
        var off: Occurrence?
        /// When it last switched itself off or on, by the world's time.
        var switchedAt = Int.min
    }

    private(set) var alarms: [Alarm.ID: AlarmAccount] = [:]
    private(set) var settings = Settings()
    private(set) var codes: [String: EnrolledCode] = [:]
    private(set) var calendars: [String: DayCalendar] = [:]
    /// How often something was carried out or was seen to have switched itself.
    private(set) var changeCount = 0

    /// When an alarm rings that is shown like this. What is as in a plan of before is not made again.
    func plan(of shown: Alarm, machine: Int, like before: RingPlan? = nil) -> RingPlan {
        let name = shown.zoneName ?? settings.zoneName
        let zoneIndex = name.flatMap { name in SimulatedZones.all.firstIndex { $0.name == name } } ?? machine
        let calendar = shown.calendarName.flatMap { calendars[$0] }
        if let rule = before?.rule, rule.zoneIndex == zoneIndex, rule.calendar == calendar, rule.alarm == shown {
            return RingPlan(rule: rule, isHouseOn: settings.isEnabled)
        }
        return RingPlan(
            rule: RingPlan.RingRule(shown, zoneIndex: zoneIndex, calendar), isHouseOn: settings.isEnabled)
    }

    // MARK: what is asked for

    /// A command was carried out. `skipping` is the day that a skip has left out.
    mutating func apply(_ command: Command, skipping day: CivilDate? = nil) {
        changeCount += 1
        switch command {
        case .save(let alarm): save(alarm)
        case .edit(let id, let patch): if let old = alarms[id]?.alarm { save(patch.applied(to: old).alarm) }
        case .configure(let patch): settings = patch.applied(to: settings).settings
        case .delete(let id): alarms[id] = nil
        case .enable(let id, let isEnabled):
            // What a ring has switched off is off already.
            if alarms[id]?.alarm.isEnabled != isEnabled { alarms[id]?.off = nil }
            alarms[id]?.alarm.isEnabled = isEnabled
        case .skip(let id, _):
            if let day, let skipped = alarms[id]?.alarm.skipped { alarms[id]?.alarm.skipped = skipped.inserting(day) }
        case .unskip(let id): alarms[id]?.alarm.skipped = DateSet()
        case .pause(let id, let dates): alarms[id]?.alarm.paused = dates
        case .saveSettings(let new): settings = new
        case .saveCalendar(let name, let calendar): calendars[name] = calendar
        case .restore(let file, _):
            settings = file.settings
            for code in file.codes { codes[code.label] = code }
            // An alarm whose calendar is gone stays as it is here.
            for alarm in file.alarms where alarm.calendarName.map({ calendars[$0] != nil }) ?? true { save(alarm) }
        case .enrol(let code): codes[code.label] = code
        case .forget(let label): codes[label] = nil
        case .snooze, .stop, .unlock, .answer, .hold, .testRing, .preflight, .look, .cancelLook, .keepCodeKey:
            break
        }
    }

    /// The same of a command that was not answered: a skip leaves out the day that is shown.
    mutating func apply(_ command: Command, leavingOutAsIn shown: PublishedState) {
        apply(command)
        if case .skip(let id, _) = command, let skipped = shown.alarm(id)?.skipped {
            alarms[id]?.alarm.skipped = skipped
        }
    }

    private mutating func save(_ alarm: Alarm) {
        // What a ring has switched off is so still when something else of it is saved.
        let off = alarm.isEnabled ? nil : alarms[alarm.id].flatMap { $0.alarm.hasWhen(of: alarm) ? $0.off : nil }
        alarms[alarm.id] = AlarmAccount(alarm: alarm.withoutAnchor, off: off)
    }

    // MARK: what happens

    /// An alarm has switched itself off after its last ring, or is on again where that was no ring; or nobody can tell which
    /// came first.
    mutating func setSwitch(_ id: Alarm.ID, on isEnabled: Bool, by off: Occurrence?, at now: Int) {
        changeCount += 1
        alarms[id]?.alarm.isEnabled = isEnabled
        alarms[id]?.off = off
        alarms[id]?.switchedAt = now
    }

    // MARK: what is shown

    /// What is shown otherwise than it was acknowledged, but for which alarms are on.
    func difference(from shown: AlarmsFile, now: Int) -> String? {
        for alarm in shown.alarms {
            guard let kept = alarms[alarm.id]?.alarm else { return "there is \(alarm.id), and nobody wants it" }
            if !kept.isShown(as: alarm, now: now) { return "\(alarm.json) was acknowledged as \(kept.json)" }
        }
        if shown.alarms.count != alarms.count {
            return "the alarms are \(shown.alarms.map(\.id)), of \(alarms.keys.sorted())"
        }
        if shown.settings != settings { return "\(shown.settings) were acknowledged as \(settings)" }
        if shown.calendars != calendars { return "the calendars are others than were acknowledged" }
        if shown.codes.count != codes.count || shown.codes.contains(where: { codes[$0.label] != $0 }) {
            return "the codes are \(shown.codes.map(\.label)), acknowledged were \(codes.keys.sorted())"
        }
        return nil
    }

    /// How many alarms are shown on that are off here, or the other way round.
    func otherSwitches(than shown: AlarmsFile) -> Int {
        shown.alarms.count { alarms[$0.id]?.alarm.isEnabled != $0.isEnabled }
    }
}

extension Alarm {
    /// Whether this is what an owner is shown, but for whether it is on. What is over for long may have been forgotten.
    func isShown(as shown: Alarm, now milliseconds: Int) -> Bool {
        var shown = shown.withoutAnchor
        shown.isEnabled = isEnabled
        if self == shown { return true }
        let today = CivilDate(dayNumber: milliseconds / 86_400_000 - 2)
        return forgettingDates(before: today) == shown.forgettingDates(before: today)
    }

    /// Without the day that Rooster fixed: what its owner has said of it.
    fileprivate var withoutAnchor: Alarm {
        var alarm = self
        alarm.anchor = nil
        return alarm
    }
}

extension Account {
    /// Whether what was done since `before` was a way to escape an alarm that is locked. `ring` is the ring that was told before,
    /// `next` the one that is told now; nothing comes of these when it has become another time since the command came in.
    func isEscape(_ id: Alarm.ID, since before: Account, from ring: Int?, to next: Int?, isTimely: Bool) -> Bool {
        guard let old = before.alarms[id]?.alarm else { return false }
        if settings.isEasier(than: before.settings) { return true }
        let labels = old.challenges.flatMap(\.labels)
        if before.codes != codes, labels.contains(where: { before.codes[$0] != codes[$0] }) { return true }
        guard let new = alarms[id]?.alarm else { return true }
        if old.isEnabled, !new.isEnabled || !new.isAsHardAs(old) || !new.isAsLoudAs(old) { return true }
        guard isTimely, new != old || calendars != before.calendars, let ring else { return false }
        return next.map { $0 > ring } ?? true
    }
}

extension Settings {
    fileprivate func isEasier(than old: Settings) -> Bool {
        !isEnabled && old.isEnabled || zoneName != old.zoneName || lockSeconds < old.lockSeconds
            || hasEmergencyExit && !old.hasEmergencyExit || snoozeBounds.upperBound > old.snoozeBounds.upperBound
            || snoozeBounds.lowerBound > old.snoozeBounds.lowerBound
    }
}
