// Promise 1: each announced ring rings on time or is recorded as missed, and no other ring comes.

import Agenda
import Alarms
import CivilTime
import Engine

/// The announced rings of each alarm, checked against the plan that its owner sees. Times are milliseconds
/// of the best-known clock. Rings are seconds since 1970.
///
/// A ring must begin within a second of the first possible moment. The announced next ring must be the first
/// of the plan that is still to come.
///
/// Only announced rings are checked. The engine's table of cursors decides how a change of the clock, the
/// zone or the alarm moves an alarm in its plan. `AgendaOracleTests` compare that table with one in Python.
struct ExpectedRings {
    struct TrackedAlarm {
        var plan: RingPlan
        var isOn: Bool
        var next: Int?

        var windowSeconds: Int { max(plan.alarm.lateWindowSeconds, ExpectedRings.lateSecondsMin) }
    }

    private(set) var alarms: [Alarm.ID: TrackedAlarm] = [:]
    /// The announcements before this observation.
    private var before: [Alarm.ID: TrackedAlarm] = [:]
    private var (events, now) = (PlanEvents(), 0)
    /// The alarms that their owner has changed since the last observation.
    private(set) var changed: Set<Alarm.ID> = []
    /// The rings that were done ahead of time.
    private(set) var done: Set<Occurrence> = []
    private var everDone: Set<PastRing> = []
    /// The alarms that their owner has changed while the time was not trusted. If the clock is set then, they
    /// count from the real time of the change, which may be after an announced ring.
    private var provisional: Set<Alarm.ID> = []
    /// Announced rings that are due, and have neither rung nor been missed.
    private var due: Set<Occurrence> = []
    /// Rings that had rung, and were in the future again after the clock was set back by hours.
    private var mayRingAgain: Set<Occurrence> = []
    /// The members of `mayRingAgain` that have not rung again. A start empties the set, because it may not
    /// remember them.
    private var ringsAgain: Set<Occurrence> = []
    private(set) var missed: Set<MissedRings> = []
    /// All rings that were ever recorded as missed. A start may find some that were taken back.
    private var everMissed: Set<MissedRings> = []
    /// Missed rings of deleted alarms.
    private var orphans: Set<MissedRings> = []
    private var newlyMissed: Set<MissedRings> = []
    /// The latest time of the clock before it was set back.
    private var setBackFrom = Int.min
    private(set) var nextDue: Int?
    private var historyState: [Int] = []
    /// The next rings at the last reading, and whether this observation has read them.
    private var (readNext, isReadAnew): ([PlannedRing], Bool) = ([], false)
    /// The number of begun and ended rings at the last check of the plans.
    private var checkedChangeCount = -1
    /// The numbers of announced rings that rang or were missed, and of those that rightly did neither.
    private(set) var (checkedCount, excusedCount) = (0, 0)

    /// The longest delay with which a ring may begin after its time.
    static let graceMilliseconds = 1000
    /// A ring whose delay is at most this is on time.
    private static let lateSecondsMin = 2
    /// If the clock is set back by more than this, rings of another day may come again.
    private static let sameDayMilliseconds = 3 * 3_600_000

    // MARK: queries

    func nextDay(_ id: Alarm.ID) -> CivilDate? {
        alarms[id].flatMap { tracked in tracked.next.flatMap(tracked.plan.ring)?.date }
    }

    func windowSeconds(_ id: Alarm.ID) -> Int {
        alarmsBeforeAndNow(id).map(\.windowSeconds).max() ?? ExpectedRings.lateSecondsMin
    }

    func alarmsBeforeAndNow(_ id: Alarm.ID) -> [TrackedAlarm] { [before[id], alarms[id]].compactMap(\.self) }

    func wasMissed(_ occurrence: Occurrence) -> Bool { missed.contains { $0.contains(occurrence) } }

