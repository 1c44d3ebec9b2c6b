// Promise 1: each ring that the owner was told of rings within a second of the first moment at which it could, or is told
// missed. Nothing else rings, and what is told next is the first ring of the alarm's plan that is still to come.

import Alarms
import CivilTime
import Engine

/// What has happened since the last look that may move alarms in their plans.
struct PlanEvents {
    /// Whether the service was started.
    var isStart = false
    /// Whether that does not know all that had happened: not everything was durable.
    var isBehind = false
    /// Whether the machine came to another zone.
    var isMachineMoved = false
    /// By how many milliseconds the best-known clock was set.
    var step = 0
    /// Whether the time was trusted before, and is now.
    var wasTrusted = true
    var isTrusted = true

    var isSetBack: Bool { step < 0 }
    /// Whether the time is known by more than a small correction now, or was set while nobody knew it: what was saved by the
    /// wrong clock counts from when that was.
    var findsOutWhenItWas: Bool {
        isStart ? isTrusted : wasTrusted ? false : isTrusted ? step <= -60_000 : step != 0
    }
    /// Whether any of this has happened.
    var isAny: Bool { isStart || mayMakeLate }
    /// Whether rings may have come to be late by any of this.
    var mayMakeLate: Bool { step != 0 || isMachineMoved || wasTrusted != isTrusted || isBehind }
}

/// What was acknowledged in this look, and when it was asked for.
struct Change {
    /// From when it was asked for until it was done, by the best-known clock.
    var span: ClosedRange<Int>
    /// The first of it by the world's time.
    var askedAt: Int
    /// Whether the time was trusted then.
    var isTimeKnown = true
    /// The alarms that it saves or changes.
    var alarms: Set<Alarm.ID>
}

/// Follows what is told of each alarm, and judges it by a planner of its own. Times are milliseconds by the best-known clock,
/// rings are seconds since 1970.
struct ToldRings {
    /// What was told last of one alarm.
    struct Line {
        var plan: PlainPlan
        var next: Int?
        /// It was asked for at the first and done at the last: somewhere between these its rings began to count.
        var since: ClosedRange<Int>
        /// Whether it was saved by a clock that nobody trusted, and nobody has since; and when, by the world's time, if a
        /// restart has not forgotten that.
        var isProvisional = false
        var savedAt: Int?
        /// Whether the day that it counts from has been passed by a turn, perhaps in another zone.
        var isAnchorPassed = false
        /// Counts how often its owner changed when it rings.
        var version = 0

        /// What is later than this does not ring.
        var windowSeconds: Int { max(plan.alarm.lateWindowSeconds, ToldRings.lateSecondsMin) }
    }

    /// Occurrences of one alarm that are told missed, from the first to the last.
    struct Missed: Hashable {
        var first: Int
        var last: Occurrence

        func contains(_ occurrence: Occurrence) -> Bool {
            last.alarm == occurrence.alarm && first <= occurrence.second && occurrence.at <= last.at
        }
    }

    private(set) var lines: [Alarm.ID: Line] = [:]
    /// As they were before this look.
    private var before: [Alarm.ID: Line] = [:]
    private var events = PlanEvents()
    private var changes: [Change] = []
    /// What was told and is too old to ring, while nobody knows the time: it is to be told missed.
    private var owed: Set<Occurrence> = []
    /// What had its turn, and lies ahead of a clock that was set back by more than a few hours.
    private var mayRingAgain: Set<Occurrence> = []
    private var missed: Set<Missed> = []
    /// All that was ever told missed: a restart may find again what was taken back.
    private var everMissed: Set<Missed> = []
    /// What was missed of alarms that are gone.
    private var orphans: Set<Missed> = []
    /// What is told missed since this look, and what is no longer.
    private var newlyMissed: Set<Missed> = []
    private var takenBack: Set<Missed> = []
    /// The latest that the clock showed when it was set back.
    private var setBackFrom = Int.min
    /// When the next ring that was told is due.
    private(set) var nextDue: Int?
    private var historyState: [Int] = []
    /// What the plans were read from last, and how many turns there were when they were judged last.
    private var readState = (-1, -1, -1)
    private var judgedTurnsCount = -1
    /// How many rings that were told had their turn.
    private(set) var judgedCount = 0

