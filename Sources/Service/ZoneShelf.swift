// The zones that were read from the system, for an engine that reads nothing.

import CivilTime
import Engine

/// Zones by name. One that cannot be read is no reason not to ring: another takes its place, and it is said why.
struct ZoneCache {
    private(set) var catalogue: ZoneCatalogue
    /// Each as it could be read last.
    private var known: [String: Zone] = [:]

    init(_ catalogue: ZoneCatalogue) {
        self.catalogue = catalogue
    }

    /// From now on each is read again when it is asked for.
    mutating func invalidate() { catalogue.readAnew() }

    /// The machine's zone. One that cannot be read is no reason to ring hours late: what is known of it, or else the one
    /// before, stands in for it. One that has no name is known to nobody: the machine's own clocks show UTC then.
    mutating func machine(named name: String, before old: String?) -> (zone: Zone, problem: String?) {
        guard !name.isEmpty else {
            let words = "Nobody has said which time zone this machine is in, so alarms ring by UTC; "
            return (.utc, words + "'sudo timedatectl set-timezone Europe/Berlin' would say it")
        }
        do throws(ZoneError) {
            return (try zone(named: name), nil)
        } catch {
            let zone = known[name] ?? old.flatMap { zones(named: [$0]) { _ in }.first } ?? .utc
            return (zone, "The machine's zone cannot be read, so alarms ring by \(zone.name) as it was: \(error)")
        }
    }

    /// Those that there are.
    mutating func zones(named names: some Sequence<String>, complain: (String) -> Void) -> [Zone] {
        names.compactMap { name in
            do throws(ZoneError) {
                return try zone(named: name)
            } catch {
                complain("The zone \(name.debugDescription) cannot be read: \(error)")
                return known[name]
            }
        }
    }

    private mutating func zone(named name: String) throws(ZoneError) -> Zone {
        let zone = try catalogue.zone(named: name)
        known[name] = zone
        return zone
    }
}

extension Command {
    /// The zones that it names: the engine is to know them first.
    package var zoneNames: Set<String> {
        switch self {
        case .save(let alarm): Set([alarm.zoneName].compactMap(\.self))
        case .edit(_, let patch): Set([patch.zoneName].compactMap(\.self))
        case .configure(let patch): Set([patch.zoneName].compactMap(\.self))
        case .saveSettings(let settings): Set([settings.zoneName].compactMap(\.self))
        case .restore(let file, _):
            Set(file.alarms.compactMap(\.zoneName) + [file.settings.zoneName].compactMap(\.self))
        default: []
        }
    }
}
