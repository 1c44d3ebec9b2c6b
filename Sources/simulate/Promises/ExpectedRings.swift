// Promise 1: each ring that was announced rings within a second of the first moment at which it can, or is recorded as missed.
// No other ring comes, and the announced next ring is the first of the alarm's plan that is still to come.

import Alarms
import CivilTime
import Engine

/// Follows the announced rings of each alarm, and checks them against the plan that its owner is shown. Times are milliseconds
/// by the best-known clock, rings are seconds since 1970.
struct ExpectedRings {
    struct TrackedAlarm {
        var plan: RingPlan
        var next: Int?
        /// Whether it was saved while the clock was not trusted, and the clock has not become trusted since.
        var isProvisional = false
        /// The ring of its anchor, if it has rung.
        var anchorTurn: Occurrence?

        var windowSeconds: Int { max(plan.alarm.lateWindowSeconds, ExpectedRings.lateSecondsMin) }
    }

    private(set) var alarms: [Alarm.ID: TrackedAlarm] = [:]
    /// The announcements before this observation.
    private var before: [Alarm.ID: TrackedAlarm] = [:]
    private var (events, now) = (PlanEvents(), 0)
    private var changes: [AcknowledgedChange] = []
    /// Announced rings that are too old to ring, while the clock is not trusted: they have to be recorded as missed.
    private var overdue: Set<Occurrence> = []
    /// Rings that are ahead again after the clock was set back by hours. A restart may not know of the second time.
    private(set) var mayRingAgain: Set<Occurrence> = []
    /// Those of them that are still to ring again.
    private var ringsAgain: Set<Occurrence> = []
    private(set) var missed: Set<MissedRings> = []
    /// All rings that were ever recorded as missed: a start may find those again that were taken back.
    private var everMissed: Set<MissedRings> = []
    /// Missed rings of deleted alarms.
    private var orphans: Set<MissedRings> = []
    private var (newlyMissed, missedBefore): (Set<MissedRings>, Set<MissedRings>) = ([], [])
    /// The latest time that the clock showed before it was set back.
    private var setBackFrom = Int.min
    private(set) var nextDue: Int?
    private var historyState: [Int] = []
    /// The next rings as they were last read, and whether this observation read them.
    private var (readNext, isReadAnew): ([PlannedRing], Bool) = ([], false)
    /// How many rings had begun or ended when the plans were last checked.
    private var judgedTurnsCount = -1
    /// How many announced rings have rung or were missed; and how often either of two answers was accepted.
    private(set) var (judgedCount, excusedCount) = (0, 0)

    /// The grace: an alarm may begin so long after its time.
    static let graceMilliseconds = 1000
    /// A ring that is no later than this is on time.
    static let lateSecondsMin = 2
    /// A clock that is set back by more than this comes to the rings of another day.
    private static let sameDayMilliseconds = 3 * 3_600_000

    // MARK: what others ask

    func nextDay(_ id: Alarm.ID) -> CivilDate? {
        alarms[id].flatMap { tracked in tracked.next.flatMap(tracked.plan.ring)?.date }
    }

    func windowSeconds(_ id: Alarm.ID) -> Int {
        max(alarms[id]?.windowSeconds ?? ExpectedRings.lateSecondsMin, before[id]?.windowSeconds ?? 0)
    }

    func wasMissed(_ occurrence: Occurrence) -> Bool { missed.contains { $0.contains(occurrence) } }

    /// Whether an occurrence was announced, or has become late by an event that moves alarms in their plans.
    func mayRing(_ occurrence: Occurrence) -> Bool {
        let id = occurrence.alarm
        let second = occurrence.second
        let isPlanned = [before[id], alarms[id]].contains { $0?.plan.withAnchor.contains(second) == true }
        guard isPlanned,
            isSaved(id) || events.isStart || [before[id], alarms[id]].contains(where: { $0?.plan.isOn == true })
        else { return false }
        guard let old = before[id], let tracked = alarms[id] else { return true }
        return old.next.map { $0 <= second } == true || overdue.contains(occurrence) || isSaved(id)
            || isMoved(tracked, old) || events.mayMakeLate || events.isStart && old.isProvisional
    }

