// Promise 1: each ring that was announced rings within a second of the first moment at which it can, or is recorded as missed.
// No other ring comes, and the announced next ring is the first of the alarm's plan that is still to come.

import Alarms
import CivilTime
import Engine

/// Follows the announced rings of each alarm, and checks them against the plan that its owner is shown. Times are milliseconds
/// by the best-known clock, rings are seconds since 1970.
///
/// Judges only announced rings. The engine's table of cursors decides how a change of the clock, the zone or the alarm moves an
/// alarm in its plan: `AgendaOracleTests` compare that table with one in Python.
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
    private var changed: Set<Alarm.ID> = []
    /// Announced rings whose time has come, and which have neither rung nor been missed.
    private var due: Set<Occurrence> = []
    /// Rings that had rung and were ahead again, after the clock was set back by hours.
    private var mayRingAgain: Set<Occurrence> = []
    /// Those of them that are still to ring once more. A start may not know of them.
    private var ringsAgain: Set<Occurrence> = []
    private(set) var missed: Set<MissedRings> = []
    /// All rings that were ever recorded as missed: a start may find those again that were taken back.
    private var everMissed: Set<MissedRings> = []
    /// Missed rings of deleted alarms.
    private var orphans: Set<MissedRings> = []
    private var newlyMissed: Set<MissedRings> = []
    /// The latest time that the clock showed before it was set back.
    private var setBackFrom = Int.min
    private(set) var nextDue: Int?
    private var historyState: [Int] = []
    /// The next rings as they were last read, and whether this observation read them.
    private var (readNext, isReadAnew): ([PlannedRing], Bool) = ([], false)
    /// How many rings had begun or ended when the plans were last checked.
    private var judgedTurnsCount = -1
    /// How many announced rings have rung or were missed; and how many have not, and need not have.
    private(set) var (judgedCount, excusedCount) = (0, 0)

    /// The grace: an alarm may begin so long after its time.
    static let graceMilliseconds = 1000
    /// A ring that is no later than this is on time.
    private static let lateSecondsMin = 2
    /// A clock that is set back by more than this comes to the rings of another day.
    private static let sameDayMilliseconds = 3 * 3_600_000

    // MARK: what others ask

    func nextDay(_ id: Alarm.ID) -> CivilDate? {
        alarms[id].flatMap { tracked in tracked.next.flatMap(tracked.plan.ring)?.date }
    }

    func windowSeconds(_ id: Alarm.ID) -> Int {
        [alarms[id], before[id]].compactMap { $0?.windowSeconds }.max() ?? ExpectedRings.lateSecondsMin
    }

    func wasMissed(_ occurrence: Occurrence) -> Bool { missed.contains { $0.contains(occurrence) } }

    /// Whether an occurrence was announced, or has become late by an event that moves alarms in their plans.
    func mayRing(_ occurrence: Occurrence) -> Bool {
        let id = occurrence.alarm
        guard let old = before[id], let tracked = alarms[id] else { return isPlanned(occurrence) }
        let isMoved = changed.contains(id) || events.isAny || old.moves(to: tracked)
        return isPlanned(occurrence)
            && (isMoved || due.contains(occurrence) || old.next.map { $0 <= occurrence.second } == true)
    }

    /// Whether an occurrence is in the plan of its alarm. A last ring that is missed switches the alarm off.
    private func isPlanned(_ occurrence: Occurrence) -> Bool {
        let tracked = [before[occurrence.alarm], alarms[occurrence.alarm]].compactMap(\.self)
        return tracked.contains { $0.plan.contains(occurrence.second) }
            && (events.isStart || tracked.contains(where: \.isOn))
    }

    private func wasHandled(_ occurrence: Occurrence, _ checker: InvariantChecker) -> Bool {
        if wasMissed(occurrence) { return true }
        // A session that still rings when the clock reaches its time again counts for both.
        if ringsAgain.contains(occurrence) {
            return occurrence.at.milliseconds <= now && checker.sessions.open[occurrence] != nil
        }
        return checker.sessions.hasRung(occurrence)
    }

    /// Whether an alarm has no ring left, apart from skips and pauses.
    func isSpent(_ id: Alarm.ID, _ checker: InvariantChecker) -> Bool {
        guard let plan = alarms[id]?.plan.withoutDaysOff else { return true }
        var next = plan.first(after: now / 1000)
        while let ring = next, wasHandled(Occurrence(id, ring), checker) { next = plan.first(after: ring) }
        return next == nil
    }

    // MARK: what happens

    mutating func changed(_ alarms: Set<Alarm.ID>) { changed.formUnion(alarms) }

    /// The service has started again, and has lost a ring without a record.
    mutating func forgot(_ occurrence: Occurrence) { due.insert(occurrence) }

    /// A session begins. Returns whether it may, though its occurrence has rung before.
    mutating func begins(_ occurrence: Occurrence) -> Bool {
        ringsAgain.remove(occurrence)
        return mayRingAgain.contains(occurrence)
    }

    /// An alarm was deleted: a new one of its id is another.
    mutating func forget(_ id: Alarm.ID) {
        orphans.formUnion(missed.filter { $0.occurrence.alarm == id })
        missed.subtract(orphans)
        due = due.filter { $0.alarm != id }
    }

    /// Reads the announcements after an input. `isAnyNew`: the published state or the expected state has changed since the last time.
    mutating func read(
        _ night: Simulation, _ checker: InvariantChecker, _ now: Int, _ events: PlanEvents, isStale: Bool,
        isAnyNew: Bool
    ) {
        (self.events, self.now) = (events, now)
        before = alarms
        if events.step < 0 { setBackFrom = max(setBackFrom, now - events.step) }
        // A start knows no later time than the newest record's.
        let setBack = events.isStart ? checker.journal.model.newestMilliseconds - now : -events.step
        if setBack > ExpectedRings.sameDayMilliseconds {
            // After a restart, a session whose end is lost is open in the journal only.
            let turns = checker.sessions.turns + Array(checker.journal.model.open.keys)
            ringsAgain.formUnion(turns.filter { $0.at.milliseconds > now })
            mayRingAgain.formUnion(ringsAgain)
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

    /// The plan of an alarm as it is shown. An equal plan from before is reused.
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
        let all = Set(history.compactMap(\.missed))
        orphans.formIntersection(all)
        let missedBefore = missed
        missed = all.subtracting(orphans)
        // Of a run that was missed by a clock that was ahead, a part may remain.
        newlyMissed = missed.subtracting(events.isStart ? everMissed : missedBefore).filter { run in
            !missedBefore.contains { $0.first == run.first && $0.contains(run.occurrence) }
        }
        everMissed.formUnion(missed)
    }

    // MARK: what comes of it

    /// Checks the rings that were announced until now, and the present announcements. `isCalled`: the engine just got an input.
    mutating func check(_ checker: InvariantChecker, isCalled: Bool, isStale: Bool) {
        if isStale {
            for missed in newlyMissed { check(missed, checker) }
            // Without new announcements and new rings nothing has to be checked again.
            let isJudged =
                !isReadAnew && !events.isAny && due.isEmpty && newlyMissed.isEmpty
                && judgedTurnsCount == checker.sessions.turnsCount && nextDue ?? .max > now
            judgedTurnsCount = changed.isEmpty ? checker.sessions.turnsCount : -1
            if !isJudged { for (id, tracked) in alarms { check(id, tracked, checker) } }
        } else if let nextDue, nextDue <= (isCalled ? now : now - ExpectedRings.graceMilliseconds) {
            for (id, tracked) in alarms where tracked.next.map({ $0 * 1000 <= now }) == true {
                checker.report(.rings, "\(Occurrence(id, tracked.next ?? 0)) is due, and neither rings nor was missed")
            }
        }
        (changed, newlyMissed) = ([], [])
    }

    private mutating func check(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) {
        if let old = before[id] { collectDue(id, since: old) }
        for occurrence in due where occurrence.alarm == id { checkDue(occurrence, tracked, checker) }
        if let mistake = mistakeInNext(id, tracked, checker) { checker.report(.rings, "\(id) \(mistake)") }
    }

    /// Collects the announced ring, and the rings behind it, that are due by now.
    private mutating func collectDue(_ id: Alarm.ID, since old: TrackedAlarm) {
        var next = old.next
        while let ring = next, ring * 1000 <= now {
            due.insert(Occurrence(id, ring))
            next = old.plan.first(after: ring)
        }
    }

    private mutating func checkDue(_ occurrence: Occurrence, _ tracked: TrackedAlarm, _ checker: InvariantChecker) {
        if wasHandled(occurrence, checker) {
            judgedCount += 1
            due.remove(occurrence)
            return
        }
        let late = now / 1000 - occurrence.second
        let isTooOld = late > tracked.windowSeconds
        // A ring before the time that the clock was set back from has been due before. A start may not know of the step.
        let isPassed = events.isStart ? events.isBehind : isTooOld && events.step > 0
        if isWithdrawn(occurrence, tracked) || isPassed && occurrence.at.milliseconds <= setBackFrom {
            excusedCount += 1
            due.remove(occurrence)
        } else if !isTooOld || events.isTrusted {
            checker.report(.rings, "\(occurrence) is due, and neither rings nor was missed")
        }
    }

    /// Whether an announcement does not hold any more.
    private func isWithdrawn(_ occurrence: Occurrence, _ tracked: TrackedAlarm) -> Bool {
        guard let old = before[occurrence.alarm] else { return true }
        return occurrence.at.milliseconds > now || changed.contains(occurrence.alarm) || !tracked.isOn || !old.isOn
            || tracked.plan.calendar != old.plan.calendar || !tracked.plan.contains(occurrence.second)
    }

    /// What is wrong with the announced next ring: it has to be the first of the plan that is still to come, and the same as
    /// before unless an event has come.
    private func mistakeInNext(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) -> String? {
        let second = now / 1000
        let told = tracked.next.map { "\($0)" } ?? "never"
        if let next = tracked.next, next <= second { return "is told to ring at \(next), and it is \(now)" }
        if let old = before[id], !events.isAny, !changed.contains(id), !old.moves(to: tracked) {
            if old.next == tracked.next, old.plan == tracked.plan { return nil }
            if let next = old.next, next > second, next != tracked.next {
                return "was told to ring at \(next), and is told for \(told)"
            }
        }
        var last = second
        while tracked.isOn, let ring = tracked.plan.first(after: last) {
            let isHandled = wasHandled(Occurrence(id, ring), checker)
            if ring == tracked.next {
                return !isHandled || mayRingAgain.contains(Occurrence(id, ring))
                    ? nil : "is told to ring at \(ring) again"
            }
            if !isHandled { return "is to ring at \(ring), and is told for \(told)" }
            last = ring
        }
        return tracked.next.map { "is told to ring at \($0), and that is not in its plan" }
    }

    // MARK: what was missed

    private func check(_ run: MissedRings, _ checker: InvariantChecker) {
        let id = run.occurrence.alarm
        if !events.isTrusted { checker.report(.rings, "\(run.occurrence) was missed, and the time was not known") }
        guard !events.isStart || !changed.contains(id) else { return }
        if !mayRing(run.occurrence) { checker.report(.rings, "\(run.occurrence) was missed, and was not told") }
        let window = [alarms[id], before[id]].compactMap { $0?.windowSeconds }.min() ?? 0
        if now / 1000 - run.occurrence.second <= window {
            checker.report(.rings, "\(run.occurrence) was missed, and is not too late")
        }
        for occurrence in [Occurrence(alarm: id, at: run.first), run.occurrence]
        where checker.sessions.hasRung(occurrence) && !mayRingAgain.contains(occurrence) {
            checker.report(.rings, "\(occurrence) was missed, and has rung")
        }
    }
}

extension ExpectedRings.TrackedAlarm {
    /// Whether the zone, the calendar or a switch moves the alarm in its plan.
    fileprivate func moves(to new: ExpectedRings.TrackedAlarm) -> Bool {
        plan.zoneIndex != new.plan.zoneIndex || plan.calendar != new.plan.calendar || isOn != new.isOn
    }
}

extension MissedRings {
    fileprivate func contains(_ other: Occurrence) -> Bool {
        other.alarm == occurrence.alarm && first <= other.at && other.at <= occurrence.at
    }
}
