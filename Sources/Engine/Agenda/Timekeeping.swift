// What is due, and what follows when the clock or a zone is another.

import Alarms
import CivilTime

extension Engine {
    /// Lets everything ring that is due, and tells what is too old for it.
    mutating func ringDue() {
        while let ring = agenda.due.first, ring.occurrence.at.milliseconds <= clock.now {
            let occurrence = ring.occurrence
            guard let entry = agenda.alarms[occurrence.alarm] else {
                agenda.plan(occurrence.alarm)
                continue
            }
            if sessions[occurrence] != nil {
                note(agenda.pass(occurrence, entry))
            } else if occurrence.at <= agenda.tooOld(entry) {
                if clock.isTrusted { miss(agenda.missed(entry, from: occurrence.at)) } else { agenda.plan(entry.id) }
            } else if sessions.all.count >= Sessions.countMax {
                miss(agenda.missed(entry, from: occurrence.at, until: occurrence.at))
            } else {
                fire(ring, entry)
                if let next = agenda.due[occurrence.alarm] { note(.planned(next.occurrence, next.layer)) }
            }
            told.isStatusStale = true
        }
    }

    private mutating func miss(_ missed: MissedRings) {
        note(.missed(missed))
        effects.append(.notify(.missed(missed.occurrence, first: missed.first)))
    }

    /// Writes down that alarms are locked from now on. After a power cut a machine without a clock of its own knows no more
    /// than that it is later than what was written down last: without this, pulling the plug would open the lock.
    mutating func watchLocks() {
        if let first = agenda.lock() { note(.lockBegan(first)) }
    }

    // MARK: the clock

    /// A clock that becomes trusted by a smaller step was right.
    static let confirmedMilliseconds = 60_000

    mutating func clockWasSet(_ step: Clock.Step) {
        shortenDoubtfulPauses()
        note(.clockStepped(from: step.from, to: step.to))
        if step.to < step.from {
            note(agenda.movesAfterStepBack(agenda.alarms.all))
        } else {
            note(agenda.moves(steppingFrom: step.fromInstant))
        }
        if !clock.isTrusted { note(agenda.movesOfProvisional(agenda.alarms.all)) }
        writeDownPauses()
    }

    mutating func clockIsTrusted(_ isTrusted: Bool) {
        guard isTrusted != clock.isTrusted else { return }
        let before = clock.now
        agenda.trust(isTrusted)
        if isTrusted {
            let step = Clock.Step(from: before, to: clock.now)
            if step.to < step.from - Clock.creepMax { clockWasSet(step) }
            if step.from - step.to >= Engine.confirmedMilliseconds {
                note(agenda.movesOfProvisional(agenda.alarms.all))
            }
            shortenDoubtfulPauses()
            endForgotten()
        }
        note(.clockTrusted(isTrusted))
        writeDownPauses()
        planAll()
    }

    mutating func planAll() {
        agenda.planAll()
        planPreflightUnlessWaiting()
        told.isStatusStale = true
    }

    // MARK: zones

    /// The machine is in another zone, or its zone has other rules.
    mutating func machineIsIn(_ zone: Zone) {
        guard agenda.zoneName != zone.name || zone != agenda.zones.machine else { return }
        let before = agenda.almanac
        agenda.move(to: zone)
        note(.zoneChanged(zone.name))
        guard agenda.settings.zoneName == nil else { return }
        let entries = agenda.alarms.all.filter { $0.alarm.zoneName == nil }
        note(agenda.moves(changingZone: entries, before: before, in: agenda.almanac))
    }

    /// Zones that alarms and settings name are known, or have other rules.
    mutating func readZones(_ read: [Zone]) {
        let before = agenda.almanac
        let changed = agenda.add(read)
        guard !changed.isEmpty else { return }
        let entries = agenda.alarms.all.filter { entry in
            (entry.alarm.zoneName ?? agenda.settings.zoneName).map(changed.contains) ?? false
        }
        guard !entries.isEmpty || agenda.settings.zoneName.map(changed.contains) ?? false else { return }
        planAll()
        note(agenda.moves(changingZone: entries, before: before, in: agenda.almanac))
    }

    // MARK: a change that was on its way to the disk

    /// The clock was set, or a zone changed, while an owner's change was on its way to the disk: the same rows of the table are
    /// applied to the changed alarms now. In the journal the change stands before the moves that happened meanwhile, so the
    /// alarms' present positions are recorded once more behind both.
    mutating func catchUp(_ ids: [Alarm.ID], with claim: Claim) {
        var entries: [AlarmEntry] { ids.compactMap { agenda.alarms[$0] } }
        let wasClockSet = claim.clockVersion != clock.version
        let isZoneOther = claim.zonesVersion != agenda.zones.version
        if wasClockSet {
            note(agenda.movesAfterStepBack(entries))
            note(agenda.movesOfProvisional(entries))
        }
        if clock.isTrusted, entries.contains(where: \.position.isProvisional) { note(.clockTrusted(true)) }
        if isZoneOther { note(agenda.moves(changingZone: entries, before: agenda.almanac, in: agenda.almanac)) }
        if wasClockSet || isZoneOther { for entry in entries { note(.planMoved(entry.id, entry.position)) } }
    }
}