    private func wasHandled(_ id: Alarm.ID, _ second: Int, _ checker: InvariantChecker) -> Bool {
        let occurrence = Occurrence(id, second)
        if wasMissed(occurrence) { return true }
        // A session that still rings when the clock reaches its time again counts for both.
        if ringsAgain.contains(occurrence) { return second * 1000 <= now && checker.sessions.open[occurrence] != nil }
        return checker.sessions.hasRung(occurrence)
    }

    private func isSaved(_ id: Alarm.ID) -> Bool { changes.contains { $0.alarms.contains(id) } }

    /// Whether an alarm has no ring left, apart from skips and pauses.
    func isSpent(_ id: Alarm.ID, _ checker: InvariantChecker) -> Bool {
        guard var plan = alarms[id]?.plan else { return true }
        var alarm = plan.alarm
        (alarm.isEnabled, alarm.skipped, alarm.paused) = (true, DateSet(), DateSet())
        (plan.rule, plan.isHouseOn) = (
            RingPlan.RingRule(alarm, zoneIndex: plan.rule.zoneIndex, plan.rule.calendar), true
        )
        plan.isAnchorOver = plan.isAnchorOver || anchorTurn(plan, checker) != nil
        return plan.first(after: now / 1000) { !wasHandled(id, $0, checker) } == nil
    }

    /// The ring of a one-time alarm's anchor: the first that rang then, or later.
    private func anchorTurn(_ plan: RingPlan, _ checker: InvariantChecker) -> Occurrence? {
        guard let ring = plan.anchorSecond else { return nil }
        let id = plan.alarm.id
        let turns = checker.sessions.turns(of: id) + missed.map(\.occurrence).filter { $0.alarm == id }
        return turns.filter { $0.second >= ring && wasHandled(id, $0.second, checker) }.min { $0.at < $1.at }
    }

    // MARK: what happens

    mutating func changed(_ change: AcknowledgedChange) { changes.append(change) }

    /// The service has started again, and has lost a ring without a record.
    mutating func forgot(_ occurrence: Occurrence) { overdue.insert(occurrence) }