    /// So long after its time an alarm may begin.
    private static let graceMilliseconds = 1000
    /// A ring that is no later than this is on time.
    static let lateSecondsMin = 2
    /// A clock that is set back by more comes to another day's rings.
    private static let sameDayMilliseconds = 3 * 3_600_000

    // MARK: what others ask

    /// The first ring of an alarm that is told and of which these are true.
    func next(_ id: Alarm.ID, where isMeant: (Occurrence) -> Bool = { _ in true }) -> Int? {
        guard let line = lines[id], let next = line.next else { return nil }
        return line.plan.first(after: next - 1) { isMeant(Occurrence(id, $0)) }
    }

    /// The day that a skip leaves out: that of the next ring of the plan, left out already or not. One that may ring again
    /// is the next or is not.
    func daysToSkip(_ id: Alarm.ID, after now: Int, _ watcher: Watcher, _ world: World) -> [CivilDate?] {
        guard let line = lines[id], var alarm = watcher.account.alarms[id]?.alarm else { return [nil] }
        (alarm.skipped, alarm.anchor) = (DateSet(), line.plan.alarm.anchor)
        var plan = watcher.account.plan(of: alarm, machine: world.zoneIndex)
        plan.isSecondInFold = line.plan.isSecondInFold
        // A day is left out of the plan, whether or not all alarms are switched off.
        plan.isHouseOn = true
        let rings = [promised(plan, watcher), plan].flatMap { plan in
            [
                plan.first(after: now / 1000) { watcher.mayRing(Occurrence(id, $0)) },
                plan.first(after: now / 1000) { !hadTurn(id, $0, watcher) },
            ]
        }
        return rings.map { ring in ring.map { CivilDate(dayNumber: plan.zone.day(at: $0)) } }
    }

    func version(_ id: Alarm.ID) -> Int? { lines[id]?.version }

    /// How late an alarm rings.
    func windowSeconds(_ id: Alarm.ID) -> Int {
        max(lines[id]?.windowSeconds ?? ToldRings.lateSecondsMin, before[id]?.windowSeconds ?? 0)
    }

    /// Whether an occurrence is among those that were missed.
    func wasMissed(_ occurrence: Occurrence) -> Bool { missed.contains { $0.contains(occurrence) } }

    /// The last ring of an alarm that is told missed.
    func lastMissed(_ id: Alarm.ID) -> Occurrence? {
        missed.map(\.last).filter { $0.alarm == id }.max { $0.at < $1.at }
    }

    /// Whether what had its turn may ring again: the clock was set back by much, or its alarm was made anew.
    func canRingAgain(_ occurrence: Occurrence) -> Bool { mayRingAgain.contains(occurrence) }

    /// Whether an occurrence was told, or has come to be late by something that moves alarms in their plans.
    func mayRing(_ occurrence: Occurrence) -> Bool {
        let id = occurrence.alarm
        let second = occurrence.second
        let isPlanned = [before[id], lines[id]].contains { line in
            guard let line else { return false }
            return line.plan.contains(second) && second * 1000 > line.since.lowerBound - 1000
        }
        guard isPlanned, events.isStart || isSaved(id) || before[id]?.plan.isOn == true || lines[id]?.plan.isOn == true
        else {
            return false
        }
        guard let old = before[id], let line = lines[id], line.plan.zone == old.plan.zone else { return true }
        // It may come before its change was durable.
        let isNewlyWanted = isMoved(line, old) && changes.contains { $0.span.lowerBound <= second * 1000 }
        return old.next.map { $0 <= second } == true || owed.contains(occurrence) || isSaved(id) || isNewlyWanted
            || events.mayMakeLate || old.isProvisional && events.findsOutWhenItWas
    }

    private func hadTurn(_ id: Alarm.ID, _ second: Int, _ watcher: Watcher) -> Bool {
        let occurrence = Occurrence(id, second)
        return watcher.sessions.hasRung(occurrence) || wasMissed(occurrence)
    }

    private func isSaved(_ id: Alarm.ID) -> Bool { changes.contains { $0.alarms.contains(id) } }

