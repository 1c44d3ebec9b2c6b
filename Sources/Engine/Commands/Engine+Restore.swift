// Restores a backup, or imports a file of alarms, calendars and codes.

import Alarms
import CivilTime
import Text

extension Engine {
    /// Restores a backup whole or not at all, and removes everything that its file lacks.
    /// An import sets an alarm aside if it is invalid, is locked here, or would switch off an alarm that is
    /// on here. An alarm that is valid but lacks a code or device comes in switched off.
    func restore(_ file: AlarmsFile, isBackup: Bool, at asked: Instant) throws(Refusal) -> Decision {
        var new = agenda.planningContext
        new.calendars.merge(file.calendars) { $1 }
        guard new.calendars.count <= Engine.calendarsMax else { throw .tooMany("calendars", max: Engine.calendarsMax) }
        for (name, calendar) in file.calendars.sorted(by: { $0.key < $1.key }) {
            try refuse(calendar.memberProblems.map { Problem("calendars.\(name).\($0.path)", $0.reason) })
        }
        var facts = isBackup ? try save(file.settings).facts : []
        // The zone in the restored settings determines today's date.
        if isBackup { new.settings = file.settings }
        facts += saving(file.calendars.filter { agenda.calendars[$0.key] != $0.value }, in: new)
        let codes = try newCodes(of: file, isBackup: isBackup)
        if !codes.isEmpty { facts += try newCodeKeys(of: file).map { .codeKeyAdded($0) } }
        facts += codes.map { .codeEnrolled($0) }
        var (alarms, setAside) = validate(file, codes, isBackup: isBackup, in: new)
        if !isBackup { setAside += replacements(by: file) }
        setAside += labelWarnings(importing: alarms)
        var accepted: [(alarm: Alarm, position: ScheduleState)] = []
        for (offset, (index, alarm)) in alarms.enumerated() {
            let position = agenda.position(
                saving: alarm, at: asked, revision: agenda.alarms.newestRevision + 1 + offset, isImport: true, in: new)
            do throws(Refusal) {
                if let old = agenda.alarms[alarm.id] { try refuseIfLocked(old, becomes: alarm, position, in: new) }
                accepted.append((alarm, position))
                let rung = agenda.alarms[alarm.id]?.rung ?? []
                let next = new.schedule(alarm, position.anchor).first(
                    after: max(position.cursor, clock.instant), but: rung)
                setAside += warnings(saving: alarm, position, next: next, in: new).map { $0.within("alarms[\(index)]") }
            } catch {
                // One locked alarm refuses the whole backup.
                guard !isBackup else { throw error }
                let name = alarm.label.isEmpty ? alarm.id : alarm.label
                setAside.append(
                    Problem("alarms[\(index)]", "\(name.quoted) is locked, so the alarm here is not changed"))
            }
        }
        if accepted.contains(where: \.alarm.isEnabled) { setAside += speakerWarnings }
        let ids = Set(accepted.map(\.alarm.id))
        for entry in lockedAlarms where !ids.contains(entry.id) { try refuseIfLocked(entry, in: new) }
        let listed = Set(file.alarms.map(\.id))
        let gone = isBackup ? agenda.alarms.all.filter { !listed.contains($0.id) } : []
        for entry in gone { try refuseIfLocked(entry, becomes: nil) }
        let newCount = ids.count { agenda.alarms[$0] == nil }
        guard agenda.alarms.count + newCount - gone.count <= Engine.alarmsMax else {
            throw .tooMany("alarms", max: Engine.alarmsMax)
        }
        facts += gone.map { .alarmDeleted($0.id, label: $0.alarm.label) }
        facts += accepted.map { .alarmSaved($0.alarm.withoutAnchor, $0.position) }
        if isBackup {
            let removals = try removals(notIn: file, accepted.map(\.alarm))
            facts += removals
            setAside += losses(gone.map(\.alarm), removals)
        }
        return (facts, .restored(alarms: accepted.count, setAside: setAside, codes: codes.map(\.label)))
    }