    mutating func begins(_ occurrence: Occurrence) { ringsAgain.remove(occurrence) }

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
            let turns = checker.sessions.turns() + Array(checker.journal.model.open.keys)
            ringsAgain.formUnion(turns.filter { $0.second * 1000 > now })
            mayRingAgain.formUnion(ringsAgain)
        }
        guard isStale else { return }
        readMisses(night.published.history)
        isReadAnew = isAnyNew || events.isAny || !changes.isEmpty || readNext != night.published.status.next
        guard isReadAnew else { return }
        readNext = night.published.status.next
        let shown = night.published.file.alarms
        for id in alarms.keys where !shown.contains(where: { $0.id == id }) { alarms[id] = nil }
        for alarm in shown {
            let old = alarms[alarm.id]
            let plan = checker.expected.plan(of: alarm, machine: night.zoneIndex, like: old?.plan)
            alarms[alarm.id] = tracked(plan, night.published.nextSecond(alarm.id), old, checker)
        }
        nextDue = alarms.values.compactMap(\.next).min().map { $0 * 1000 }
    }

    private func tracked(_ plan: RingPlan, _ next: Int?, _ old: TrackedAlarm?, _ checker: InvariantChecker)
        -> TrackedAlarm
    {
        var tracked = TrackedAlarm(plan: plan, next: next)
        tracked.plan.isSecondInFold = next.map(plan.isSecondInFold) ?? old?.plan.isSecondInFold ?? false
        let alarm = plan.alarm
        let change = changes.last { $0.alarms.contains(alarm.id) }
        if let old,
            change == nil || alarm.hasSameSchedule(as: old.plan.alarm) && (old.plan.alarm.isEnabled || !alarm.isEnabled)
        {
            tracked.isProvisional = old.isProvisional && !events.isTrusted
            if alarm.anchor == old.plan.alarm.anchor, alarm.date == old.plan.alarm.date {
                tracked.anchorTurn = old.anchorTurn
                tracked.plan.isAnchorOver = old.plan.isAnchorOver
            }
        } else {
            // The owner has changed when it rings.
            tracked.isProvisional = change?.isTimeKnown == false && !events.isTrusted
        }
        return tracked
    }

    /// Whether the zone, the calendar or the master switch of an alarm has changed.
    private func isMoved(_ tracked: TrackedAlarm, _ old: TrackedAlarm) -> Bool {
        tracked.plan.rule.zoneIndex != old.plan.rule.zoneIndex || isMovedOtherwise(tracked, old)
    }

    /// Whether the master switch or the calendar has changed: rings up to now were not wanted.
    private func isMovedOtherwise(_ tracked: TrackedAlarm, _ old: TrackedAlarm) -> Bool {
        tracked.plan.rule.calendar != old.plan.rule.calendar || tracked.plan.isHouseOn != old.plan.isHouseOn
    }

    /// An alarm was deleted: a new one of its id is another.
    mutating func forget(_ id: Alarm.ID) {
        orphans.formUnion(missed.filter { $0.occurrence.alarm == id })
        missed.subtract(orphans)
        overdue = overdue.filter { $0.alarm != id }
    }

    private mutating func readMisses(_ history: [PastRing]) {
        let state = [history.count, history.last?.endedMilliseconds ?? 0]
        guard state != historyState || events.isStart || events.step < 0 else { return }
        historyState = state
        let all = Set(history.compactMap(\.missed))
        orphans.formIntersection(all)
        missedBefore = missed
        missed = all.subtracting(orphans)
        newlyMissed = missed.subtracting(missedBefore)
        if events.isStart { newlyMissed.subtract(everMissed) }
        everMissed.formUnion(missed)
    }

    // MARK: what comes of it

    /// Checks the rings that were announced until now, and the present announcements. `isCalled`: the engine just got an input.
    mutating func check(_ checker: InvariantChecker, isCalled: Bool, isStale: Bool) {
        if isStale {
            for missed in newlyMissed { check(missed, checker) }
            // Without new announcements and new rings nothing has to be checked again.
            let isJudged =
                !isReadAnew && !events.isAny && overdue.isEmpty && newlyMissed.isEmpty
                && judgedTurnsCount == checker.sessions.turnsCount && nextDue ?? .max > now
            judgedTurnsCount = changes.isEmpty ? checker.sessions.turnsCount : -1
            if !isJudged { for id in alarms.keys { check(id, checker) } }
        } else if let nextDue, nextDue <= (isCalled ? now : now - ExpectedRings.graceMilliseconds) {
            for (id, tracked) in alarms where tracked.next.map({ $0 * 1000 <= now }) == true {
                checker.report(.rings, "\(Occurrence(id, tracked.next ?? 0)) is due, and neither rings nor was missed")
            }
        }
        (changes, newlyMissed) = ([], [])
    }

    private mutating func check(_ id: Alarm.ID, _ checker: InvariantChecker) {
        guard var tracked = alarms[id] else { return }
        // A missed ring that was taken back, or a ring that a restart has lost, does not count.
        if let turn = tracked.anchorTurn, !wasMissed(turn), !checker.sessions.hasRung(turn) { tracked.anchorTurn = nil }
        tracked.anchorTurn = tracked.anchorTurn ?? anchorTurn(tracked.plan, checker)
        // It may have rung in the very moment in which the zone has changed.
        if events.isMachineMoved, let ring = before[id]?.next, ring == before[id]?.plan.anchorSecond,
            wasHandled(id, ring, checker)
        {
            tracked.anchorTurn = Occurrence(id, ring)
        }
        tracked.plan.isAnchorOver = tracked.anchorTurn != nil
        alarms[id] = tracked
        collect(id, tracked, checker)
        if let mistake = mistakeInNext(tracked, checker) ?? mistakeInAnchor(id, tracked, checker) {
            checker.report(.rings, "\(id) \(mistake)")
        }
    }

    /// Checks that each announced ring up to now has rung or was missed, unless an event has moved the alarm in its plan.
    private mutating func collect(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) {
        let second = now / 1000
        var due = Set(overdue.filter { $0.alarm == id }.map(\.second))
        overdue = overdue.filter { $0.alarm != id }
        if let old = before[id] {
            var next = old.next.flatMap { $0 <= second ? old.plan.first(after: $0 - 1) : nil }
            while let ring = next, ring <= second {
                due.insert(ring)
                next = old.plan.first(after: ring)
            }
            let isMovedOn =
                isMovedOtherwise(tracked, old) || !tracked.plan.isOn || isSaved(id)
                || events.step > 0 && tracked.plan.alarm.anchor != old.plan.alarm.anchor
                || old.isProvisional && (events.isStart || events.step != 0)
            if isMovedOn { due = [] }
        }
        for ring in due.sorted() where ring <= second {
            let occurrence = Occurrence(id, ring)
            if wasHandled(id, ring, checker) {
                judgedCount += 1
                ringsAgain.remove(occurrence)
                continue
            }
            guard tracked.plan.contains(ring) else { continue }
            let isTooOld = ring <= second - 1 - tracked.windowSeconds
            // A ring before the time that the clock was set back from has been due before. A start may not know of the step.
            let isSilent = events.isStart ? events.isBehind : isTooOld && events.step > 0
            if isSilent, ring * 1000 <= setBackFrom { continue }
            if isTooOld, !events.isTrusted {
                overdue.insert(occurrence)
            } else {
                checker.report(.rings, "\(occurrence) is due, and neither rings nor was missed")
            }
        }
    }

    /// What is wrong with the announced next ring: it has to be the first of the plan that is still to come, and the same as
    /// before unless an event has come.
    private mutating func mistakeInNext(_ tracked: TrackedAlarm, _ checker: InvariantChecker) -> String? {
        let id = tracked.plan.alarm.id
        let second = now / 1000
        if let next = tracked.next, next <= second { return "is told to ring at \(next), and it is \(now)" }
        if let old = before[id], !events.isAny {
            if old.next == tracked.next, old.plan == tracked.plan { return nil }
            if let next = old.next, next > second, next != tracked.next, old.plan.isOn == tracked.plan.isOn,
                !isSaved(id),
                !isMoved(tracked, old)
            {
                return "was told to ring at \(next), and is told for \(tracked.next.map { "\($0)" } ?? "never")"
            }
        }
        let plan = tracked.plan.withAnchor
        var last = second
        while let ring = plan.first(after: last) {
            let isRight = !wasHandled(id, ring, checker) && tracked.plan.contains(ring)
            if ring == tracked.next {
                if isRight { return nil }
                // The engine may not know of the second ring, or whether a change of zone has removed the anchor's day.
                guard mayRingAgain.contains(Occurrence(id, ring)) || !tracked.plan.contains(ring) else {
                    return "is told to ring at \(ring) again"
                }
                excusedCount += 1
                return nil
            }
            if isRight {
                // A restart may not know of the step back.
                guard events.isStart, events.isBehind, ringsAgain.remove(Occurrence(id, ring)) != nil else {
                    return "is to ring at \(ring), and is told for \(tracked.next.map { "\($0)" } ?? "never")"
                }
                excusedCount += 1
            }
            last = ring
        }
        return tracked.next.map { "is told to ring at \($0), and that is not in its plan" }
    }

    /// An anchor that was resolved by a wrong clock must not be in the past when the clock becomes trusted, unless it has rung.
    private func mistakeInAnchor(_ id: Alarm.ID, _ tracked: TrackedAlarm, _ checker: InvariantChecker) -> String? {
        let plan = tracked.plan
        guard before[id]?.isProvisional == true, events.isTrusted, !events.isBehind, plan.isOn, !plan.isAnchorOver,
            plan.alarm.needsAnchor, tracked.next == nil, let ring = plan.anchorSecond, ring * 1000 <= now,
            !wasHandled(id, ring, checker)
        else { return nil }
        return "counts from \(plan.alarm.anchor.map { "\($0)" } ?? "no day"), and that is over"
    }

    // MARK: what was missed

    private func check(_ run: MissedRings, _ checker: InvariantChecker) {
        let id = run.occurrence.alarm
        if !events.isTrusted { checker.report(.rings, "\(run.occurrence) was missed, and the time was not known") }
        // A part of a run that was missed by a clock that was ahead may remain.
        let isPart = missedBefore.contains { $0.first == run.first && $0.contains(run.occurrence) }
        guard !isPart, !events.isStart || !isSaved(id) else { return }
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

extension MissedRings {
    fileprivate func contains(_ other: Occurrence) -> Bool {
        other.alarm == occurrence.alarm && first <= other.at && other.at <= occurrence.at
    }
}