    /// All that was acknowledged of an alarm in this look, as one.
    private func change(of id: Alarm.ID) -> Change? {
        let all = changes.filter { $0.alarms.contains(id) }
        guard var one = all.last else { return nil }
        one.span = all.map(\.span.lowerBound).reduce(one.span.lowerBound, min)...one.span.upperBound
        return one
    }

    /// Whether an alarm has no ring left, were nothing of it left out: none that is promised, or none that may be.
    func isSpent(_ id: Alarm.ID, ofPromised: Bool, at now: Int, _ watcher: Watcher) -> Bool {
        guard let line = lines[id] else { return true }
        var alarm = line.plan.alarm.leavingNothingOut
        alarm.isEnabled = true
        var plan = line.plan
        (plan.rule, plan.isHouseOn) = (PlainPlan.Rule(alarm, plan.zone, plan.calendar), true)
        if ofPromised { plan = promised(plan, watcher) }
        return plan.first(after: now / 1000) { !hadTurn(id, $0, watcher) } == nil
    }

    /// What is promised of a plan: a one-time alarm that had a turn on the day that it counts from, or later, may ring on that
    /// day or not.
    private func promised(_ plan: PlainPlan, _ watcher: Watcher) -> PlainPlan {
        guard plan.onceDay != nil else { return plan }
        var promised = plan
        let id = plan.alarm.id
        promised.isAnchorOver =
            hasPassedAnchor(plan, watcher)
            || [before[id], lines[id]].contains { line in
                guard let line, line.plan.day == plan.day else { return false }
                return line.isAnchorPassed || line.plan.rule !== plan.rule && hasPassedAnchor(line.plan, watcher)
            }
        return promised
    }

    /// Whether an alarm was saved that counts from a day that is over: it comes from another device, or its owner said so.
    private func wasOver(_ plan: PlainPlan, at saved: Int) -> Bool {
        plan.day.flatMap { plan.ring(on: $0) }.map { $0 * 1000 <= saved } ?? false
    }

    private func hasPassedAnchor(_ plan: PlainPlan, _ watcher: Watcher) -> Bool {
        guard let ring = plan.day.flatMap({ plan.ring(on: $0) }) else { return false }
        let id = plan.alarm.id
        return watcher.sessions.hasTurn(of: id, from: ring)
            || missed.contains { $0.last.alarm == id && $0.last.second >= ring }
    }

    // MARK: what happens

    /// Something was acknowledged, or is so although it was not.
    mutating func changed(_ change: Change) { changes.append(change) }

    /// The service has started again, and does not know of a ring that nobody could write down.
    mutating func forgot(_ occurrence: Occurrence) {
        owed.insert(occurrence)
    }

    mutating func died() {
        for id in lines.keys { lines[id]?.savedAt = nil }
    }

    /// When to look, by the best-known clock, if nothing happens.
    var nextLookAt: Int? { nextDue.map { $0 + ToldRings.graceMilliseconds } }

    /// Reads what is told now, of an engine that was given something.
    mutating func read(_ world: World, _ watcher: Watcher, _ now: Int, _ events: PlanEvents, isStale: Bool) {
        self.events = events
        before = lines
        if events.isSetBack {
            setBackFrom = max(setBackFrom, now - events.step)
            if -events.step > ToldRings.sameDayMilliseconds {
                let rung = watcher.sessions.ended.union(watcher.sessions.open.keys).union(watcher.sessions.closed.keys)
                mayRingAgain.formUnion(rung.filter { $0.second * 1000 > now })
            }
        }
        guard isStale else { return }
        readMisses(world.shown.history)
        let state = (world.shown.changeCount, watcher.account.changeCount, world.zoneIndex)
        let isAnyNew = events.isAny || !changes.isEmpty || state != readState
        readState = state
        let shown = world.shown.alarms
        if shown.count < lines.count {
            let ids = Set(shown.map(\.id))
            for id in lines.keys where !ids.contains(id) { lines[id] = nil }
        }
        for alarm in shown {
            let next = world.shown.nextSecond(alarm.id)
            let line = lines[alarm.id]
            if !isAnyNew, let line, line.next == next { continue }
            let plan = watcher.account.plan(of: alarm, machine: world.zoneIndex, like: line?.plan)
            read(alarm.id, plan, next, watcher, now, world.now)
        }
        nextDue = lines.values.compactMap(\.next).min().map { $0 * 1000 }
    }

