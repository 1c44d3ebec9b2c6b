// A file of alarms, settings and calendars that is to be there as well: a backup, or an import.

import Alarms

extension Engine {
    /// All of a file, or nothing. Alarms that are sound but cannot be met come in switched off, and those that are not are
    /// set aside.
    func restore(
        _ file: AlarmsFile, isBackup: Bool
    ) throws(Refusal) -> (facts: [Fact], outcome: Outcome) {
        let calendars = ledger.calendars.merging(file.calendars) { $1 }
        guard calendars.count <= Engine.calendarsMax else { throw .tooMany("calendars") }
        var facts = isBackup ? try save(file.settings).facts : []
        for (name, calendar) in file.calendars.sorted(by: { $0.key < $1.key }) where ledger.calendars[name] != calendar
        {
            let problems = calendar.problems
            guard problems.isEmpty else {
                throw .problems(problems.map { Problem("calendars.\(name).\($0.place)", $0.reason) })
            }
            facts += saving(calendar, name)
        }
        let codes = try newCodes(of: file, isBackup: isBackup)
        facts += codes.map { .codeEnrolled($0) }
        // Which day it is goes by the zone that comes with them.
        let (alarms, setAside) = judge(file, calendars, codes, isBackup ? file.settings : ledger.settings)
        let newCount = Set(alarms.map(\.id)).count { ledger.alarms[$0] == nil }
        guard ledger.alarms.count + newCount <= Engine.alarmsMax else { throw .tooMany("alarms") }
        let restored = Dictionary(alarms.map { ($0.id, $0) }) { $1 }
        for kept in lockedAlarms {
            if let alarm = restored[kept.alarm.id] {
                try refuseIfLocked(kept, becomes: alarm, calendars: calendars)
            } else {
                try refuseIfLocked(kept, goesBy: calendars)
            }
        }
        facts += alarms.map { saving($0, among: isBackup ? file.settings : ledger.settings) }
        return (facts, .restored(alarms: alarms.count, setAside: setAside))
    }

    private func judge(
        _ file: AlarmsFile, _ calendars: [String: DayCalendar], _ codes: [EnrolledCode], _ settings: Settings
    ) -> (alarms: [Alarm], setAside: [Problem]) {
        var surroundings = surroundings
        surroundings.calendars = Set(calendars.keys)
        surroundings.know(codes)
        var (alarms, setAside): ([Alarm], [Problem]) = ([], [])
        for (index, alarm) in file.alarms.enumerated() {
            let problems = alarm.problems(among: &surroundings)
            setAside += problems.filter { $0.weight != .warning }.map {
                let rest = $0.weight == .unmet ? "; the alarm is off until that is mended" : ""
                return Problem("alarms[\(index)].\($0.place)", $0.reason + rest, $0.weight)
            }
            if problems.contains(where: { $0.weight == .refused }) { continue }
            var ready = ready(startingAsBefore(alarm), among: settings)
            if problems.contains(where: { $0.weight == .unmet }) { ready.isEnabled = false }
            alarms.append(ready)
        }
        return (alarms, setAside)
    }
}
