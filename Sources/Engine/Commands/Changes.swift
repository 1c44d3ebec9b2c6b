// Changes to what the owner keeps: alarms, settings, calendars, codes.

import Alarms
import CivilTime

extension Engine {
    /// More alarms than this are no household's and no hostel's.
    static let alarmsMax = AlarmsFile.alarmsMax
    /// More codes than this hang on no walls.
    static let codesMax = 1000
    static let calendarsMax = 1000

    /// What would be true if the command were carried out, and what its sender is answered then; no facts where it is so
    /// already.
    func change(_ command: Command) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        switch command {
        case .save(let alarm): return try save(alarm)
        case .delete(let id):
            let kept = try existing(id)
            try refuseIfLocked(kept, becomes: nil)
            return ([.alarmDeleted(id)], .done)
        case .enable(let id, let isEnabled):
            var alarm = try existing(id).alarm
            // An alarm that rings once is set anew by switching it on again, but only if it was off.
            guard alarm.isEnabled != isEnabled else { return try saved(alarm, []) }
            alarm.isEnabled = isEnabled
            return try save(alarm)
        case .skip(let id):
            var alarm = try existing(id).alarm
            guard let next = due[id] else { return try saved(alarm, []) }
            alarm.skipped = DateSet(alarm.skipped.runs + [next.date...next.date])
            return try save(alarm)
        case .unskip(let id):
            var alarm = try existing(id).alarm
            guard !alarm.skipped.isEmpty else { return try saved(alarm, []) }
            alarm.skipped = DateSet()
            return try save(alarm)
        case .pause(let id, let dates):
            var alarm = try existing(id).alarm
            guard alarm.paused != dates else { return try saved(alarm, []) }
            alarm.paused = dates
            return try save(alarm)
        case .saveSettings(let settings): return try save(settings)
        case .saveCalendar(let name, let calendar): return try save(calendar, name)
        case .restore(let file): return try restore(file)
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

    private var surroundings: Surroundings {
        var surroundings = Surroundings(zones: zones.catalogue)
        surroundings.calendars = Set(ledger.calendars.keys)
        surroundings.codes = Set(ledger.codes.filter { $0.kind == .qr }.map(\.label))
        surroundings.tags = Set(ledger.codes.filter { $0.kind == .tag }.map(\.label))
        surroundings.kinds = kinds
        return surroundings
    }

    private func save(_ alarm: Alarm) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        var surroundings = surroundings
        let problems = alarm.problems(among: &surroundings)
        let mistakes = problems.filter { $0.weight == .refused || $0.weight == .unmet && alarm.isEnabled }
        guard mistakes.isEmpty else { throw .problems(mistakes) }
        let old = ledger.alarms[alarm.id]
        if old == nil, ledger.alarms.count >= Engine.alarmsMax { throw .tooMany("alarms") }
        let ready = ready(alarm)
        if let old {
            if old.alarm == ready, ready.isEnabled { return try saved(ready, problems) }
            try refuseIfLocked(old, becomes: ready)
        }
        let next = next(of: ready)
        let planned = next.map { [Fact.planned($0.occurrence, $0.layer)] } ?? []
        return (
            [.alarmSaved(ready, since: clock.instant)] + planned, .saved(next: next, warnings: problems)
        )
    }