    private mutating func read(
        _ id: Alarm.ID, _ plan: PlainPlan, _ next: Int?, _ watcher: Watcher, _ now: Int, _ worldNow: Int
    ) {
        let change = change(of: id)
        guard var line = lines[id] else {
            var line = Line(plan: plan, next: next, since: change?.span ?? now...now)
            line.plan.isSecondInFold = next.map(plan.isSecondInFold) ?? false
            setProvisional(&line, change)
            line.isAnchorPassed = wasOver(plan, at: line.since.upperBound)
            lines[id] = line
            return
        }
        let old = line
        (line.plan, line.next) = (plan, next)
        line.plan.isSecondInFold = next.map(plan.isSecondInFold) ?? old.plan.isSecondInFold
        line.isAnchorPassed = plan.day == old.plan.day && old.isAnchorPassed
        if isWhenNew(line, old, change) {
            line.version += 1
            line.isAnchorPassed = wasOver(plan, at: line.since.upperBound)
            line.since = change?.span ?? now...now
            setProvisional(&line, change)
        } else {
            if events.isSetBack { line.since = min(line.since.lowerBound, now)...min(line.since.upperBound, now) }
            if line.isProvisional, events.findsOutWhenItWas {
                let saved = line.savedAt.map { now - (worldNow - $0) } ?? now - line.windowSeconds * 1000
                line.since = saved - 1000...saved + 1000
            }
            // A start may not know what was found out.
            if events.isBehind || events.isStart && line.isProvisional {
                let late = now - line.windowSeconds * 1000 - 1000
                line.since = min(old.since.lowerBound, late)...max(old.since.upperBound, now)
            }
            if events.isTrusted { (line.isProvisional, line.savedAt) = (false, nil) }
            if change != nil || isMoved(line, old) {
                line.since = line.since.lowerBound...max(line.since.upperBound, now)
            }
        }
        lines[id] = line
    }

    private func setProvisional(_ line: inout Line, _ change: Change?) {
        line.isProvisional = change?.isTimeKnown == false && !events.isTrusted
        line.savedAt = events.isStart ? nil : change?.askedAt
    }

    /// Whether its owner has changed when an alarm rings, or has switched it on.
    private func isWhenNew(_ line: Line, _ old: Line, _ change: Change?) -> Bool {
        let (new, was) = (line.plan.alarm, old.plan.alarm)
        return change != nil && (!new.hasWhen(of: was) || new.isEnabled && !was.isEnabled)
    }

    /// Whether what an alarm depends on besides has changed: its zone, its calendar, the master switch.
    private func isMoved(_ line: Line, _ old: Line) -> Bool {
        line.plan.zone != old.plan.zone || line.plan.calendar != old.plan.calendar
            || line.plan.isHouseOn && !old.plan.isHouseOn
    }

    /// An alarm is gone: others of its id have nothing to do with it.
    mutating func forget(_ id: Alarm.ID) {
        orphans.formUnion(missed.filter { $0.last.alarm == id })
        missed.subtract(orphans)
        owed = owed.filter { $0.alarm != id }
    }

    /// What is told missed now.
    private mutating func readMisses(_ history: [PastRing]) {
        let state = [history.count, history.last?.endedMilliseconds ?? 0, events.isSetBack || events.isStart ? 1 : 0]
        guard state != historyState || state[2] == 1 else { return takenBack = [] }
        historyState = state
        var told: Set<Missed> = []
        for past in history {
            guard let missed = past.missed else { continue }
            told.insert(Missed(first: missed.first.secondsSince1970, last: missed.occurrence))
        }
        orphans.formIntersection(told)
        told.subtract(orphans)
        (newlyMissed, takenBack) = (told.subtracting(missed), missed.subtracting(told))
        if events.isStart { newlyMissed.subtract(everMissed) }
        everMissed.formUnion(told)
        missed = told
    }

    // MARK: what comes of it

