// The observer: checks every promise from outside.

import Alarms
import CivilTime
import Engine
import SimulatedDevices

/// Sees all inputs and effects of an engine, and checks the promises by its own account of what was acknowledged and done.
final class Watcher {
    /// The first promise that was broken, and how.
    private(set) var violation: (promise: Promise, words: String)?
    private(set) var account = Account()
    /// The account before a start that found entries which may not be durable.
    private var accountBeforeUnsure: Account?
    var journal = JournalWatch()
    private(set) var sessions = SessionWatch()
    var announced = AnnouncedRings()
    var requests = RequestWatch()
    private var lockedBefore: Set<Alarm.ID> = []
    private(set) var sound: SoundOrder?
    var room = SoundWatch()
    /// The last observation: its time by the world and by the best-known clock, the clock's trust, and the machine's zone.
    private var lastObservation: (world: Int, best: Int, isTrusted: Bool, zoneIndex: Int)?
    private var isStart = false
    /// The change counts of the published state and the account at their last comparison, and the machine's zone then.
    private var compared = (-1, -1, -1)

    func report(_ promise: Promise, _ words: @autoclosure () -> String) {
        if violation == nil { violation = (promise, "\(promise): \(words())") }
    }

    /// When the next check is due, if no event comes: a moment after a ring or reply should have come.
    func nextCheckAt(_ world: World) -> Int {
        let due = announced.nextDue.map { $0 + AnnouncedRings.graceMilliseconds - bestNow(world) + world.now } ?? .max
        return min(due, sessions.nextCheckAt ?? .max, requests.nextCheckAt(world) ?? .max)
    }

    /// The best-known time now.
    func bestNow(_ world: World) -> Int { world.published.status.nowMilliseconds + world.now - world.published.at }

    func locked(_ engine: Engine) -> Set<Alarm.ID> {
        Set(account.alarms.keys.filter { engine.isLocked($0) })
    }

    // MARK: what passes

    func willGive(_ input: Input, _ world: World) {
        if !requests.open.isEmpty { lockedBefore = locked(world.engine) }
        sessions.willGive(input, isRepeated: requests.isRepeated(input), codes: account.codes, at: world.now)
    }

    func gave(_ effects: [Effect], _ world: World, isCalled: Bool) {
        var isStale = isStart
        for effect in effects {
            switch effect {
            case .commit(let entries, let number): journal.commitSent(entries, number: number)
            case .sound(let order):
                sound = order
                room.ordered(order, among: world.published.status.ringing, at: world.moment.uptimeMilliseconds)
            case .statusChanged: isStale = true
            default: break
            }
        }
        if let excess = world.published.excess { report(.answers, excess) }
        observe(world, isCalled: isCalled, isStale: isStale)
    }

    func committed(_ entries: [Entry], number: Int) {
        journal.committed(entries, number: number)
        requests.committed()
    }

    func died(_ world: World) {
        sound = nil
        room.stopped(Set(journal.model.open.keys))
        sessions.died(at: world.now)
        requests.died()
    }

    func restarted(_ world: World, entries: [Entry], isUnsure: Bool) {
        if let mistake = journal.found(entries, isUnsure: isUnsure) { report(.memory, mistake) }
        for occurrence in sessions.restarted(journal, world) { announced.forgot(occurrence) }
        isStart = true
    }

    // MARK: what comes of it

    func observe(_ world: World, isCalled: Bool = false, isStale: Bool = false) {
        guard violation == nil else { return }
        let status = world.published.status
        let events = watchClock(status, world)
        let now = bestNow(world)
        // Only changes since the last comparison are compared.
        let isAnyNew = compared != (world.published.changeCount, account.changeCount, world.zoneIndex)
        if isStale, isAnyNew || isStart {
            compareAccount(world, now)
            for id in announced.lines.keys where account.alarms[id] == nil {
                sessions.forget(id)
                announced.forget(id)
            }
        } else if isStale {
            // An unconfirmed request may have been done, and undone by a ring that was missed while the machine slept.
            for line in requests.mayBeDone(isStart: false) { announced.changed(line.change) }
            requests.settle(isStart: false)
        }
        announced.read(world, self, now, events, isStale: isStale, isAnyNew: isAnyNew)
        sessions.observe(status, sound, world, self)
        announced.judge(self, isCalled: isCalled, isStale: isStale)
        if isStale, isAnyNew || isStart || !sessions.endedNow.isEmpty { compareSwitches(world) }
        if isStale { compared = (world.published.changeCount, account.changeCount, world.zoneIndex) }
        requests.checkTimeouts(world, self)
        isStart = false
    }

