// The agenda: all alarms, everything that their rings depend on, and the ring of each that comes next.

import Alarms
import CivilTime

/// The alarms, settings, calendars and codes, which are the fold of all facts, with the clock and the zones.
///
/// An owner's change becomes a fact when it is durable, every other event at once. So facts may be applied
/// in another order than they have in the journal. Both orders must lead to the same state.
package struct Agenda: Sendable {
    private(set) var settings = Settings()
    private(set) var calendars: [String: DayCalendar] = [:]
    package private(set) var alarms = AlarmBook()
    /// The enrolled codes and tags, sorted by label.
    private(set) var codes: [EnrolledCode] = []
    /// The keys with which payloads are hashed, the device's own first.
    private(set) var codeKeys: [CodeKey] = []
    private(set) var zoneName: String?
    /// The time of the newest fact, in milliseconds since 1970.
    private(set) var newestMilliseconds = 0
    /// The last step back of the clock, with the latest `from` of all. Rings before that have rung or were
    /// recorded as missed.
    private(set) var setBack: Clock.Step?

    private(set) var clock = Clock()
    private(set) var zones = Zones()
    private(set) var due = DueList()
    /// The next rings of alarms with challenges whose lock window is not recorded yet, at their earliest.
    private var locks = DueList()
    /// The next notices of alarms that have some: their rings, at the time of the notice.
    private var notices = DueList()
    /// The next rings of which a notice was given.
    private(set) var noticed = DueList()
    /// The next rings of alarms that may ring early, from the time at which a movement begins them.
    private(set) var early = DueList()
    /// The next rings of alarms with a sunrise, at the time from which the light rises.
    private(set) var sunrises = DueList()
    /// The instant up to which the lock windows of all rings are recorded.
    private var locksRecordedUntil: Instant?
    /// The next ring of each alarm that its owner has left out.
    var leftOut = DueList()
    /// The instant up to which the rings that were left out are recorded.
    var leftOutUntil = Instant.earliest
    private(set) var bedtime = Bedtime()
    /// The uptime at which each alarm was saved, for alarms that were saved while the clock was not trusted.
    package private(set) var savedUptimes: [Alarm.ID: Int] = [:]
    /// Rings whose challenges were done ahead of time. They no longer lock their alarms.
    package private(set) var unlocked: Set<Occurrence> = []

    // MARK: facts

    /// Applies a fact. `misses` are the missed rings that this fact takes back.
    mutating func apply(_ entry: Entry, takingBack misses: [MissedRings]) {
        newestMilliseconds = max(newestMilliseconds, entry.millisecondsSince1970)
        switch entry.fact {
        case .alarmSaved(let alarm, let position): alarms.save(alarm, position)
        case .planMoved(let id, let position): alarms.move(id, to: position)
        case .alarmKept(let alarm, let position, let rung): alarms.insert(alarm, position, rung: rung)
        case .alarmDeleted(let id, _): alarms.delete(id)
        case .settingsSaved(let settings):
            // The change of a bedtime does not remind of one that has passed.
            if settings.bedtime != self.settings.bedtime {
                bedtime.handle(until: Instant(milliseconds: entry.millisecondsSince1970))
            }
            self.settings = settings
        case .bedtimeGiven(let at): bedtime.handle(until: at)
        case .calendarSaved(let name, let calendar): calendars[name] = calendar
        case .calendarDeleted(let name): calendars[name] = nil
        case .codeEnrolled(let code):
            codes.removeAll { $0.label == code.label }
            codes.append(code)
            codes.sort { $0.label < $1.label }
        case .codeForgotten(let label): codes.removeAll { $0.label == label }
        case .codeKeyAdded(let key): if !codeKeys.contains(key) { codeKeys.append(key) }
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
        case .zoneChanged(let name): zoneName = name
        case .clockTrusted(let isTrusted): if isTrusted { alarms.trust() }
        case .clockStepped(let from, let to): step(Clock.Step(from: from, to: to), takingBack: misses)
        default: break
        }
    }

    private mutating func step(_ step: Clock.Step, takingBack misses: [MissedRings]) {
        newestMilliseconds = step.to
        guard step.to < step.from else { return }
        leftOutUntil = min(leftOutUntil, step.instant)
        bedtime.setBack(by: step)
        setBack = Clock.Step(from: max(step.from, setBack?.from ?? .min), to: step.to)
        alarms.setBack(by: step, takingBack: misses)
    }

    /// Applies a fact while the engine runs, and plans its alarms. Its command arrived at `askedUptime`.
    mutating func applyAndPlan(_ entry: Entry, takingBack misses: [MissedRings], askedUptime: Int? = nil) {
        switch entry.fact {
        case .alarmSaved(let alarm, let position) where alarms[alarm.id]?.position.revision != position.revision:
            savedUptimes[alarm.id] = position.isProvisional ? askedUptime : nil
        case .fired(let session) where alarms[session.occurrence.alarm]?.position.isProvisional == true:
            // The cursor moves to this ring; its uptime is kept with it.
            savedUptimes[session.occurrence.alarm] =
                clock.uptime - clock.now + session.occurrence.at.milliseconds
        case .alarmDeleted(let id, _):
            unlocked = unlocked.filter { $0.alarm != id }
            savedUptimes[id] = nil
        case .clockTrusted(true): savedUptimes = [:]
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

    // MARK: time and zones

    /// Reads the clocks. Returns the step, if the best-known time has jumped.
    mutating func update(at moment: Moment) -> Clock.Step? { clock.update(at: moment, newest: newestMilliseconds) }

    mutating func start(_ start: Start) {
        clock.trust(start.isClockTrusted)
        leftOutUntil = Instant(milliseconds: newestMilliseconds)
        zones = Zones(machine: start.zone, others: start.zones)
    }

    mutating func trust(_ isTrusted: Bool) { clock.trust(isTrusted) }

    mutating func move(to zone: Zone) { zones.move(to: zone) }

    /// Returns the names of the zones that are new or have other rules.
    mutating func add(_ others: [Zone]) -> Set<String> { zones.add(others) }

    /// The zones, settings and calendars by which the days of alarms are found.
    var planningContext: PlanningContext { PlanningContext(zones: zones, settings: settings, calendars: calendars) }

    func today(of alarm: Alarm) -> CivilDate { zones.zone(of: alarm, settings).local(clock.instant).date }

    /// The instant of an uptime, by the clock as it is now.
    func instant(atUptime uptime: Int) -> Instant { Instant(milliseconds: clock.now - clock.uptime + uptime) }

    // MARK: the next ring of each alarm

    /// Plans the next ring of every alarm again: the clock, a zone, a calendar or the settings have changed.
    mutating func planAll() {
        (due, locks, leftOut) = (DueList(), DueList(), DueList())
        (notices, noticed, early, sunrises) = (DueList(), DueList(), DueList(), DueList())
        locksRecordedUntil = nil
        planBedtime()
        for entry in alarms.all { plan(entry, nextRing(of: entry)) }
    }

    mutating func planBedtime() { bedtime.plan(settings, in: zones.device(settings), now: clock.instant) }

    mutating func plan(_ id: Alarm.ID) {
        if let entry = alarms[id] { return plan(entry, nextRing(of: entry)) }
        due.plan(id, nil, place: 0)
        locks.plan(id, nil, place: 0)
        planLeftOut(id)
        notices.plan(id, nil, place: 0)
        noticed.plan(id, nil, place: 0)
        early.plan(id, nil, place: 0)
        sunrises.plan(id, nil, place: 0)
    }

    private mutating func plan(_ entry: AlarmEntry, _ ring: PlannedRing?) {
        due.plan(entry.id, ring, place: entry.place)
        planLeftOut(entry.id)
        let first = ring.map { $0.moved(to: entry.alarm.earliest($0.at)) }
        early.plan(entry.id, entry.alarm.earlySeconds > 0 ? first : nil, place: entry.place)
        let isNoted = first.map { first in locksRecordedUntil.map { first.at <= $0 } ?? false } ?? true
        locks.plan(entry.id, isNoted || entry.alarm.challenges.isEmpty ? nil : first, place: entry.place)
        notices.plan(entry.id, nextNotice(of: entry, before: ring), place: entry.place)
        let light = entry.alarm.lightSeconds
        sunrises.plan(
            entry.id, light > 0 ? ring.map { $0.moved(to: $0.at.advanced(by: -light)) } : nil, place: entry.place)
        noticed.plan(entry.id, ring.flatMap { entry.hasNotice(of: $0) ? $0 : nil }, place: entry.place)
    }

    /// Returns the first ring after the cursor that has not rung. While the clock is not trusted, rings that
    /// are too old are left out. They are recorded as missed when it becomes trusted.
    func nextRing(of entry: AlarmEntry) -> PlannedRing? {
        guard entry.alarm.isEnabled, settings.isEnabled else { return nil }
        let cursor = entry.position.cursor
        return ring(of: entry, after: clock.isTrusted ? cursor : max(cursor, tooOld(entry)))
    }

    /// Returns the next ring of an alarm by its schedule alone.
    package func scheduledRing(of id: Alarm.ID) -> PlannedRing? {
        alarms[id].flatMap { nextRing(of: $0.with(postponed: .some(nil))) }
    }

    /// Returns the first ring of an alarm after an instant that has not rung, or that was put off.
    func ring(of entry: AlarmEntry, after instant: Instant, in other: PlanningContext? = nil) -> PlannedRing? {
        let schedule = (other ?? planningContext).schedule(entry.alarm, entry.position.anchor)
        return AlarmRings(schedule, rung: entry.rung, entry.postponed).first(after: instant)
    }

    var nextRingDeadline: Deadline { .wall(due.firstInstant?.milliseconds) }

    var nextNotice: PlannedRing? { notices.first }

    var nextNoticeDeadline: Deadline { .wall(notices.firstInstant?.milliseconds) }

    /// The number of planned rings.
    package var load: Int {
        due.load + locks.load + leftOut.load + notices.load + noticed.load + early.load + sunrises.load
    }

    // MARK: the lock window

    package var nextLock: Instant? {
        guard settings.lockSeconds > 0 else { return nil }
        return locks.firstInstant?.advanced(by: -settings.lockSeconds)
    }

    var nextLockDeadline: Deadline { .wall(nextLock?.milliseconds) }

    /// Locks all alarms in the lock window. Returns their earliest ring, or nil if no lock begins now.
    mutating func lock() -> Occurrence? {
        guard let begins = nextLock, begins <= clock.instant, let first = locks.first else { return nil }
        let until = clock.instant.advanced(by: settings.lockSeconds)
        locksRecordedUntil = until
        while let ring = locks.first, ring.at <= until { locks.plan(ring.occurrence.alarm, nil, place: 0) }
        return first.occurrence
    }

    /// Unlocks the ring that locks an alarm: its challenges were done ahead of time.
    mutating func unlock(_ entry: AlarmEntry) {
        guard let ring = nextToLock(entry)?.occurrence else { return }
        // A ring in the past needs no entry.
        unlocked = unlocked.filter { $0.at > clock.instant }.union([ring])
    }

    /// Returns the next ring that locks an alarm: one whose challenges were not done ahead of time.
    func nextToLock(_ entry: AlarmEntry) -> PlannedRing? {
        var next = due[entry.id]
        while let ring = next, unlocked.contains(ring.occurrence) {
            next = self.ring(of: entry, after: ring.at)
        }
        return next
    }

    // MARK: the snapshot

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