    /// Judges what has become of the rings that were told until now, and what is told now. `isCalled` says that the engine was
    /// given something just now.
    mutating func judge(_ watcher: Watcher, _ now: Int, isCalled: Bool, isStale: Bool) {
        if isStale {
            for missed in newlyMissed { judge(missed, watcher, now) }
            let hasNoTurnMore =
                !events.isAny && owed.isEmpty && takenBack.isEmpty && newlyMissed.isEmpty
                && judgedTurnsCount == watcher.sessions.turnsCount
            judgedTurnsCount = changes.isEmpty ? watcher.sessions.turnsCount : -1
            for (id, line) in lines {
                if hasNoTurnMore, let old = before[id], old.next == line.next, line.next ?? .max > now / 1000,
                    old.plan == line.plan, !isSaved(id)
                {
                    continue
                }
                // It may have rung just now, in the zone that it was in.
                let isPassed = promised(line.plan, watcher).isAnchorOver
                if isPassed != line.isAnchorPassed, !isSaved(id) { lines[id]?.isAnchorPassed = isPassed }
                collect(id, line, watcher, now)
                if let mistake = mistakeInNext(line, watcher, now) ?? mistakeInAnchor(id, line, watcher, now) {
                    watcher.broke(.rings, "\(id) \(mistake)")
                }
            }
        } else if let nextDue, nextDue <= (isCalled ? now : now - ToldRings.graceMilliseconds) {
            for (id, line) in lines where line.next.map({ $0 * 1000 <= now }) == true {
                watcher.broke(.rings, "\(Occurrence(id, line.next ?? 0)) is due, and neither rings nor was missed")
            }
        }
        (changes, newlyMissed, takenBack) = ([], [], [])
    }

    /// Whatever of an alarm was told until now has its turn.
    private mutating func collect(_ id: Alarm.ID, _ line: Line, _ watcher: Watcher, _ now: Int) {
        let second = now / 1000
        var due = Set(owed.filter { $0.alarm == id }.map(\.second))
        owed = owed.filter { $0.alarm != id }
        let old = before[id]
        if let old, let next = old.next, next <= second { due.formUnion(old.plan.rings(next...second)) }
        for missed in takenBack where missed.last.alarm == id && missed.first <= second {
            let rings = line.plan.rings(missed.first...min(missed.last.second, second))
            due.formUnion(rings.filter { $0 * 1000 > line.since.upperBound })
        }
        if let old, !isSaved(id) {
            let isFoundOut = old.isProvisional && events.findsOutWhenItWas
            if isFoundOut || line.plan.zone != old.plan.zone, !isMovedOtherwise(line, old) {
                let turns = watcher.sessions.turns(of: id).filter { $0 <= second } + missedSeconds(id)
                let passed = max(line.since.upperBound / 1000, turns.max() ?? .min)
                due = due.filter { line.plan.contains($0) && $0 > passed }
                if passed < second { due.formUnion(line.plan.rings(passed + 1...second)) }
            } else if isMovedOtherwise(line, old) || line.plan.isOn != old.plan.isOn {
                due = []
            } else if events.step > 0, line.plan.alarm.anchor != old.plan.alarm.anchor {
                // It was fixed anew in place of being missed.
                due = []
            } else {
                due = due.filter { line.plan.isOn && line.plan.contains($0) }
            }
        } else {
            due = due.filter { line.plan.isOn && line.plan.contains($0) && $0 * 1000 > line.since.upperBound }
        }
        let promised = promised(line.plan, watcher)
        for ring in due.sorted() where ring <= second {
            let occurrence = Occurrence(id, ring)
            if hadTurn(id, ring, watcher) {
                judgedCount += 1
                continue
            }
            guard promised.contains(ring) else { continue }
            let isTooOld = ring <= second - 1 - line.windowSeconds
            // What a clock that was set back comes to again had been there. A start may not know that it was set back.
            let isSilent = events.isStart ? events.isBehind : isTooOld && events.step > 0
            if isSilent, ring * 1000 <= setBackFrom { continue }
            if isTooOld, !events.isTrusted {
                owed.insert(occurrence)
            } else {
                watcher.broke(.rings, "\(occurrence) is due, and neither rings nor was missed")
            }
        }
    }