    /// It is as it was wanted already.
    private func saved(_ alarm: Alarm, _ warnings: [Problem]) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        ([], .saved(next: due[alarm.id], warnings: warnings))
    }

    /// The alarm as it is kept: days that are over are forgotten, and intervals count from a day for good.
    private func ready(_ alarm: Alarm) -> Alarm {
        let today = zones.zone(of: alarm, ledger.settings).local(clock.instant).date
        var ready = alarm.forgettingDates(before: today)
        if ready.recurrence?.countsFromStart == true, ready.start == nil, clock.isTrusted { ready.start = today }
        return ready
    }

    /// What an alarm would ring next if it were saved now.
    func next(of alarm: Alarm) -> PlannedRing? {
        guard alarm.isEnabled, ledger.settings.isEnabled else { return nil }
        return schedule(alarm, since: clock.instant).next(after: clock.instant)
    }

    private func save(_ settings: Settings) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        let old = ledger.settings
        guard settings != old else { return ([], .done) }
        if let name = settings.zoneName {
            var catalogue = zones.catalogue
            do { _ = try catalogue.zone(named: name) } catch { throw .problems([Problem("zone", "\(error)")]) }
        }
        let isEscape =
            !settings.isEnabled && old.isEnabled || settings.zoneName != old.zoneName
            || settings.lockSeconds < old.lockSeconds || settings.hasEmergencyExit && !old.hasEmergencyExit
        if isEscape, let locked = lockedAlarms.first { throw refusal(locked) }
        let isSwitchedOn = settings.isEnabled && !old.isEnabled
        return (
            [
                .settingsSaved(
                    settings, since: isSwitchedOn ? clock.instant : ledger.enabledSince,
                    zoneSince: settings.zoneName == old.zoneName ? ledger.settingsZoneSince : clock.instant)
            ], .done
        )
    }

    private func save(
        _ calendar: DayCalendar?, _ name: String
    ) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        guard ledger.calendars[name] != calendar else { return ([], .done) }
        for kept in lockedAlarms where kept.alarm.calendarName == name {
            let changed = Schedule(
                kept.alarm, in: zones.zone(of: kept.alarm, ledger.settings), calendar: calendar, since: kept.since)
            guard let planned = due[kept.alarm.id]?.occurrence.at,
                let next = changed.next(after: clock.instant)?.occurrence.at, next <= planned
            else { throw refusal(kept) }
        }
        guard let calendar else {
            let users = ledger.alarms.all.filter { $0.alarm.calendarName == name }
            guard users.isEmpty else {
                throw .problems(users.prefix(5).map { Problem($0.alarm.id, "goes by the calendar \"\(name)\"") })
            }
            return ([.calendarDeleted(name)], .done)
        }
        if ledger.calendars[name] == nil, ledger.calendars.count >= Engine.calendarsMax { throw .tooMany("calendars") }
        return ([.calendarSaved(name, calendar, since: clock.instant)], .done)
    }

    /// All of a file, or nothing. Alarms that are sound but cannot be met come in switched off.
    private func restore(_ file: AlarmsFile) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        var facts = file.calendars.sorted { $0.key < $1.key }.map {
            Fact.calendarSaved($0.key, $0.value, since: clock.instant)
        }
        var surroundings = surroundings
        surroundings.calendars.formUnion(file.calendars.keys)
        var setAside: [Problem] = []
        var count = 0
        for (index, alarm) in file.alarms.enumerated() {
            let problems = alarm.problems(among: &surroundings)
            setAside += problems.filter { $0.weight != .warning }.map {
                Problem("alarms[\(index)].\($0.place)", $0.reason, $0.weight)
            }
            if problems.contains(where: { $0.weight == .refused }) { continue }
            var ready = ready(alarm)
            if problems.contains(where: { $0.weight == .unmet }) { ready.isEnabled = false }
            if let old = ledger.alarms[alarm.id] { try refuseIfLocked(old, becomes: ready) }
            facts.append(.alarmSaved(ready, since: clock.instant))
            count += 1
        }
        guard ledger.alarms.count + count <= Engine.alarmsMax else { throw .tooMany("alarms") }
        return (facts, .restored(alarms: count, setAside: setAside))
    }

    private func enrol(_ code: EnrolledCode) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        guard ledger.sessions.isEmpty else { throw .ringing }
        guard !code.label.isEmpty else { throw .problems([Problem("label", "is missing: give the code a name")]) }
        let same = ledger.codes.first { $0.label == code.label }
        guard same != code else { return ([], .done) }
        if same != nil { try refuseIfLockedBy(code.label) }
        if same == nil, ledger.codes.count >= Engine.codesMax { throw .tooMany("codes") }
        return ([.codeEnrolled(code)], .done)
    }

    private func forget(_ label: String) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        guard ledger.codes.contains(where: { $0.label == label }) else { throw .noSuchCode(label) }
        guard ledger.sessions.isEmpty else { throw .ringing }
        try refuseIfLockedBy(label)
        let left = Set(ledger.codes.map(\.label)).subtracting([label])
        let needy = ledger.alarms.all.filter { kept in
            kept.alarm.isEnabled
                && kept.alarm.challenges.contains { $0.labels.contains(label) && left.isDisjoint(with: $0.labels) }
        }
        guard needy.isEmpty else {
            throw .problems(needy.prefix(5).map { Problem($0.alarm.id, "could not be stopped without this code") })
        }
        return ([.codeForgotten(label: label)], .done)
    }

    private func refuseIfLockedBy(_ label: String) throws(Refusal) {
        for kept in lockedAlarms where kept.alarm.challenges.contains(where: { $0.labels.contains(label) }) {
            throw refusal(kept)
        }
    }
}

extension Challenge {
    /// The names of the codes and tags that can meet it.
    var labels: [String] {
        switch task {
        case .code(let labels), .tag(let labels): labels
        case .roulette(let choices): choices.flatMap(\.labels)
        case .sums, .steps, .pattern, .unknown: []
        }
    }
}

extension Recurrence {
    /// Whether it gives other days when it starts on another day.
    fileprivate var countsFromStart: Bool {
        if case .count = end { true } else { interval > 1 }
    }
}
