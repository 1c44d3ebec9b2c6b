// The observer's record of everything that was acknowledged: alarms, settings, codes and calendars. Promise 3, as far as
// commands could break it: no command is a way to escape a locked alarm.

import Alarms
import CivilTime
import Engine

struct ExpectedState {
    struct ExpectedAlarm {
        /// As its owner saved it, without the anchor that Rooster resolved.
        var alarm: Alarm
        /// The ring that switched it off, its last one.
        var off: Occurrence?
        /// When it was last switched off or on without a command, by the night's time.
        var switchedAt = Int.min
    }

    private(set) var alarms: [Alarm.ID: ExpectedAlarm] = [:]
    private(set) var settings = Settings()
    private(set) var codes: [String: EnrolledCode] = [:]
    private(set) var calendars: [String: DayCalendar] = [:]
    private(set) var changeCount = 0

    // MARK: what is asked for

    /// Applies a command that was acknowledged. `skipping` is the date that a skip has left out.
    mutating func apply(_ command: Command, skipping day: CivilDate? = nil) {
        changeCount += 1
        switch command {
        case .add(let alarm), .save(let alarm): save(alarm)
        case .edit(let id, let patch): if let old = alarms[id]?.alarm { save(patch.applied(to: old).alarm) }
        case .configure(let patch): settings = patch.applied(to: settings).settings
        case .delete(let id): alarms[id] = nil
        case .enable(let id, let isEnabled):
            // An alarm that a ring has switched off is off already.
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
            let listed = Set(file.alarms.map(\.id))
            for id in alarms.keys where !listed.contains(id) { alarms[id] = nil }
            // An alarm whose calendar is gone stays as it is here.
            for alarm in file.alarms where alarm.calendarName.map({ calendars[$0] != nil }) ?? true { save(alarm) }
            let names = Set(alarms.values.compactMap(\.alarm.calendarName))
            calendars = calendars.filter { names.contains($0.key) }
            codes = Dictionary(file.codes.map { ($0.label, $0) }) { $1 }
        case .enrol(let code): codes[code.label] = code
        case .forget(let label): codes[label] = nil
        case .snooze, .stop, .unlock, .answer, .hold, .testRing, .preflight, .scan, .cancelScan, .keepCodeKey:
            break
        }
    }

    /// The same for a command without a reply: a skip leaves out the date that is shown.
    mutating func apply(_ command: Command, leavingOutAsIn shown: PublishedState) {
        apply(command)
        if case .skip(let id, _) = command, let skipped = shown.alarm(id)?.skipped {
            alarms[id]?.alarm.skipped = skipped
        }
    }

    private mutating func save(_ alarm: Alarm) {
        // An alarm that a ring has switched off stays so when another member of it is saved.
        let off =
            alarm.isEnabled ? nil : alarms[alarm.id].flatMap { $0.alarm.hasSameSchedule(as: alarm) ? $0.off : nil }
        alarms[alarm.id] = ExpectedAlarm(alarm: alarm.withoutAnchor, off: off)
    }

    // MARK: what happens

    /// An alarm is shown switched off after its last ring, or on again where that was no ring.
    mutating func setSwitch(_ id: Alarm.ID, on isEnabled: Bool, by off: Occurrence?, at now: Int) {
        changeCount += 1
        alarms[id]?.alarm.isEnabled = isEnabled
        alarms[id]?.off = off
        alarms[id]?.switchedAt = now
    }

    // MARK: what is shown

    /// The first difference between the expected state and a backup, apart from switches; nil where there is none.
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

    /// How many alarms have another switch in a backup than in the expected state.
    func otherSwitches(than shown: AlarmsFile) -> Int {
        shown.alarms.count { alarms[$0.id]?.alarm.isEnabled != $0.isEnabled }
    }
}

extension Alarm {
    /// Whether it equals an alarm as shown, apart from the switch and from dates that are long past.
    func isShown(as shown: Alarm, now milliseconds: Int) -> Bool {
        var shown = shown.withoutAnchor
        shown.isEnabled = isEnabled
        if self == shown { return true }
        let today = CivilDate(dayNumber: milliseconds / 86_400_000 - 2)
        return forgettingDates(before: today) == shown.forgettingDates(before: today)
    }
}

extension ExpectedState {
    /// Whether the change since `before` was a way to escape a locked alarm. `ring` was its next ring before, `next` is it now;
    /// both are ignored where the clock or zone has changed since the command (`isTimely` is false).
    func isEscape(_ id: Alarm.ID, since before: ExpectedState, from ring: Int?, to next: Int?, isTimely: Bool) -> Bool {
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
