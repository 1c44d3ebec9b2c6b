// The acknowledged alarms, settings, codes and calendars. Promise 3: no command escapes a locked alarm.

import Alarms
import CivilTime
import Engine
import Health

struct ExpectedState {
    struct ExpectedAlarm {
        /// The alarm as its owner saved it, without the anchor that Rooster fixed.
        var alarm: Alarm
        /// The alarm's last ring, which switched it off.
        var off: Occurrence?
        /// The night's time at which the alarm was last switched without a command.
        var switchedAt = Int.min
        /// True if a restore saved the alarm. One that this device cannot do comes in off.
        var isRestored = false
    }

    private(set) var alarms: [Alarm.ID: ExpectedAlarm] = [:]
    private(set) var settings = Settings()
    private(set) var codes: [String: EnrolledCode] = [:]
    private(set) var calendars: [String: DayCalendar] = [:]
    private(set) var changeCount = 0

    // MARK: commands

    /// Applies an acknowledged command. `day` is the date that a skip left out.
    mutating func apply(_ command: Command, skipping day: CivilDate? = nil) {
        changeCount += 1
        switch command {
        case .add(let alarm), .save(let alarm): save(alarm)
        case .edit(let id, let patch): if let old = alarms[id]?.alarm { save(patch.applied(to: old)) }
        case .configure(let patch): settings = patch.applied(to: settings)
        case .delete(let id): alarms[id] = nil
        case .enable(let id, let isEnabled):
            // If a ring has switched the alarm off, it is off already.
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
            // A restore leaves an alarm unchanged if its calendar does not exist.
            for alarm in file.alarms where alarm.calendarName.map({ calendars[$0] != nil }) ?? true {
                save(alarm)
                alarms[alarm.id]?.isRestored = true
            }
            let names = Set(alarms.values.compactMap(\.alarm.calendarName))
            calendars = calendars.filter { names.contains($0.key) }
            codes = Dictionary(file.codes.map { ($0.label, $0) }) { $1 }
        case .enrol(let code): codes[code.label] = code
        case .forget(let label): codes[label] = nil
        case .postpone, .done, .snooze, .stop, .awake, .unlock, .answer, .hold, .testRing, .preflight, .scan,
            .cancelScan, .keepCodeKey, .inBed, .clearHistory, .client:
            break
        }
    }

    /// Applies a command without a reply. If it is a skip, adopts the skipped dates that are shown.
    mutating func apply(_ command: Command, leavingOutAsIn shown: PublishedState) {
        apply(command)
        if case .skip(let id, _) = command, let skipped = shown.alarm(id)?.skipped {
            alarms[id]?.alarm.skipped = skipped
        }
    }

    private mutating func save(_ alarm: Alarm) {
        // If an alarm that is off keeps its schedule, it keeps the ring that switched it off.
        let off =
            alarm.isEnabled ? nil : alarms[alarm.id].flatMap { $0.alarm.hasSameSchedule(as: alarm) ? $0.off : nil }
        alarms[alarm.id] = ExpectedAlarm(alarm: alarm.withoutAnchor, off: off)
    }

    // MARK: switches

    /// Adopts a shown switch: off after the last ring, or on again because that ring was taken back.
    mutating func setSwitch(_ id: Alarm.ID, on isEnabled: Bool, by off: Occurrence?, at now: Int) {
        changeCount += 1
        alarms[id]?.alarm.isEnabled = isEnabled
        alarms[id]?.off = off
        alarms[id]?.switchedAt = now
    }

    // MARK: comparisons

    /// Returns the first difference from a backup, except switches, or nil if there is none.
    func difference(from shown: AlarmsFile, now: Int) -> String? {
        for alarm in shown.alarms {
            guard let kept = alarms[alarm.id]?.alarm else { return "alarm \(alarm.id) exists, but was not saved" }
            if !kept.isShown(as: alarm, now: now) { return "\(alarm.json) was acknowledged as \(kept.json)" }
        }
        if shown.alarms.count != alarms.count {
            return "the alarms are \(shown.alarms.map(\.id)), but \(alarms.keys.sorted()) were saved"
        }
        if shown.settings != settings { return "\(shown.settings) were acknowledged as \(settings)" }
        if shown.calendars != calendars { return "the calendars differ from the acknowledged ones" }
        if shown.codes.count != codes.count || shown.codes.contains(where: { codes[$0.label] != $0 }) {
            return "the codes are \(shown.codes.map(\.label)), but \(codes.keys.sorted()) were acknowledged"
        }
        return nil
    }

    /// Returns the number of alarms whose switch is different in a backup.
    func otherSwitches(than shown: AlarmsFile) -> Int {
        shown.alarms.count { alarms[$0.id]?.alarm.isEnabled != $0.isEnabled }
    }
}

extension Alarm {
    /// Returns true if the alarm equals a shown one, except the switch and dates that are long past.
    func isShown(as shown: Alarm, now milliseconds: Int) -> Bool {
        var shown = shown.withoutAnchor
        shown.isEnabled = isEnabled
        if self == shown { return true }
        let today = CivilDate(dayNumber: milliseconds / 86_400_000 - 2)
        return forgettingDates(before: today) == shown.forgettingDates(before: today)
    }
}

extension ExpectedState {
    /// Returns true if the change since `before` was an escape from a locked alarm. Its next ring was `ring`
    /// before, and is `next` now. If `isTimely` is false, the clock or zone has changed since the command,
    /// and both are ignored.
    func isEscape(_ id: Alarm.ID, since before: ExpectedState, from ring: Int?, to next: Int?, isTimely: Bool) -> Bool {
        guard let old = before.alarms[id]?.alarm else { return false }
        if settings.isEasier(than: before.settings) { return true }
        let labels = old.challenges.flatMap(\.labels)
        if before.codes != codes, labels.contains(where: { before.codes[$0] != codes[$0] }) { return true }
        guard let new = alarms[id]?.alarm else { return true }
        if old.isEnabled, !new.easings(from: old).isEmpty { return true }
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

extension Alarm {
    /// Returns whether a challenge, or a choice of a roulette, needs one of these devices.
    func needsDevice(in missing: Set<Part>) -> Bool {
        challenges.flatMap(\.kinds).contains { $0.device.map(missing.contains) ?? false }
    }
}