    // MARK: what was acknowledged

    /// A command was acknowledged. `day` is the date that a skip has left out.
    func acknowledge(_ line: RequestWatch.TrackedRequest, skipping day: CivilDate?, _ world: World) {
        let before = account
        account.apply(line.command, skipping: day)
        for id in line.locked.intersection(lockedBefore)
        where account.isEscape(
            id, since: before, from: announced.lines[id]?.next, to: world.published.nextSecond(id),
            isTimely: !line.isOvertaken(world))
            // A ring that has come since was the next one when the command was decided.
            && !(sessions.open.keys + world.published.status.sessions.map(\.session.occurrence))
                .contains(where: { $0.alarm == id && $0.at.milliseconds > line.at })
        {
            report(.ending, "\(line.command) was a way to escape \(id)")
        }
        adopt(line.change, before, world)
    }

    /// An alarm that a ring has switched off or on since the request may be either, whichever came first.
    private func adopt(_ change: AcknowledgedChange, _ before: Account, _ world: World) {
        announced.changed(change)
        for id in change.alarms {
            guard let entry = before.alarms[id], entry.switchedAt >= change.askedAt,
                let shown = world.published.alarm(id)
            else { continue }
            account.setSwitch(id, on: shown.isEnabled, by: shown.isEnabled ? nil : entry.off, at: world.now)
        }
    }

    /// Whether an alarm is on again because the ring that switched it off was taken back.
    private func isTakenBack(_ entry: Account.AlarmAccount, _ world: World) -> Bool {
        entry.off.map { off in !world.published.history.contains { $0.occurrence == off } } ?? false
    }

    /// Compares the published state with the account. Unacknowledged requests may be done: those that are go into the account.
    private func compareAccount(_ world: World, _ now: Int) {
        defer { requests.settle(isStart: isStart) }
        let shown = world.published.file
        let difference = account.difference(from: shown, now: now)
        let isSwitchedAsShown = account.alarms.values.allSatisfy { entry in
            let isEnabled = world.published.alarm(entry.alarm.id)?.isEnabled
            return isEnabled == entry.alarm.isEnabled || isEnabled == true && isTakenBack(entry, world)
        }
        if difference == nil, isSwitchedAsShown { return }
        var candidates: [(account: Account, change: AcknowledgedChange?)] = [(account, nil)]
        if isStart, let before = accountBeforeUnsure {
            candidates.append((before, AcknowledgedChange(alarms: Set(account.alarms.keys))))
        }
        for (base, change) in candidates {
            for line in requests.mayBeDone(isStart: isStart) {
                var trial = base
                trial.apply(line.command, leavingOutAsIn: world.published)
                candidates.append((trial, change ?? line.change))
            }
        }
        // Switches are compared apart. Of equally close candidates a requested change is preferred.
        let closest = candidates.reversed().filter { $0.account.difference(from: shown, now: now) == nil }
            .min { $0.account.otherSwitches(than: shown) < $1.account.otherSwitches(than: shown) }
        guard let closest else { return report(.memory, difference ?? "") }
        // Entries on a disk that refuses writes may be lost at the next start.
        if isStart { accountBeforeUnsure = !journal.unsure.isEmpty ? accountBeforeUnsure ?? account : nil }
        let before = account
        account = closest.account
        if let change = closest.change { adopt(change, before, world) }
    }