    private func missedSeconds(_ id: Alarm.ID) -> [Int] { missed.map(\.last).filter { $0.alarm == id }.map(\.second) }

    /// Whether the master switch or a calendar has changed: rings up to now were not wanted.
    private func isMovedOtherwise(_ line: Line, _ old: Line) -> Bool {
        line.plan.calendar != old.plan.calendar || line.plan.isHouseOn != old.plan.isHouseOn
    }

    /// What is wrong with the next ring that is told: it is the first of the plan that is still to come and had no turn.
    private func mistakeInNext(_ line: Line, _ watcher: Watcher, _ now: Int) -> String? {
        let id = line.plan.alarm.id
        let second = now / 1000
        if let next = line.next, next <= second { return "is told to ring at \(next), and it is \(now)" }
        if let old = before[id], old.next == line.next, old.plan == line.plan, events.step == 0, !events.isStart {
            return nil
        }
        let promised = promised(line.plan, watcher)
        var last = second
        while let ring = line.plan.first(after: last) {
            let isOpen = !hadTurn(id, ring, watcher)
            let canRingAgain = canRingAgain(Occurrence(id, ring))
            if ring == line.next { return isOpen || canRingAgain ? nil : "is told to ring at \(ring) again" }
            if isOpen, !canRingAgain, promised.contains(ring) {
                return "is to ring at \(ring), and is told for \(line.next.map { "\($0)" } ?? "never")"
            }
            last = ring
        }
        return line.next.map { "is told to ring at \($0), and that is not in its plan" }
    }

    // MARK: the day that Rooster fixes

    /// What is wrong with the day that Rooster has fixed for an alarm: it stays unless its owner, its zone or the clock gives a
    /// reason, and is not over when the time is found out.
    private func mistakeInAnchor(_ id: Alarm.ID, _ line: Line, _ watcher: Watcher, _ now: Int) -> String? {
        let plan = line.plan
        // A restart finds the day that was durable.
        guard plan.needsAnchor, plan.alarm.isEnabled, !events.isBehind else { return nil }
        let old = before[id]
        let isFixed = old?.plan.alarm.anchor != plan.alarm.anchor
        if isFixed, let old, !isSaved(id), !isMoved(line, old), !events.mayMakeLate, !events.isStart {
            return "counts from \(plan.anchorText), and from \(old.plan.anchorText) before"
        }
        let isFoundOut = old?.isProvisional == true && events.findsOutWhenItWas
        guard plan.alarm.recurrence == nil, isFoundOut, events.isTrusted, plan.isHouseOn,
            !promised(plan, watcher).isAnchorOver, let ring = plan.day.flatMap({ plan.ring(on: $0) }),
            ring * 1000 <= now, !hadTurn(id, ring, watcher)
        else { return nil }
        return "counts from \(plan.anchorText), and that is over"
    }

    // MARK: what was missed

    private func judge(_ run: Missed, _ watcher: Watcher, _ now: Int) {
        let id = run.last.alarm
        if !events.isTrusted { watcher.broke(.rings, "\(run.last) was missed, and nobody knew the time") }
        // Of what was missed by a clock that was ahead, a part may be left.
        let isPart = takenBack.contains { $0.first == run.first && $0.contains(run.last) }
        guard !isPart, !events.isStart || !isSaved(id) else { return }
        if !mayRing(run.last) { watcher.broke(.rings, "\(run.last) was missed, and was not told") }
        let window = [lines[id], before[id]].compactMap { $0?.windowSeconds }.min() ?? 0
        if now / 1000 - run.last.second <= window {
            watcher.broke(.rings, "\(run.last) was missed, and is not too late")
        }
        let first = Occurrence(id, run.first)
        for occurrence in [first, run.last] where watcher.sessions.hasRung(occurrence) && !canRingAgain(occurrence) {
            watcher.broke(.rings, "\(occurrence) was missed, and has rung")
        }
    }
}

extension PlainPlan {
    fileprivate var anchorText: String { alarm.anchor.map { "\($0)" } ?? "no day" }
}

extension Occurrence {
    init(_ alarm: Alarm.ID, _ second: Int) { self.init(alarm: alarm, at: Instant(secondsSince1970: second)) }

    var second: Int { at.secondsSince1970 }
}