    /// Returns true if an occurrence was announced, or is late because an event moved its alarm in the plan.
    func mayRing(_ occurrence: Occurrence) -> Bool {
        let id = occurrence.alarm
        guard let old = before[id], let tracked = alarms[id] else { return isPlanned(occurrence) }
        let isMoved = changed.contains(id) || events.isAny || old.moves(to: tracked)
        return isPlanned(occurrence)
            && (isMoved || due.contains(occurrence) || old.next.map { $0 <= occurrence.second } == true)
    }

    /// Returns true if an occurrence is in the plan of an alarm that is on, was on before, or was just changed:
    /// a last ring that is missed switches its alarm off, perhaps as soon as the alarm is durable.
    private func isPlanned(_ occurrence: Occurrence) -> Bool {
        let tracked = alarmsBeforeAndNow(occurrence.alarm)
        return tracked.contains { $0.plan.contains(occurrence.second) }
            && (events.isStart || changed.contains(occurrence.alarm) || tracked.contains(where: \.isOn))
    }

    private func wasHandled(_ occurrence: Occurrence, _ checker: InvariantChecker) -> Bool {
        if wasMissed(occurrence) || done.contains(occurrence) || checker.postponed.isPutOff(occurrence) { return true }
        // If a session still rings when the clock reaches its time again, it counts for both times.
        if ringsAgain.contains(occurrence) {
            return occurrence.at.milliseconds <= now && checker.sessions.open[occurrence] != nil
        }
        return checker.sessions.hasRung(occurrence)
    }

    /// Returns true if an alarm has no ring left. Skips and pauses are ignored.
    func isSpent(_ id: Alarm.ID, _ checker: InvariantChecker) -> Bool {
        guard let plan = alarms[id]?.plan.withoutDaysOff else { return true }
        var next = plan.first(after: now / 1000)
        while let ring = next, wasHandled(Occurrence(id, ring), checker) { next = plan.first(after: ring) }
        return next == nil
    }

    // MARK: updates

    mutating func changed(_ alarms: Set<Alarm.ID>) { changed.formUnion(alarms) }

    /// Adds a ring whose session was lost by a restart, because it had no record.
    mutating func forgot(_ occurrence: Occurrence) { due.insert(occurrence) }

    /// Records that a session begins. Returns true if its occurrence may ring a second time.
    mutating func begins(_ occurrence: Occurrence) -> Bool {
        ringsAgain.remove(occurrence)
        return mayRingAgain.contains(occurrence)
    }

    /// Forgets a deleted alarm. A new alarm with its id is another one.
    mutating func forget(_ id: Alarm.ID) {
        orphans.formUnion(missed.filter { $0.occurrence.alarm == id })
        missed.subtract(orphans)
        due = due.filter { $0.alarm != id }
        done = done.filter { $0.alarm != id }
    }

    /// Reads the announcements after an input. `isAnyNew`: the published or expected state has changed.
    mutating func read(
        _ night: Simulation, _ checker: InvariantChecker, _ now: Int, _ events: PlanEvents, isStale: Bool,
        isAnyNew: Bool
    ) {
        (self.events, self.now) = (events, now)
        before = alarms
        if !events.wasTrusted { provisional.formUnion(changed) }
        if events.step < 0 { setBackFrom = max(setBackFrom, now - events.step) }
        // A start has no later time than that of the newest record.
        let setBack = events.isStart ? checker.journal.model.newestMilliseconds - now : -events.step
        if setBack > ExpectedRings.sameDayMilliseconds {
            // After a restart, a session whose end was lost is open only in the journal.
            let turns = checker.sessions.turns + Array(checker.journal.model.open.keys)
            ringsAgain.formUnion(turns.filter { $0.at.milliseconds > now })
            mayRingAgain.formUnion(ringsAgain)
            done = done.filter { $0.at.milliseconds <= now }
        }
        if events.isStart { ringsAgain = [] }
        guard isStale else { return }
        readMisses(night.published.history)
        isReadAnew = isAnyNew || events.isAny || !changed.isEmpty || readNext != night.published.status.next
        guard isReadAnew else { return }
        readNext = night.published.status.next
        alarms = [:]
        for alarm in night.published.file.alarms {
            alarms[alarm.id] = TrackedAlarm(
                plan: plan(of: alarm, night, checker),
                isOn: alarm.isEnabled && checker.expected.settings.isEnabled,
                next: night.published.nextSecond(alarm.id))
        }
        nextDue = alarms.values.compactMap(\.next).min().map { $0 * 1000 }
    }

