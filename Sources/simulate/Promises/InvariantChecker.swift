// The checker of all promises, which observes the engine from outside.

import Agenda
import Alarms
import CivilTime
import Engine
import Health
import SimulatedDevices

/// The checker. It sees all inputs and effects, and keeps its own record of acknowledged changes.
final class InvariantChecker {
    /// The first broken promise, with a description.
    private(set) var violation: (promise: Promise, text: String)?
    private(set) var expected = ExpectedState()
    /// The expected state before a start that found entries which may not be durable.
    private var expectedBeforeUnsure: ExpectedState?
    var journal = JournalWatch()
    private(set) var sessions = SessionWatch()
    var rings = ExpectedRings()
    var requests = RequestWatch()
    private var notices = NoticeWatch()
    private(set) var postponed = PostponeWatch()
    private var lockedBefore: Set<Alarm.ID> = []
    private(set) var sound: SoundOrder?
    var room = SoundWatch()
    private var shaker = ShakerWatch()
    private var sunrise = SunriseWatch()
    private var bedtimes = BedtimeWatch()
    /// The last observation: the night's time, the best-known time and its trust, and the machine's zone.
    private var lastObservation: (night: Int, best: Int, isTrusted: Bool, zoneIndex: Int)?
    private var isStart = false
    /// The devices that the configuration lacked at some time. A restore keeps alarms off that need one.
    private var everMissing: Set<Part> = []
    /// The change counts of both states at their last comparison, and the machine's zone then.
    private var compared = (-1, -1, -1)

    func report(_ promise: Promise, _ text: @autoclosure () -> String) {
        if violation == nil { violation = (promise, "\(promise): \(text())") }
    }

    /// Returns the time of the next check without an event: a moment after a ring or a reply is due.
    func nextCheckAt(_ night: Simulation) -> Int {
        let due =
            [rings.nextDue, notices.nextDue, postponed.nextDue].compactMap(\.self).min().map {
                $0 + ExpectedRings.graceMilliseconds - bestNow(night) + night.now
            }
            ?? .max
        return min(due, sessions.nextCheckAt ?? .max, requests.nextCheckAt(night) ?? .max)
    }

    /// Returns the best-known present time.
    func bestNow(_ night: Simulation) -> Int {
        night.published.status.nowMilliseconds + night.now - night.published.at
    }

    func locked(_ engine: Engine) -> Set<Alarm.ID> {
        Set(expected.alarms.keys.filter { engine.isLocked($0) })
    }

    // MARK: inputs and effects

    func willGive(_ input: Input, _ night: Simulation) {
        if !requests.open.isEmpty { lockedBefore = locked(night.engine) }
        sessions.willGive(
            input, isRepeated: requests.isRepeated(input), codes: expected.codes, at: night.now,
            bootedAt: night.clock.bootedAt)
    }

    func gave(_ effects: [Effect], _ night: Simulation, isCalled: Bool) {
        var isStale = isStart
        for effect in effects {
            switch effect {
            case .commit(let entries, let number): journal.commitSent(entries, number: number)
            case .sound(let order):
                sound = order
                room.ordered(order, among: night.published.status.ringing, at: night.moment.uptimeMilliseconds)
            case .shake(let order): shaker.order = order
            case .sunrise(let order): sunrise.order = order
            case .statusChanged: isStale = true
            case .prompt(.notice(let ring)):
                notices.prompted(ring, night.published.alarm(ring.occurrence.alarm), now: bestNow(night), self)
            case .prompt(.bedtime(let at)): bedtimes.prompted(at, night, now: bestNow(night), self)
            default: break
            }
        }
        if let excess = night.published.excess { report(.answers, excess) }
        observe(night, isCalled: isCalled, isStale: isStale)
    }

    func committed(_ entries: [Entry], number: Int) {
        journal.committed(entries, number: number)
        requests.committed()
    }

    func died(_ night: Simulation) {
        sound = nil
        (shaker.order, sunrise.order) = (nil, nil)
        room.stopped(Set(journal.model.open.keys))
        sessions.died(at: night.now)
        requests.died()
    }

