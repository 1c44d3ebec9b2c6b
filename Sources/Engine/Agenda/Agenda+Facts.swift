// The facts that change the agenda, and those from which a snapshot restores it.

import Agenda
import Alarms
import CivilTime

extension Agenda {
    /// Applies a fact. `misses` are the missed rings that this fact takes back.
    mutating func apply(_ entry: Entry, takingBack misses: [MissedRings]) {
        note(entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let position): alarms.save(alarm, position)
        case .planMoved(let id, let position): alarms.move(id, to: position)
        case .alarmKept(let alarm, let position, let rung): alarms.insert(alarm, position, rung: rung)
        case .alarmDeleted(let id, _): alarms.delete(id)
        case .settingsSaved(let settings): save(settings, at: Instant(milliseconds: entry.millisecondsSince1970))
        case .bedtimeGiven(let at): handleBedtimes(until: at)
        case .calendarSaved(let name, let calendar): save(calendar, named: name)
        case .calendarDeleted(let name): save(nil, named: name)
        case .codeEnrolled(let code): enrol(code)
        case .codeForgotten(let label): forgetCode(label)
        case .codeKeyAdded(let key): add(key)
        case .fired(let session): alarms.ring(session.occurrence, revision: session.revision)
        case .ended(let occurrence, _, _, _, let revision?): alarms.switchOff(occurrence.alarm, revision: revision)
        case .missed(let missed): alarms.miss(missed)
        case .postponed(let id, let postponed, _, let sender):
            alarms.postpone(id, postponed, isInSnapshot: sender == nil)
        case .postponementEnded(let occurrence): alarms.forgetPostponed(occurrence)
        case .done(let ring, let ahead?, _):
            alarms.leaveOut(ring)
            if ahead.switchesOff { alarms.switchOff(ring.alarm, revision: ahead.revision) }
        case .noticeGiven(let ring, let seconds): alarms.giveNotice(of: ring, seconds: seconds)
        case .zoneChanged(let name): nameZone(name)
        case .clockTrusted(let isTrusted): if isTrusted { alarms.trust() }
        case .clockStepped(let from, let to): step(Clock.Step(from: from, to: to), takingBack: misses)
        default: break
        }
    }

    /// Applies a fact while the engine runs, and plans its alarms. Its command arrived at `askedUptime`.
    mutating func applyAndPlan(_ entry: Entry, takingBack misses: [MissedRings], askedUptime: Int? = nil) {
        switch entry.fact {
        case .alarmSaved(let alarm, let position) where alarms[alarm.id]?.position.revision != position.revision:
            noteSave(of: alarm.id, atUptime: position.isProvisional ? askedUptime : nil)
        case .fired(let session): noteRing(session.occurrence)
        case .alarmDeleted(let id, _): noteDeletion(of: id)
        case .clockTrusted(true): forgetSavedUptimes()
        default: break
        }
        apply(entry, takingBack: misses)
        if entry.fact.concernsAllAlarms { return planAll() }
        switch entry.fact {
        case .alarmSaved(let alarm, _): plan(alarm.id)
        case .planMoved(let id, _), .alarmDeleted(let id, _): plan(id)
        case .fired(let session): plan(session.occurrence.alarm)
        case .ended(let occurrence, _, _, _, _?): plan(occurrence.alarm)
        case .missed(let missed): plan(missed.occurrence.alarm)
        case .noticeGiven(let ring, _), .postponementEnded(let ring), .done(let ring, _?, _):
            plan(ring.alarm)
        case .postponed(let id, _, _, _): plan(id)
        case .bedtimeGiven: planBedtime()
        default: break
        }
    }

    /// Returns a durable fact. If it is a move, its cursor is past a ring that came while it was being written.
    func movedPastLatestRing(_ fact: Fact) -> Fact {
        guard case .planMoved(let id, let position) = fact else { return fact }
        return .planMoved(id, pastLatestRing(position, of: id))
    }

    /// The fewest facts that replay to the same state.
    package var snapshot: [Fact] {
        var facts: [Fact] = []
        if let setBack { facts.append(.clockStepped(from: setBack.from, to: setBack.to)) }
        if let zoneName { facts.append(.zoneChanged(zoneName)) }
        facts.append(.settingsSaved(settings))
        if let handled = bedtime.handled { facts.append(.bedtimeGiven(handled)) }
        facts += calendars.sorted { $0.key < $1.key }.map { Fact.calendarSaved($0.key, $0.value) }
        facts += codeKeys.map { Fact.codeKeyAdded($0) }
        facts += codes.map { Fact.codeEnrolled($0) }
        for entry in alarms.all {
            facts.append(.alarmKept(entry.alarm, entry.position, rung: entry.rung))
            facts += [entry.postponed].compactMap(\.self).map {
                .postponed(entry.id, $0, endsSession: false, by: nil)
            }
            facts += entry.given.map { .noticeGiven(Occurrence(alarm: entry.id, at: $0.ring), seconds: $0.seconds) }
        }
        return facts
    }
}

extension PlanMove {
    var fact: Fact { .planMoved(alarm, position) }
}
