// The zones that alarms are read in.

import Alarms
import CivilTime

/// The machine's zone, and those that alarms and settings name.
struct Zones: Sendable {
    private(set) var machine = Zone.utc
    private var named: [String: Zone] = [:]

    init() {}

    init(machine: Zone, others: [Zone]) {
        self.machine = machine
        add(others)
    }

    mutating func move(to machine: Zone) {
        self.machine = machine
    }

    /// Whether it says something else than the one of its name that is known.
    func isChanged(_ zone: Zone) -> Bool { named[zone.name].map { $0 != zone } ?? false }

    mutating func add(_ zones: [Zone]) {
        for zone in zones { named[zone.name] = zone }
    }

    /// The device's zone. One that cannot be had is no reason not to ring.
    func device(_ settings: Settings) -> Zone {
        settings.zoneName.flatMap { named[$0] } ?? machine
    }

    func zone(of alarm: Alarm, _ settings: Settings) -> Zone {
        alarm.zoneName.flatMap { named[$0] } ?? device(settings)
    }

    /// For judging alarms.
    var catalogue: ZoneCatalogue { ZoneCatalogue(closed: Array(named.values) + [machine]) }
}
