// The cache of time zones for the engine, which reads no files.

import CivilTime
import Engine

/// Zones by name. If a zone cannot be read, another replaces it with a warning, so that alarms still ring.
struct ZoneCache {
    private(set) var catalogue: ZoneCatalogue
    /// The reason why the machine's zone could not be read the last time; nil if it could.
    private(set) var problem: String?
    /// The last readable version of each zone.
    private var known: [String: Zone] = [:]

    init(_ catalogue: ZoneCatalogue) {
        self.catalogue = catalogue
    }

    /// Invalidates the cache. Each zone's file is read again at its next use.
    mutating func invalidate() { catalogue.readAnew() }

    /// Returns the machine's zone. If it cannot be read, its last known rules replace it, or else the
    /// previous zone: otherwise alarms could ring hours late. A machine without a zone name uses UTC, as its
    /// own clocks do.
    mutating func machine(named name: String, before old: String?) -> Zone {
        problem = nil
        guard !name.isEmpty else {
            problem = "This machine has no time zone, so alarms ring by UTC. Set its time zone."
            return .utc
        }
        do throws(ZoneError) {
            return try zone(named: name)
        } catch {
            let zone = known[name] ?? old.flatMap { zones(named: [$0]) { _ in }.first } ?? .utc
            problem =
                "The machine's time zone cannot be used: \(error). Alarms ring by the last known rules of \(zone.name)."
            return zone
        }
    }

    /// Returns the zones of these names. A zone that cannot be read is replaced by its last version, if any.
    mutating func zones(named names: some Sequence<String>, complain: (String) -> Void) -> [Zone] {
        names.compactMap { name in
            do throws(ZoneError) {
                return try zone(named: name)
            } catch {
                complain("A time zone cannot be used: \(error)")
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
    /// The zones that a command names. The engine needs them before it handles the command.
    package var zoneNames: Set<String> {
        switch self {
        case .add(let alarm), .save(let alarm): Set([alarm.zoneName].compactMap(\.self))
        case .edit(_, let patch): Set([patch.value.zoneName].compactMap(\.self))
        case .configure(let patch): Set([patch.value.zoneName].compactMap(\.self))
        case .saveSettings(let settings): Set([settings.zoneName].compactMap(\.self))
        case .restore(let file, _):
            Set(file.alarms.compactMap(\.zoneName) + [file.settings.zoneName].compactMap(\.self))
        default: []
        }
    }
}