    /// Returns the plan of an alarm as shown. An equal plan from before is reused.
    private func plan(of alarm: Alarm, _ night: Simulation, _ checker: InvariantChecker) -> RingPlan {
        let name = alarm.zoneName ?? checker.expected.settings.zoneName
        let zoneIndex = name.flatMap { name in SimulatedZones.all.firstIndex { $0.name == name } } ?? night.zoneIndex
        let calendar = alarm.calendarName.flatMap { checker.expected.calendars[$0] }
        let anchor = night.published.anchors[alarm.id]
        if let plan = before[alarm.id]?.plan, plan.zoneIndex == zoneIndex, plan.anchor == anchor,
            plan.calendar == calendar, plan.alarm == alarm
        {
            return plan
        }
        return RingPlan(alarm, anchor: anchor, zoneIndex: zoneIndex, calendar)
    }

    private mutating func readMisses(_ history: [PastRing]) {
        let state = [history.count, history.last?.endedMilliseconds ?? 0]
        guard state != historyState || events.isStart || events.step < 0 else { return }
        historyState = state
        let all = Set(history.compactMap(\.missed).filter { $0.postponed == nil })
        // A cleared history does not bring a ring back.
        let doneAhead = Set(history.filter { $0.ending == .done })
        done.formUnion(doneAhead.subtracting(everDone).map(\.occurrence))
        everDone.formUnion(doneAhead)
        orphans.formIntersection(all)
        let missedBefore = missed
        missed = all.subtracting(orphans)
        // If a clock that was ahead missed several rings, a part of them may remain.
        newlyMissed = missed.subtracting(events.isStart ? everMissed : missedBefore).filter { run in
            !missedBefore.contains { $0.first == run.first && $0.contains(run.occurrence) }
        }
        everMissed.formUnion(missed)
    }

    // MARK: checks

    /// Checks the old and the present announcements. If `isCalled`, the engine has just had an input.
    mutating func check(_ checker: InvariantChecker, isCalled: Bool, isStale: Bool) {
        if isStale {
            for missed in newlyMissed { check(missed, checker) }
            // If there are no new announcements and no new rings, nothing has to be checked again.
            let isUpToDate =
                !isReadAnew && !events.isAny && due.isEmpty && newlyMissed.isEmpty
                && checkedChangeCount == checker.sessions.changeCount && nextDue ?? .max > now
            checkedChangeCount = changed.isEmpty ? checker.sessions.changeCount : -1
            if !isUpToDate { for (id, tracked) in alarms { check(id, tracked, checker) } }
        } else if let nextDue, nextDue <= (isCalled ? now : now - ExpectedRings.graceMilliseconds) {
            for (id, tracked) in alarms where tracked.next.map({ $0 * 1000 <= now }) == true {
                checker.report(.rings, "\(Occurrence(id, tracked.next ?? 0)) is due, but neither rings nor was missed")
            }
        }
        changed = []
        newlyMissed = []
        if events.isTrusted { provisional = [] }
    }

    private mutating func check(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) {
        if let old = before[id] { collectDue(id, since: old) }
        for occurrence in due where occurrence.alarm == id { checkDue(occurrence, tracked, checker) }
        if let mistake = mistakeInNext(id, tracked, checker) { checker.report(.rings, "\(id) \(mistake)") }
    }

    /// Collects the announced ring, and later rings of the plan, if they are due now.
    private mutating func collectDue(_ id: Alarm.ID, since old: TrackedAlarm) {
        var next = old.next
        while let ring = next, ring * 1000 <= now {
            due.insert(Occurrence(id, ring))
            next = old.plan.first(after: ring)
        }
    }

