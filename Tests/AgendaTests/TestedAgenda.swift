// An agenda with a clock that the test moves. It rings, misses and records what is due, as the engine does.

import Alarms
import CivilTime

@testable import Agenda

struct TestedAgenda {
    var agenda = Agenda()
    private(set) var rang: [PlannedRing] = []
    private(set) var missed: [MissedRings] = []
    private(set) var leftOut: [(ring: PlannedRing, isSkipped: Bool)] = []
    private(set) var notices: [(ring: Instant, seconds: Int)] = []
    private var moment: Moment
    private var revision = 0

    /// Monday, midnight.
    static let start = Instant(secondsSince1970: 1_768_176_000)
    static let day = 86_400

    init(isTrusted: Bool = true, at start: Instant = start) {
        moment = Moment(wallMilliseconds: start.milliseconds, uptimeMilliseconds: 5000)
        _ = agenda.update(at: moment)
        agenda.note(start.milliseconds)
        agenda.start(isClockTrusted: isTrusted, Zones())
        agenda.planAll()
    }

    static func daily(_ id: Alarm.ID, _ time: String = "07:00") -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(time)
        alarm.recurrence = Recurrence(.daily)
        return alarm
    }

    /// The time on the first day, or on a later one.
    static func instant(_ time: String, day: Int = 0) -> Instant {
        let clock = ClockTime(time) ?? .midnight
        return start.advanced(by: day * TestedAgenda.day + clock.hour * 3600 + clock.minute * 60 + clock.second)
    }

    var next: [Instant] { agenda.due.rings(countMax: 10).map(\.at) }

    mutating func save(_ alarm: Alarm, isImport: Bool = false) {
        revision += 1
        let position = agenda.position(
            saving: alarm, at: agenda.clock.instant, revision: revision, isImport: isImport,
            in: agenda.planningContext)
        agenda.alarms.save(alarm, position)
        if position.isProvisional { agenda.noteSave(of: alarm.id, atUptime: agenda.clock.uptime) }
        agenda.plan(alarm.id)
    }

    mutating func change(_ id: Alarm.ID, _ change: (inout Alarm) -> Void) {
        guard var alarm = agenda.alarms[id]?.alarm else { return }
        change(&alarm)
        save(alarm)
    }

    mutating func apply(_ moves: [PlanMove]) {
        for move in moves {
            agenda.alarms.move(move.alarm, to: move.position)
            agenda.plan(move.alarm)
        }
    }

    mutating func pass(seconds: Int) { read(wall: seconds, uptime: seconds) }

    /// Sets the clock by some seconds.
    mutating func step(seconds: Int) { read(wall: seconds, uptime: 0) }

    /// The machine is off. Its clock runs on, or stops.
    private mutating func read(wall: Int, uptime: Int) {
        moment.wallMilliseconds += wall * 1000
        moment.uptimeMilliseconds += uptime * 1000
        if let step = agenda.update(at: moment) {
            let misses = step.to < step.from ? missed.filter { $0.last >= step.instant } : []
            missed.removeAll { misses.contains($0) }
            agenda.step(step, takingBack: misses)
            apply(
                step.to < step.from
                    ? agenda.movesAfterStepBack(agenda.alarms.all) : agenda.moves(steppingFrom: step.fromInstant))
            if !agenda.clock.isTrusted { apply(agenda.movesOfProvisional(agenda.alarms.all)) }
            agenda.planAll()
        }
        carryOut()
    }

    mutating func carryOut() {
        giveNotices()
        while let ring = agenda.due.first, ring.at <= agenda.clock.instant {
            guard let entry = agenda.alarms[ring.occurrence.alarm] else { break }
            if ring.at <= agenda.tooOld(entry) {
                guard agenda.clock.isTrusted else {
                    agenda.plan(entry.id)
                    continue
                }
                let missed = agenda.missed(entry, ring)
                agenda.alarms.miss(missed)
                self.missed.append(missed)
            } else {
                rang.append(ring)
                agenda.noteRing(ring.occurrence)
                agenda.alarms.ring(ring.occurrence, revision: entry.position.revision)
                if let entry = agenda.alarms[entry.id], agenda.isSpent(entry, after: ring.at) {
                    agenda.alarms.switchOff(entry.id, revision: entry.position.revision)
                }
            }
            agenda.plan(entry.id)
        }
        leftOut += agenda.takeLeftOut()
        agenda.note(agenda.clock.now)
    }

    private mutating func giveNotices() {
        while let next = agenda.nextNotice, next.at <= agenda.clock.instant,
            let entry = agenda.alarms[next.occurrence.alarm]
        {
            for (ring, seconds) in agenda.dueNotices(of: entry) {
                agenda.alarms.giveNotice(of: Occurrence(alarm: entry.id, at: ring.at), seconds: seconds)
                notices.append((ring.at, seconds))
            }
            agenda.plan(entry.id)
        }
    }
}