    func restarted(_ night: Simulation, entries: [Entry], isUnsure: Bool) {
        if let mistake = journal.found(entries, isUnsure: isUnsure) { report(.memory, mistake) }
        notices.restarted(entries)
        everMissing.formUnion(night.missing)
        bedtimes.restarted(entries)
        for occurrence in sessions.restarted(journal, night) { rings.forgot(occurrence) }
        isStart = true
    }

    // MARK: observations

    func observe(_ night: Simulation, isCalled: Bool = false, isStale: Bool = false) {
        guard violation == nil else { return }
        let status = night.published.status
        let events = watchClock(status, night)
        let now = bestNow(night)
        // The states are compared only if one has changed since the last comparison.
        let isAnyNew = compared != (night.published.changeCount, expected.changeCount, night.zoneIndex)
        if isStale, isAnyNew || isStart {
            compareExpected(night, now)
            for id in rings.alarms.keys where expected.alarms[id] == nil {
                sessions.forget(id)
                rings.forget(id)
                notices.forget(id)
            }
        } else if isStale {
            // A ring that was missed during a sleep may have undone the effect of an unconfirmed request.
            for tracked in requests.mayBeDone(isStart: false) { rings.changed(tracked.command.alarms) }
            requests.settle(isStart: false)
        }
        rings.read(night, self, now, events, isStale: isStale, isAnyNew: isAnyNew)
        sessions.observe(status, sound, night, self)
        shaker.check(status, self)
        if isStale {
            let isExcused = isStart || events.isAny
            postponed.read(night.published.postponed, changed: rings.changed, isExcused: isExcused, night, self)
        }
        if night.isRunning, events.isTrusted {
            postponed.check(night, now: now, isOn: expected.settings.isEnabled, self)
        }
        bedtimes.check(sound, status, night, self)
        if night.isRunning { sunrise.check(night, isCalled: isCalled, self) }
        rings.check(self, isCalled: isCalled, isStale: isStale)
        if night.isRunning { notices.check(rings.alarms, now: now, isCalled: isCalled, self) }
        if isStale, isAnyNew || isStart || !sessions.endedNow.isEmpty { compareSwitches(night) }
        if isStale { compared = (night.published.changeCount, expected.changeCount, night.zoneIndex) }
        requests.checkTimeouts(night, self)
        isStart = false
    }

    // MARK: acknowledged commands

    /// Records an acknowledged command, and reports an escape from a lock. `day` is the date that a skip
    /// left out.
    func acknowledge(_ tracked: RequestWatch.TrackedRequest, skipping day: CivilDate?, _ night: Simulation) {
        let before = expected
        expected.apply(tracked.command, skipping: day)
        for id in tracked.locked.intersection(lockedBefore)
        where expected.isEscape(
            id, since: before, from: rings.alarms[id]?.next, to: night.published.nextSecond(id),
            isTimely: !tracked.isOvertaken(night))
            // If a ring has come since, it was the next one when the engine decided the command.
            && !(sessions.open.keys + night.published.status.sessions.map(\.session.occurrence))
                .contains(where: { $0.alarm == id && $0.at.milliseconds > tracked.at })
        {
            report(.ending, "\(tracked.command) escapes \(id)")
        }
        if case .postpone(let id, _) = tracked.command, tracked.locked.intersection(lockedBefore).contains(id),
            before.alarms[id]?.alarm.isPostponable == false
        {
            report(.ending, "\(tracked.command) escapes \(id)")
        }
        if case .done(let id) = tracked.command, tracked.locked.intersection(lockedBefore).contains(id),
            night.published.history.contains(where: {
                $0.ending == .done && $0.occurrence.alarm == id && $0.endedMilliseconds >= tracked.at
            })
        {
            report(.ending, "\(tracked.command) escapes \(id)")
        }
        adopt(tracked.command.alarms, askedAt: tracked.at, before, night)
    }

