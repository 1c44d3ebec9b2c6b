// All that is known, as few facts as will make it again.

import Alarms
import CivilTime

extension Engine {
    /// Whether this is a good time to put a snapshot in the place of all that the journal has: nothing rings, and nothing is
    /// on its way to the disk.
    public var canCompact: Bool { ledger.sessions.isEmpty && outbox.isEmpty }

    /// Facts that come to the same as all that there ever were.
    public var snapshot: [Entry] { ledger.snapshot }
}

extension Ledger {
    var snapshot: [Entry] {
        // Also what came to be by a clock that was ahead: nothing must look newer than what is newest.
        func entry(_ fact: Fact) -> Entry { Entry(millisecondsSince1970: newestMilliseconds, fact) }
        var entries: [Entry] = []
        if let zoneName { entries.append(entry(.zoneChanged(zoneName, since: machineZoneSince.instant))) }
        entries += rulesSince.sorted { $0.key < $1.key }.map {
            entry(.zoneRulesChanged($0.key, since: $0.value.instant))
        }
        entries.append(
            entry(
                .settingsSaved(settings, since: enabledSince.instant, zoneSince: settingsZoneSince.instant)))
        for (name, calendar) in calendars.sorted(by: { $0.key < $1.key }) {
            let since = calendarsSince[name]?.instant ?? .earliest
            entries.append(entry(.calendarSaved(name, calendar, since: since)))
        }
        entries += codes.map { entry(.codeEnrolled($0)) }
        entries += alarms.all.flatMap(\.facts).map(entry)
        entries += past.rings.map { entry(.pastKept($0)) }
        entries += sessions.map { entry(.sessionKept($0)) }
        entries += health.sorted { $0.key < $1.key }.map { entry(.healthChanged($0.key, $0.value)) }
        return entries
    }
}