    private mutating func checkDue(_ occurrence: Occurrence, _ tracked: TrackedAlarm, _ checker: InvariantChecker) {
        if wasHandled(occurrence, checker) {
            checkedCount += 1
            due.remove(occurrence)
            return
        }
        let late = now / 1000 - occurrence.second
        let isTooOld = late > tracked.windowSeconds
        // If the clock was set back, the rings before its old time were due already. A start may not
        // remember the step.
        let isPassed = events.isStart ? events.isBehind : isTooOld && events.step > 0
        if isWithdrawn(occurrence, tracked) || isPassed && occurrence.at.milliseconds <= setBackFrom {
            excusedCount += 1
            due.remove(occurrence)
        } else if !isTooOld || events.isTrusted {
            checker.report(.rings, "\(occurrence) is due, but neither rings nor was missed")
        }
    }

    /// Returns true if an announcement no longer holds.
    private func isWithdrawn(_ occurrence: Occurrence, _ tracked: TrackedAlarm) -> Bool {
        guard let old = before[occurrence.alarm] else { return true }
        let isCountedAgain = events.step != 0 && !events.wasTrusted && provisional.contains(occurrence.alarm)
        return isCountedAgain || occurrence.at.milliseconds > now || changed.contains(occurrence.alarm)
            || !tracked.isOn || !old.isOn
            || tracked.plan.calendar != old.plan.calendar || !tracked.plan.contains(occurrence.second)
    }

    /// Returns the mistake in the announced next ring, or nil. The ring must be the first of the plan that
    /// is still to come, and the same as before unless an event has come.
    private func mistakeInNext(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) -> String? {
        let second = now / 1000
        let announced = tracked.next.map { "\($0)" } ?? "never"
        if let next = tracked.next, next <= second { return "is announced for \(next), but the time is \(now)" }
        if let old = before[id], !events.isAny, !changed.contains(id), !old.moves(to: tracked) {
            if old.next == tracked.next, old.plan == tracked.plan { return nil }
            if let next = old.next, next > second, next != tracked.next,
                !checker.sessions.hasRung(Occurrence(id, next))
            {
                return "was announced for \(next), and is now announced for \(announced)"
            }
        }
        var last = second
        while tracked.isOn, let ring = tracked.plan.first(after: last) {
            let isHandled = wasHandled(Occurrence(id, ring), checker)
            if ring == tracked.next {
                return !isHandled || mayRingAgain.contains(Occurrence(id, ring))
                    ? nil : "is announced for \(ring) again"
            }
            if !isHandled { return "rings next at \(ring), but is announced for \(announced)" }
            last = ring
        }
        return tracked.next.map { "is announced for \($0), which is not in its plan" }
    }

    // MARK: missed rings

    private func check(_ run: MissedRings, _ checker: InvariantChecker) {
        let id = run.occurrence.alarm
        if !events.isTrusted { checker.report(.rings, "\(run.occurrence) was missed by an untrusted clock") }
        guard !events.isStart || !changed.contains(id) else { return }
        if !mayRing(run.occurrence) { checker.report(.rings, "\(run.occurrence) was missed, but was not announced") }
        let window = [alarms[id], before[id]].compactMap { $0?.windowSeconds }.min() ?? 0
        if now / 1000 - run.occurrence.second <= window {
            checker.report(.rings, "\(run.occurrence) was missed, but is not too late")
        }
        for occurrence in [Occurrence(alarm: id, at: run.first), run.occurrence]
        where checker.sessions.hasRung(occurrence) && !mayRingAgain.contains(occurrence) {
            checker.report(.rings, "\(occurrence) was missed, but has rung")
        }
    }
}

extension ExpectedRings.TrackedAlarm {
    /// Returns true if the zone, the calendar or a switch moves the alarm in its plan.
    fileprivate func moves(to new: ExpectedRings.TrackedAlarm) -> Bool {
        plan.zoneIndex != new.plan.zoneIndex || plan.calendar != new.plan.calendar || isOn != new.isOn
    }
}

extension MissedRings {
    fileprivate func contains(_ other: Occurrence) -> Bool {
        other.alarm == occurrence.alarm && first <= other.at && other.at <= occurrence.at
    }
}