    /// Checks the switches: a one-time alarm is off after its last ring, and on again where that was taken back.
    private func compareSwitches(_ world: World) {
        for (id, entry) in account.alarms {
            guard let isEnabled = world.published.alarm(id)?.isEnabled else { continue }
            let isOneTime = entry.alarm.isOneTime
            switch (entry.alarm.isEnabled, isEnabled) {
            case (true, false):
                let ring =
                    sessions.endedNow.last(of: id) ?? announced.missed.map(\.occurrence).last(of: id)
                    ?? (isStart ? sessions.ended.last(of: id) : nil)
                if !isOneTime || ring == nil || !announced.isSpent(id, self) {
                    report(.memory, "\(id) is off, and nobody has switched it off")
                }
                account.setSwitch(id, on: false, by: ring, at: world.now)
            case (false, true):
                if !isTakenBack(entry, world) { report(.memory, "\(id) is on, and nobody has switched it on") }
                account.setSwitch(id, on: true, by: nil, at: world.now)
            // While the clock is not trusted, a ring may still have to be recorded as missed.
            case (true, true) where isOneTime && account.settings.isEnabled && world.clock.isTrusted:
                if sessions.finishes(id, revision: journal.model.revisions[id]), announced.lines[id]?.next == nil,
                    announced.isSpent(id, self)
                {
                    report(.memory, "\(id) has rung for the last time, and is on still")
                }
            default: break
            }
        }
    }

    // MARK: parts

    /// Checks the status's time: the machine's clock once that is trusted, and until then no earlier than the newest record.
    private func watchClock(_ status: Status, _ world: World) -> PlanEvents {
        let wall = world.moment.wallMilliseconds - (world.now - world.published.at)
        let said = status.nowMilliseconds
        let isTrusted = world.clock.isTrusted
        let newest = max(wall, journal.model.newestMilliseconds)
        // A record that was on its way when the clock was set counts from the next input on.
        let earliest = isTrusted || !isStart ? wall : newest
        let latest =
            isTrusted ? wall : max(newest, lastObservation.map { $0.best + world.published.at - $0.world } ?? newest)
        if status.isClockTrusted != isTrusted || said < earliest - 500 || said > latest + 500 {
            report(
                .rings,
                "it is \(earliest)...\(latest), trusted: \(isTrusted); the status says \(said), \(status.isClockTrusted)"
            )
        }
        let now = bestNow(world)
        var events = PlanEvents(
            isStart: isStart, isBehind: isStart && journal.wasBehind, isTrusted: isTrusted)
        if let lastObservation {
            let step = now - lastObservation.best - (world.now - lastObservation.world)
            events.step = abs(step) > 500 ? step : 0
            events.wasTrusted = lastObservation.isTrusted
            events.isMachineMoved = lastObservation.zoneIndex != world.zoneIndex
        }
        lastObservation = (world.now, now, isTrusted, world.zoneIndex)
        return events
    }
}

/// The events since the last observation that may make rings late, or move alarms in their plans.
struct PlanEvents {
    var isStart = false
    /// Whether the start has lost events that were not durable.
    var isBehind = false
    var isMachineMoved = false
    /// By how many milliseconds the best-known clock was set.
    var step = 0
    /// Whether the time was trusted before, and is now.
    var wasTrusted = true
    var isTrusted = true

    var mayMakeLate: Bool { step != 0 || isMachineMoved || wasTrusted != isTrusted || isBehind }
    var isAny: Bool { isStart || mayMakeLate }
}

/// The engine's published state after its last input.
struct PublishedState {
    let at: Int
    let status: Status
    let history: [PastRing]
    /// The bound that is exceeded; nil where all are kept.
    let excess: String?
    /// The owner's backup.
    private(set) var file: AlarmsFile
    private(set) var changeCount = 0

    init(_ engine: Engine, at now: Int, after before: PublishedState? = nil, _ shownAlarm: ((Alarm) -> Alarm)? = nil) {
        (at, status, history) = (now, engine.status(nextCount: .max), engine.history)
        (excess, file) = (engine.excess, engine.backup)
        if let shownAlarm { file.alarms = file.alarms.map(shownAlarm) }
        if let before { changeCount = before.changeCount + (file == before.file ? 0 : 1) }
    }

    /// The second of the announced next ring of an alarm.
    func nextSecond(_ id: Alarm.ID) -> Int? { status.next.first { $0.occurrence.alarm == id }?.occurrence.second }

    func alarm(_ id: Alarm.ID) -> Alarm? { file.alarms.first { $0.id == id } }
}