    /// Warns of each calendar that an import replaces by a different one.
    private func replacements(by file: AlarmsFile) -> [Problem] {
        file.calendars.sorted { $0.key < $1.key }.compactMap { name, calendar in
            guard let old = agenda.calendars[name], old != calendar else { return nil }
            return Problem(.calendarReplaced, "calendars.\(name)", "replaces a calendar with other days")
        }
    }

    /// Lists the alarms, calendars and codes that a backup has removed, because the owner cannot undo that.
    private func losses(_ alarms: [Alarm], _ removals: [Fact]) -> [Problem] {
        let calendars = removals.compactMap { if case .calendarDeleted(let name) = $0 { name } else { nil } }
        let codes = removals.compactMap { if case .codeForgotten(let label) = $0 { label } else { nil } }
        return [
            ("alarms", alarms.map { $0.label.isEmpty ? $0.id : $0.label }), ("calendars", calendars), ("codes", codes),
        ]
        .filter { !$0.1.isEmpty }.map { path, names in
            let more = names.count > 10 ? " and \(names.count - 10) more" : ""
            let shown = names.prefix(10).map(\.quoted).joined(separator: ", ")
            let reason = "the file does not have \(names.count == 1 ? "it" : "them")"
            return Problem(.removed, path, "removed \(shown)\(more), because \(reason)")
        }
    }

    /// Returns the facts that remove calendars and codes which the backup lacks. Those that a remaining
    /// alarm needs are kept.
    private func removals(notIn file: AlarmsFile, _ accepted: [Alarm]) throws(Refusal) -> [Fact] {
        let known = Set(accepted.map(\.id))
        let kept = agenda.alarms.all.map(\.alarm).filter { alarm in
            !known.contains(alarm.id) && file.alarms.contains { $0.id == alarm.id }
        }
        let alarms = accepted + kept
        let calendars = agenda.calendars.keys.filter { name in
            file.calendars[name] == nil && !alarms.contains { $0.calendarName == name }
        }
        let labels = agenda.codes.map(\.label).filter { label in
            !file.codes.contains { $0.label == label } && !alarms.contains { $0.needs(label) }
        }
        guard labels.isEmpty || sessions.isEmpty else { throw .ringing }
        return calendars.sorted().map { .calendarDeleted($0) } + labels.map { .codeForgotten(label: $0) }
    }

    /// Returns the alarms of a file that can be restored, each with its index in the file.
    private func validate(
        _ file: AlarmsFile, _ codes: [EnrolledCode], isBackup: Bool, in planningContext: PlanningContext
    ) -> (alarms: [(index: Int, alarm: Alarm)], setAside: [Problem]) {
        var validationContext = validationContext
        validationContext.calendars = Set(planningContext.calendars.keys)
        validationContext.know(codes)
        var (alarms, setAside): ([(index: Int, alarm: Alarm)], [Problem]) = ([], [])
        for (index, alarm) in file.placedAlarms {
            let problems = alarm.problems(among: &validationContext)
            let isUnmet = problems.contains { $0.weight == .unmet }
            // An import never switches off an alarm that is on here.
            let staysOn = !isBackup && agenda.alarms[alarm.id]?.alarm.isEnabled == true
            let staysAsItIs = staysOn && (isUnmet || !alarm.isEnabled)
            let rest = staysAsItIs ? ", so the alarm here is not changed" : ", so the alarm is off"
            // An alarm that comes in switched off causes a warning, not a refusal.
            setAside += problems.map { problem in
                guard problem.weight == .unmet else { return problem.within("alarms[\(index)]") }
                let (path, reason) = ("alarms[\(index)].\(problem.path)", problem.reason + rest)
                return staysAsItIs ? Problem(path, reason) : Problem(.staysOff, path, reason)
            }
            // The reading has switched off an alarm whose challenges cannot be done. The file did not.
            if staysOn, !alarm.isEnabled, !isUnmet {
                setAside.append(Problem("alarms[\(index)].enabled", "an import switches no alarm off\(rest)"))
            }
            if staysAsItIs || problems.contains(where: { $0.weight == .refused }) { continue }
            var ready = agenda.pruned(alarm)
            if isUnmet { ready.isEnabled = false }
            alarms.append((index, ready))
        }
        return (alarms, setAside)
    }
}
