// Rings that are due, and the consequences of a clock or zone that changes.

import Agenda
import Alarms
import CivilTime

extension Engine {
    /// Starts every ring that is due, and records those that are too old as missed. `isMoving`: a person moves.
    mutating func ringDue(isMoving: Bool = false) {
        while let ring = agenda.firstDue(isMoving: isMoving) {
            let occurrence = ring.occurrence
            guard let entry = agenda.alarms[occurrence.alarm] else {
                agenda.plan(occurrence.alarm)
                continue
            }
            if sessions[occurrence] != nil {
                record(ring.isPostponed ? .postponementEnded(occurrence) : agenda.pass(occurrence, entry).fact)
            } else if ring.at <= agenda.tooOld(entry) {
                if clock.isTrusted { miss(agenda.missed(entry, ring)) } else { agenda.plan(entry.id) }
            } else if sessions.isFull, entry.alarm.challenges.isEmpty {
                var missed = agenda.missed(entry, ring, isAlone: true)
                missed.reason = .tooManyRings
                miss(missed)
            } else {
                // Alarms without challenges must not crowd out one that has some: that would be an escape.
                if sessions.isFull, let other = sessions.dispensable { end(other, .unanswered, by: nil) }
                fire(ring, entry)
                if let next = agenda.due[occurrence.alarm] { record(.planned(next.occurrence, next.layer)) }
            }
            emitted.isStatusStale = true
        }
    }

    private mutating func miss(_ missed: MissedRings) {
        record(.missed(missed))
        effects.append(.notify(.missed(missed.occurrence, first: missed.first)))
    }

    /// Records that alarms are locked from now on. After a power cut, a machine without a hardware clock has
    /// only the time of the newest record. Without this record, pulling the plug would unlock the alarm.
    mutating func recordLocks() {
        if let first = agenda.lock() { record(.lockBegan(first)) }
    }

    /// Records the rings that were left out. A clock that is set back reaches some of them again.
    mutating func recordLeftOut() {
        for (ring, isSkipped) in agenda.takeLeftOut() {
            let reason: Note = isSkipped ? .skipped : .paused
            if !events.contains(reason, of: ring.occurrence) { record(.noted(ring.occurrence, reason)) }
        }
    }

    // MARK: the clock

    /// The smallest step that makes a clock count as wrong before it became trusted.
    static let confirmedMilliseconds = 60_000

    mutating func clockWasSet(_ step: Clock.Step) {
        shortenDoubtfulPauses()
        record(.clockStepped(from: step.from, to: step.to))
        if step.to < step.from {
            record(agenda.movesAfterStepBack(agenda.alarms.all))
        } else {
            record(agenda.moves(steppingFrom: step.fromInstant))
        }
        if !clock.isTrusted { record(agenda.movesOfProvisional(agenda.alarms.all)) }
        recordPauses()
    }

    mutating func clockTrustChanged(_ isTrusted: Bool) {
        guard isTrusted != clock.isTrusted else { return }
        let before = clock.now
        agenda.trust(isTrusted)
        if isTrusted {
            let step = Clock.Step(from: before, to: clock.now)
            if step.to < step.from - Clock.creepMax { clockWasSet(step) }
            if step.from - step.to >= Engine.confirmedMilliseconds {
                record(agenda.movesOfProvisional(agenda.alarms.all))
            }
            shortenDoubtfulPauses()
            endForgotten()
        }
        record(.clockTrusted(isTrusted))
        recordPauses()
        planAll()
    }

    mutating func planAll() {
        agenda.planAll()
        planPreflightUnlessWaiting()
        emitted.isStatusStale = true
    }

    // MARK: zones

    /// Applies another zone of the machine, or other rules of its zone.
    mutating func machineZoneChanged(_ zone: Zone) {
        guard agenda.zoneName != zone.name || zone != agenda.zones.machine else { return }
        let before = agenda.planningContext
        agenda.move(to: zone)
        record(.zoneChanged(zone.name))
        guard agenda.settings.zoneName == nil else { return }
        let entries = agenda.alarms.all.filter { $0.alarm.zoneName == nil }
        record(agenda.moves(changingZone: entries, before: before, in: agenda.planningContext))
    }

    /// Applies the zones that alarms and settings name, which may have new rules.
    mutating func zonesRead(_ read: [Zone]) {
        let before = agenda.planningContext
        let changed = agenda.add(read)
        guard !changed.isEmpty else { return }
        let entries = agenda.alarms.all.filter { entry in
            (entry.alarm.zoneName ?? agenda.settings.zoneName).map(changed.contains) ?? false
        }
        guard !entries.isEmpty || agenda.settings.zoneName.map(changed.contains) ?? false else { return }
        planAll()
        record(agenda.moves(changingZone: entries, before: before, in: agenda.planningContext))
    }

    // MARK: a change that was being written

    /// Applies the rows of the table to the alarms of an owner's change: the clock was set, or a zone
    /// changed, while the change was being written. In the journal the change precedes the moves that
    /// happened meanwhile. So the alarms' present positions are recorded once more after both.
    mutating func reapplyMoves(_ ids: [Alarm.ID], with change: PendingChange) {
        var entries: [AlarmEntry] { ids.compactMap { agenda.alarms[$0] } }
        let wasClockSet = change.clockVersion != clock.version
        let isZoneOther = change.zonesVersion != agenda.zones.version
        if wasClockSet {
            record(agenda.movesAfterStepBack(entries))
            record(agenda.movesOfProvisional(entries))
        }
        if clock.isTrusted, entries.contains(where: \.position.isProvisional) { record(.clockTrusted(true)) }
        if isZoneOther {
            record(agenda.moves(changingZone: entries, before: agenda.planningContext, in: agenda.planningContext))
        }
        if wasClockSet || isZoneOther { for entry in entries { record(.planMoved(entry.id, entry.position)) } }
    }
}
