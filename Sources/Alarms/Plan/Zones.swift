// The zones that apply to alarms.

import CivilTime

/// The machine's zone, and those that alarms and settings name.
package struct Zones: Sendable {
    package private(set) var machine = Zone.utc
    private var named: [String: Zone] = [:]
    /// A number that grows when the machine's zone or a known zone changes. Adding a zone does not change
    /// it.
    package private(set) var version = 0

    package init() {}

    package init(machine: Zone, others: [Zone]) {
        self.machine = machine
        _ = add(others)
    }

    package mutating func move(to machine: Zone) {
        self.machine = machine
        version += 1
    }

    /// Adds zones. Returns the names of those that were unknown or different.
    package mutating func add(_ zones: [Zone]) -> Set<String> {
        let changed = zones.filter { named[$0.name] != $0 }
        if changed.contains(where: { named[$0.name] != nil }) { version += 1 }
        for zone in changed { named[zone.name] = zone }
        return Set(changed.map(\.name))
    }

    /// Returns the device's zone. If the named zone is missing, alarms still ring, in the machine's zone.
    package func device(_ settings: Settings) -> Zone { settings.zoneName.flatMap { named[$0] } ?? machine }

    package func zone(of alarm: Alarm, _ settings: Settings) -> Zone {
        alarm.zoneName.flatMap { named[$0] } ?? device(settings)
    }

    package var catalogue: ZoneCatalogue { ZoneCatalogue(closed: Array(named.values) + [machine]) }
}
