// Which ring of each alarm is next.

import Alarms
import CivilTime

extension Engine {
    /// What the days of alarms depend on now.
    var almanac: Almanac { Almanac(zones: zones, settings: ledger.settings, calendars: ledger.calendars) }

    /// The first ring of an alarm after its cursor that had no turn. What is too old to ring waits until the time is trusted,
    /// to be told missed then.
    func nextRing(of entry: AlarmEntry) -> PlannedRing? {
        guard entry.alarm.isEnabled, ledger.settings.isEnabled else { return nil }
        return ring(
            of: entry, after: clock.isTrusted ? entry.position.cursor : max(entry.position.cursor, tooOld(entry)))
    }

    /// The first ring of an alarm after an instant that had no turn.
    func ring(of entry: AlarmEntry, after instant: Instant) -> PlannedRing? {
        almanac.schedule(entry).first(after: instant, but: entry.rung)
    }

    /// The day that it is where an alarm is.
    func today(of alarm: Alarm) -> CivilDate { almanac.zone(of: alarm).local(clock.instant).date }

    /// Looks at all alarms anew: whatever they depend on has changed.
    mutating func planAll() {
        (due, locks) = (DueList(), DueList())
        locksNotedUntil = nil
        for entry in ledger.alarms.all { plan(entry, nextRing(of: entry)) }
        // One that waits for a ring to be over waits still.
        if preflight.evening.map({ $0 > clock.instant }) ?? true { planPreflight() }
        told.isStatusStale = true
    }

    /// Looks at one alarm anew.
    mutating func plan(_ id: Alarm.ID) {
        told.isStatusStale = true
        if let entry = ledger.alarms[id] { return plan(entry, nextRing(of: entry)) }
        due.plan(id, nil, place: 0)
        locks.plan(id, nil, place: 0)
    }

    mutating func plan(_ entry: AlarmEntry, _ ring: PlannedRing?) {
        due.plan(entry.id, ring, place: entry.place)
        planLock(entry, ring)
    }

    // MARK: zones

    /// The machine is in another zone, or its zone has other rules.
    mutating func machineIsIn(_ zone: Zone) {
        guard ledger.zoneName != zone.name || zone != zones.machine else { return }
        let before = almanac
        zones.move(to: zone)
        note(.zoneChanged(zone.name))
        guard ledger.settings.zoneName == nil else { return }
        let entries = ledger.alarms.all.filter { $0.alarm.zoneName == nil }
        for fact in moves(changingZone: entries, before: before, in: almanac) { note(fact) }
    }

    /// Zones that alarms and settings name are known, or have other rules.
    mutating func readZones(_ read: [Zone]) {
        let before = almanac
        let changed = Set(zones.add(read))
        guard !changed.isEmpty else { return }
        let entries = ledger.alarms.all.filter { entry in
            (entry.alarm.zoneName ?? ledger.settings.zoneName).map(changed.contains) ?? false
        }
        guard !entries.isEmpty || ledger.settings.zoneName.map(changed.contains) ?? false else { return }
        planAll()
        for fact in moves(changingZone: entries, before: before, in: almanac) { note(fact) }
    }
}
