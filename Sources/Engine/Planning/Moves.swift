// Alarms whose zone comes to be another: times stay what they are, instants move.

import Alarms
import CivilTime

extension Engine {
    /// The machine is in another zone.
    mutating func machineIsIn(_ zone: Zone) {
        // New rules of the same are another: what was due by the old ones has rung, and by the new ones nothing was missed.
        guard ledger.zoneName != zone.name || zone != zones.machine else { return }
        let toCome = basesToCome(among: ledger.alarms.all)
        zones.move(to: zone)
        note(.zoneChanged(zone.name, since: clock.instant))
        comeInNewZone(toCome)
    }

    /// The machine came to be in another zone while nobody saw it. What was due there meanwhile was; but what was to come where it
    /// was is not over, nor is what came there when it was perhaps not there any more.
    mutating func machineWasMoved(from old: Zone?, since: Instant) {
        let zone = zones.machine
        if let old { zones.move(to: old) }
        let toCome = old == nil ? [] : basesToCome(among: ledger.alarms.all)
        let cameUnseen = old == nil ? [] : basesToCome(after: since, among: ledger.alarms.all)
        zones.move(to: zone)
        note(.zoneChanged(zone.name, since: since))
        comeInNewZone(toCome)
        comeInNewZone(cameUnseen, since: since)
    }

    /// Zones that alarms and settings name are known, or known anew. By new rules of one, times were other instants for a while
    /// that is over: nothing was missed by that.
    mutating func readZones(_ read: [Zone]) {
        let changed = read.filter { zones.isChanged($0) }.map(\.name)
        let toCome = changed.isEmpty ? [] : basesToCome(among: ledger.alarms.all)
        zones.add(read)
        planAll()
        for name in changed { note(.zoneRulesChanged(name, since: clock.instant)) }
        comeInNewZone(toCome)
    }

    /// Those whose base is still to ring the next time, which nobody could tell any more in another zone: days may be left
    /// out. Of what was saved by a clock that was wrong, it is not sure.
    func basesToCome(after instant: Instant? = nil, among alarms: [KeptAlarm]) -> [KeptAlarm] {
        let instant = instant ?? clock.instant
        return alarms.filter { kept in
            let alarm = kept.alarm
            guard alarm.isEnabled, alarm.hasNextTime, !kept.isDoubtful, kept.savedAt == nil,
                savedInDoubt[alarm.id] == nil, !outbox.saves(kept), let only = schedule(kept).onlyRing
            else { return false }
            return only.at > instant && !only.isLeftOut && !ledger.alarms.handled(alarm.id).contains(only.at)
        }
    }

    /// In the zone that counts now the next time of these may be over, and too late to ring. Then it is the next one there. Where
    /// nothing is left out, the move alone says so.
    mutating func comeInNewZone(_ toCome: [KeptAlarm], since: Instant? = nil) {
        for fact in counts(inNewZone: toCome, since: since ?? clock.instant) { note(fact) }
    }

    private func counts(inNewZone toCome: [KeptAlarm], since: Instant) -> [Fact] {
        toCome.compactMap { old in
            guard let kept = ledger.alarms[old.alarm.id], kept.since == old.since else { return nil }
            let since = since.advanced(by: -kept.alarm.lateWindowSeconds)
            guard kept.since < since, let only = schedule(kept).onlyRing, only.at <= since else { return nil }
            return .alarmMoved(kept.alarm.id, version: kept.since, since: since)
        }
    }

    /// The same where the settings come to name another zone: it becomes true with these.
    func counts(inZoneOf settings: Settings) -> [Fact] {
        let toCome = basesToCome(among: ledger.alarms.all)
        var moved = self
        moved.ledger.apply(
            Entry(
                millisecondsSince1970: clock.now,
                .settingsSaved(settings, since: ledger.enabledSince.instant, zoneSince: clock.instant)))
        return moved.counts(inNewZone: toCome, since: clock.instant)
    }
}