    /// Adopts the shown switch of an alarm that a ring has switched since the request: either may be first.
    private func adopt(
        _ changed: Set<Alarm.ID>, askedAt: Int, _ before: ExpectedState, _ night: Simulation
    ) {
        rings.changed(changed)
        for id in changed {
            guard let entry = before.alarms[id], entry.switchedAt >= askedAt,
                let shown = night.published.alarm(id)
            else { continue }
            expected.setSwitch(id, on: shown.isEnabled, by: shown.isEnabled ? nil : entry.off, at: night.now)
        }
    }

    /// Returns true if an alarm is on again because the ring that switched it off was taken back.
    private func isTakenBack(_ entry: ExpectedState.ExpectedAlarm, _ night: Simulation) -> Bool {
        entry.off.map { off in !night.published.history.contains { $0.occurrence == off } } ?? false
    }

    /// Compares the published with the expected state, and adopts unconfirmed requests that took effect.
    private func compareExpected(_ night: Simulation, _ now: Int) {
        defer { requests.settle(isStart: isStart) }
        let shown = night.published.file
        let difference = expected.difference(from: shown, now: now)
        let isSwitchedAsShown = expected.alarms.values.allSatisfy { entry in
            let isEnabled = night.published.alarm(entry.alarm.id)?.isEnabled
            return isEnabled == entry.alarm.isEnabled || isEnabled == true && isTakenBack(entry, night)
        }
        if difference == nil, isSwitchedAsShown { return }
        var candidates: [(expected: ExpectedState, changed: Set<Alarm.ID>, askedAt: Int)] = [(expected, [], .max)]
        if isStart, let before = expectedBeforeUnsure {
            candidates.append((before, Set(expected.alarms.keys), 0))
        }
        for (base, changed, askedAt) in candidates {
            for tracked in requests.mayBeDone(isStart: isStart) {
                var trial = base
                trial.apply(tracked.command, leavingOutAsIn: night.published)
                candidates.append((trial, changed.union(tracked.command.alarms), min(askedAt, tracked.at)))
            }
        }
        // Switches are compared separately. If candidates are equally close, a request is preferred.
        let closest = candidates.reversed().filter { $0.expected.difference(from: shown, now: now) == nil }
            .min { $0.expected.otherSwitches(than: shown) < $1.expected.otherSwitches(than: shown) }
        guard let closest else { return report(.memory, difference ?? "") }
        // A disk that refuses writes may lose the entries at the next start.
        if isStart { expectedBeforeUnsure = !journal.unsure.isEmpty ? expectedBeforeUnsure ?? expected : nil }
        let before = expected
        expected = closest.expected
        adopt(closest.changed, askedAt: closest.askedAt, before, night)
    }

    /// Checks the switches. A one-time alarm is off after its last ring, unless that was taken back.
    private func compareSwitches(_ night: Simulation) {
        for (id, entry) in expected.alarms {
            guard let isEnabled = night.published.alarm(id)?.isEnabled else { continue }
            let isOneTime = entry.alarm.isOneTime
            switch (entry.alarm.isEnabled, isEnabled) {
            case (true, false):
                let ring =
                    sessions.endedNow.map(\.occurrence).last(of: id) ?? rings.missed.map(\.occurrence).last(of: id)
                    ?? (isStart ? sessions.ended.last(of: id) : nil)
                    ?? postponed.missed(id, in: night.published.history) ?? rings.done.first { $0.alarm == id }
                let staysOff = entry.isRestored && entry.alarm.needsDevice(in: everMissing)
                if !staysOff, !isOneTime || ring == nil || !rings.isSpent(id, self) {
                    report(.memory, "\(id) is off without a command")
                }
                expected.setSwitch(id, on: false, by: ring, at: night.now)
            case (false, true):
                if !isTakenBack(entry, night) { report(.memory, "\(id) is on without a command") }
                expected.setSwitch(id, on: true, by: nil, at: night.now)
            // While the clock is not trusted, a ring may still have to be recorded as missed.
            case (true, true) where isOneTime && expected.settings.isEnabled && night.clock.isTrusted:
                if sessions.finishes(id, revision: journal.model.revisions[id]), rings.alarms[id]?.next == nil,
                    postponed.shown[id] == nil, rings.isSpent(id, self)
                {
                    report(.memory, "\(id) is on after its last ring")
                }
            default: break
            }
        }
    }

