// The agenda: all alarms, everything that their rings depend on, and the ring of each that comes next.

import Alarms
import CivilTime

/// The alarms, settings, calendars and codes, with the clock and the zones.
///
/// Facts change it. They may be applied in another order than they have in the journal, because an owner's
/// change is applied when it is durable, every other event at once. Both orders must lead to the same state.
package struct Agenda: Sendable {
    package private(set) var settings = Settings()
    package private(set) var calendars: [String: DayCalendar] = [:]
    /// The alarms. After a change of one, `plan` finds its next ring.
    package var alarms = AlarmBook()
    /// The enrolled codes and tags, sorted by label.
    package private(set) var codes: [EnrolledCode] = []
    /// The keys with which payloads are hashed, the device's own first.
    package private(set) var codeKeys: [CodeKey] = []
    package private(set) var zoneName: String?
    /// The time of the newest fact, in milliseconds since 1970.
    package private(set) var newestMilliseconds = 0
    /// The last step back of the clock, with the latest `from` of all. Rings before that have rung or were
    /// recorded as missed.
    package private(set) var setBack: Clock.Step?

    package private(set) var clock = Clock()
    package private(set) var zones = Zones()
    package private(set) var due = DueList()
    /// The next rings of alarms with challenges whose lock window is not recorded yet, at their earliest.
    private var locks = DueList()
    /// The next notices of alarms that have some: their rings, at the time of the notice.
    package private(set) var notices = DueList()
    /// The next rings of which a notice was given.
    package private(set) var noticed = DueList()
    /// The next rings of alarms that may ring early, from the time at which a movement begins them.
    package private(set) var early = DueList()
    /// The next rings of alarms with a sunrise, at the time from which the light rises.
    package private(set) var sunrises = DueList()
    /// The instant up to which the lock windows of all rings are recorded.
    private var locksRecordedUntil: Instant?
    /// The next ring of each alarm that its owner has left out.
    package internal(set) var leftOut = DueList()
    /// The instant up to which the rings that were left out are recorded.
    var leftOutUntil = Instant.earliest
    package private(set) var bedtime = Bedtime()
    /// The uptime at which each alarm was saved, for alarms that were saved while the clock was not trusted.
    package private(set) var savedUptimes: [Alarm.ID: Int] = [:]
    /// Rings whose challenges were done ahead of time. They no longer lock their alarms.
    package private(set) var unlocked: Set<Occurrence> = []

    package init() {}

    // MARK: changes

    /// Notes the time of a fact, in milliseconds since 1970.
    package mutating func note(_ milliseconds: Int) { newestMilliseconds = max(newestMilliseconds, milliseconds) }

    package mutating func save(_ settings: Settings, at instant: Instant) {
        // The change of a bedtime does not remind of one that has passed.
        if settings.bedtime != self.settings.bedtime { bedtime.handle(until: instant) }
        self.settings = settings
    }

    /// Saves a day calendar, or deletes it if nil.
    package mutating func save(_ calendar: DayCalendar?, named name: String) { calendars[name] = calendar }

    package mutating func enrol(_ code: EnrolledCode) {
        forgetCode(code.label)
        codes.append(code)
        codes.sort { $0.label < $1.label }
    }

    package mutating func forgetCode(_ label: String) { codes.removeAll { $0.label == label } }

    package mutating func add(_ key: CodeKey) { if !codeKeys.contains(key) { codeKeys.append(key) } }

    package mutating func handleBedtimes(until instant: Instant) { bedtime.handle(until: instant) }

    package mutating func nameZone(_ name: String) { zoneName = name }

    /// Applies a step of the clock. `misses` are the missed rings that it takes back.
    package mutating func step(_ step: Clock.Step, takingBack misses: [MissedRings]) {
        newestMilliseconds = step.to
        guard step.to < step.from else { return }
        leftOutUntil = min(leftOutUntil, step.instant)
        bedtime.setBack(by: step)
        setBack = Clock.Step(from: max(step.from, setBack?.from ?? .min), to: step.to)
        alarms.setBack(by: step, takingBack: misses)
    }

    // MARK: the uptimes of saves

    /// Notes the uptime of a save, if the clock was not trusted. A restart forgets it.
    package mutating func noteSave(of id: Alarm.ID, atUptime uptime: Int?) { savedUptimes[id] = uptime }

    /// Notes a ring: the cursor of an alarm that was saved by an untrusted clock moves to it.
    package mutating func noteRing(_ ring: Occurrence) {
        guard alarms[ring.alarm]?.position.isProvisional == true else { return }
        savedUptimes[ring.alarm] = clock.uptime - clock.now + ring.at.milliseconds
    }

    package mutating func noteDeletion(of id: Alarm.ID) {
        unlocked = unlocked.filter { $0.alarm != id }
        savedUptimes[id] = nil
    }

    package mutating func forgetSavedUptimes() { savedUptimes = [:] }

    // MARK: time and zones

    /// Reads the clocks. Returns the step, if the best-known time has jumped.
    package mutating func update(at moment: Moment) -> Clock.Step? {
        clock.update(at: moment, newest: newestMilliseconds)
    }

    package mutating func start(isClockTrusted: Bool, _ zones: Zones) {
        clock.trust(isClockTrusted)
        leftOutUntil = Instant(milliseconds: newestMilliseconds)
        self.zones = zones
    }

    package mutating func trust(_ isTrusted: Bool) { clock.trust(isTrusted) }

    package mutating func move(to zone: Zone) { zones.move(to: zone) }

    /// Returns the names of the zones that are new or have other rules.
    package mutating func add(_ others: [Zone]) -> Set<String> { zones.add(others) }

    /// The zones, settings and calendars by which the days of alarms are found.
    package var planningContext: PlanningContext {
        PlanningContext(zones: zones, settings: settings, calendars: calendars)
    }

    package func today(of alarm: Alarm) -> CivilDate { zones.zone(of: alarm, settings).local(clock.instant).date }

    /// The instant of an uptime, by the clock as it is now.
    package func instant(atUptime uptime: Int) -> Instant { Instant(milliseconds: clock.now - clock.uptime + uptime) }

    // MARK: the next ring of each alarm

    /// Plans the next ring of every alarm again: the clock, a zone, a calendar or the settings have changed.
    package mutating func planAll() {
        (due, locks, leftOut) = (DueList(), DueList(), DueList())
        (notices, noticed, early, sunrises) = (DueList(), DueList(), DueList(), DueList())
        locksRecordedUntil = nil
        planBedtime()
        for entry in alarms.all { plan(entry, nextRing(of: entry)) }
    }

    package mutating func planBedtime() { bedtime.plan(settings, in: zones.device(settings), now: clock.instant) }

    package mutating func plan(_ id: Alarm.ID) {
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
    package func nextRing(of entry: AlarmEntry) -> PlannedRing? {
        guard entry.alarm.isEnabled, settings.isEnabled else { return nil }
        let cursor = entry.position.cursor
        return ring(of: entry, after: clock.isTrusted ? cursor : max(cursor, tooOld(entry)))
    }

    /// Returns the next ring of an alarm by its schedule alone.
    package func scheduledRing(of id: Alarm.ID) -> PlannedRing? {
        alarms[id].flatMap { nextRing(of: $0.with(postponed: .some(nil))) }
    }

    /// Returns the first ring of an alarm after an instant that has not rung, or that was put off.
    package func ring(of entry: AlarmEntry, after instant: Instant, in other: PlanningContext? = nil) -> PlannedRing? {
        let schedule = (other ?? planningContext).schedule(entry.alarm, entry.position.anchor)
        return AlarmRings(schedule, rung: entry.rung, entry.postponed).first(after: instant)
    }

    package var nextNotice: PlannedRing? { notices.first }

    /// The number of planned rings.
    package var load: Int {
        due.load + locks.load + leftOut.load + notices.load + noticed.load + early.load + sunrises.load
    }

    // MARK: the lock window

    package var nextLock: Instant? {
        guard settings.lockSeconds > 0 else { return nil }
        return locks.firstInstant?.advanced(by: -settings.lockSeconds)
    }

    /// Locks all alarms in the lock window. Returns their earliest ring, or nil if no lock begins now.
    package mutating func lock() -> Occurrence? {
        guard let begins = nextLock, begins <= clock.instant, let first = locks.first else { return nil }
        let until = clock.instant.advanced(by: settings.lockSeconds)
        locksRecordedUntil = until
        while let ring = locks.first, ring.at <= until { locks.plan(ring.occurrence.alarm, nil, place: 0) }
        return first.occurrence
    }

    /// Unlocks the ring that locks an alarm: its challenges were done ahead of time.
    package mutating func unlock(_ entry: AlarmEntry) {
        guard let ring = nextToLock(entry)?.occurrence else { return }
        // A ring in the past needs no entry.
        unlocked = unlocked.filter { $0.at > clock.instant }.union([ring])
    }

    /// Returns the next ring that locks an alarm: one whose challenges were not done ahead of time.
    package func nextToLock(_ entry: AlarmEntry) -> PlannedRing? {
        var next = due[entry.id]
        while let ring = next, unlocked.contains(ring.occurrence) {
            next = self.ring(of: entry, after: ring.at)
        }
        return next
    }
}