    // MARK: the clock

    /// Checks the time in the status. If the machine's clock is trusted, the status must show it. Otherwise
    /// its time must not be earlier than the newest record.
    private func watchClock(_ status: Status, _ night: Simulation) -> PlanEvents {
        let wall = night.moment.wallMilliseconds - (night.now - night.published.at)
        let said = status.nowMilliseconds
        let isTrusted = night.clock.isTrusted
        let newest = max(wall, journal.model.newestMilliseconds)
        // A record that was on its way when the clock was set counts from the next input on.
        let earliest = isTrusted || !isStart ? wall : newest
        let latest =
            isTrusted
            ? wall : max(newest, lastObservation.map { $0.best + night.published.at - $0.night } ?? newest)
        if status.isClockTrusted != isTrusted || said < earliest - 500 || said > latest + 500 {
            report(
                .rings,
                "the time is \(earliest)...\(latest), trusted: \(isTrusted); the status has \(said), \(status.isClockTrusted)"
            )
        }
        let now = bestNow(night)
        var events = PlanEvents(isStart: isStart, isBehind: isStart && journal.wasBehind, isTrusted: isTrusted)
        if let lastObservation {
            let step = now - lastObservation.best - (night.now - lastObservation.night)
            events.step = abs(step) > 500 ? step : 0
            events.wasTrusted = lastObservation.isTrusted
            events.isZoneChanged = lastObservation.zoneIndex != night.zoneIndex
        }
        lastObservation = (night.now, now, isTrusted, night.zoneIndex)
        return events
    }
}

/// The events since the last observation that may delay rings, or move alarms in their plans.
struct PlanEvents {
    var isStart = false
    /// True if the start has lost events that were not durable.
    var isBehind = false
    var isZoneChanged = false
    /// The milliseconds by which the best-known clock was set.
    var step = 0
    /// True if the time was trusted at the last observation.
    var wasTrusted = true
    var isTrusted = true

    var isAny: Bool { isStart || step != 0 || isZoneChanged || wasTrusted != isTrusted }
}

/// The engine's published state after its last input.
struct PublishedState {
    let at: Int
    let status: Status
    let history: [PastRing]
    /// The exceeded bound; nil if all are kept.
    let excess: String?
    /// The backup: alarms, settings, calendars and codes.
    private(set) var file: AlarmsFile
    /// The anchors of the alarms that have one.
    let anchors: [Alarm.ID: Anchor]
    /// The rings that were put off.
    let postponed: [Alarm.ID: PostponedRing]
    private let scheduled: [Alarm.ID: PlannedRing]
    private(set) var changeCount = 0

    init(_ engine: Engine, at now: Int, after before: PublishedState? = nil, _ shownAlarm: ((Alarm) -> Alarm)? = nil) {
        (at, status, history) = (now, engine.status(nextCount: .max), engine.history)
        (excess, file) = (engine.excess, engine.backup)
        let next = status.next.compactMap { ring in
            ring.isPostponed ? engine.agenda.scheduledRing(of: ring.occurrence.alarm) : ring
        }
        scheduled = Dictionary(next.map { ($0.occurrence.alarm, $0) }) { first, _ in first }
        postponed = engine.agenda.snapshot.reduce(into: [:]) { postponed, fact in
            if case .postponed(let id, let ring, _, _) = fact { postponed[id] = ring }
        }
        anchors = engine.agenda.snapshot.reduce(into: [:]) { anchors, fact in
            if case .alarmKept(let alarm, let position, _) = fact { anchors[alarm.id] = position.anchor }
        }
        if let shownAlarm { file.alarms = file.alarms.map(shownAlarm) }
        if let before { changeCount = before.changeCount + (file == before.file ? 0 : 1) }
    }

    /// Returns the second of an alarm's announced next ring by its schedule, or nil if there is none.
    func nextSecond(_ id: Alarm.ID) -> Int? { scheduled[id]?.occurrence.second }

    func alarm(_ id: Alarm.ID) -> Alarm? { file.alarms.first { $0.id == id } }
}
