// Watches from outside whether every promise is kept.

import Alarms
import CivilTime
import Engine
import SimulatedDevices

/// Sees everything that goes into an engine and comes out of it, and compares it with what was promised: by a clock of its
/// own, a book of its own, and a planner of its own.
final class Watcher {
    /// The first promise that was broken, in words.
    private(set) var violation: String?
    /// How many sessions began.
    private(set) var ringCount = 0
    private(set) var clock = BestKnownClock()
    var book = Book()
    /// The book before what was given last.
    private(set) var bookBefore = Book()
    /// The book before a start found what is perhaps not durable.
    var bookBeforeUnsure: Book?
    private(set) var journal = JournalWatch()
    private(set) var sessions = SessionWatch()
    var due = DueWatch()
    private(set) var requests = RequestWatch()
    private var unlocking = UnlockWatch()
    private var sound: SoundOrder?
    private var room = SoundWatch()
    /// When the watcher looked last, by the world's time and by the best-known clock.
    private var lookedAt: (world: Int, best: Int)?
    /// The machine's zone then.
    private var zoneIndex: Int?
    /// The latest time that the best-known clock has ever shown, in each zone that the machine was in.
    private var latestBest: [Int: Int] = [:]
    private(set) var isStart = false
    /// How often the clock had been set, and what the zone was, when all that had happened was durable.
    private var keptChanges = (clock: 0, zone: 0)
    /// Until when somebody was told that it is silent.
    private var promisedUntil: Int?

    /// What the durable records say.
    var model: Model { journal.model }

    func broke(_ promise: Int, _ words: @autoclosure () -> String) {
        if violation == nil { violation = "promise \(promise): \(words())" }
    }

    /// When the watcher wants to look, if nothing happens: a moment after something should have rung.
    func nextLookAt(_ world: World) -> Int? {
        let ahead = clock.now(wall: world.wallMilliseconds) - world.now
        return [due.nextLookAt(ahead), sessions.nextLookAt, requests.nextLookAt(world)].compactMap(\.self).min()
    }

    /// The best time that can be known now.
    func bestNow(_ world: World) -> Int { clock.now(wall: world.wallMilliseconds) }

    /// The latest day that it has been for an alarm, by the zones of a book.
    func latestDay(_ alarm: Alarm, _ book: Book) -> CivilDate {
        let days = latestBest.map { index, now in book.zone(of: alarm, machine: index).day(at: now / 1000) }
        return CivilDate(dayNumber: days.max() ?? 0)
    }

    /// Whether a session has not ended.
    var isAnythingOpen: Bool { sessions.isAnyOpen }

    /// The session that is heard.
    var heard: Occurrence? { sound?.occurrence }

    /// Whether an occurrence has had its turn.
    func isKnown(_ occurrence: Occurrence) -> Bool { sessions.hasRung(occurrence) || due.wasMissed(occurrence) }

    /// The day of the ring that is to be skipped, and whether that is certain.
    func nextDate(_ command: Command, _ world: World) -> (date: CivilDate, isSure: Bool)? {
        guard case .skip(let id) = command, let alarm = book.alarms[id]?.alarm,
            let ring = due.firstRing(id, after: bestNow(world), book, world, isKnown: { isKnown($0) })
        else { return nil }
        let day = book.zone(of: alarm, machine: world.zoneIndex).day(at: ring.second)
        return (CivilDate(dayNumber: day), ring.isSure)
    }

    /// What is locked now.
    func lock(_ world: World) -> LockWatch {
        LockWatch(book: book, due: due, sessions: sessions, unlocked: unlocking.unlocked, now: bestNow(world))
    }

    // MARK: what passes

    func willGive(_ input: Input, _ world: World) {
        bookBefore = book
        if !requests.isRepeated(input) {
            let now = bestNow(world)
            unlocking.willGive(input, codes: book.codes, at: world.now) { id, unlocked in
                due.next(id, after: now) { isKnown($0) || unlocked.contains($0.at.secondsSince1970) }?.second
            }
        }
        sessions.willGive(input, isRepeated: requests.isRepeated(input), codes: book.codes, at: world.now)
    }

    /// The machine's clock was set.
    func clockWasSet(from old: Int, to new: Int, isKept: Bool) {
        clock.wasSet(from: old, to: new, newest: model.newestMilliseconds, isKept: isKept)
    }

    /// The machine's clock is known to be right.
    func clockIsTrusted(_ world: World) {
        guard !clock.isTrusted else { return }
        clock.trust()
        book.doubtfulClockWasSet(to: bestNow(world), at: world.now)
        book.clockIsTrusted()
        book.settleDoubts(at: bestNow(world))
        sessions.clockIsTrusted(clock, at: world.now, isExact: false)
    }

    func asked(_ command: Command, _ request: Request, _ world: World) {
        requests.asked(command, request, self, world)
    }

    func replied(_ reply: Reply, to request: Request, _ world: World) {
        requests.answered(request, reply, self, world)
    }

    /// Somebody was told what unlocks an alarm.
    func unlocks(_ id: Alarm.ID, _ assignment: Assignment) {
        if let alarm = book.alarms[id]?.alarm { unlocking.begin(alarm, assignment) }
    }

    /// Somebody was told until when it is silent.
    func wasPromised(_ untilMilliseconds: Int) {
        promisedUntil = untilMilliseconds
    }

    func gave(_ effects: [Effect], _ world: World, isCalled: Bool) {
        var isBookStale = isStart
        for effect in effects {
            switch effect {
            case .keep(let entries, _): journal.keeps(entries)
            case .sound(let order):
                sound = order
                room.ordered(order, among: world.shown.status.ringing, at: world.moment.uptimeMilliseconds)
            case .tell(.challenge(let assignment)): unlocking.ask(assignment)
            case .statusChanged: isBookStale = true
            default: break
            }
        }
        if let excess = LoadWatch.excess(world.shown.loads, isFailing: world.shown.status.failure != nil) {
            broke(8, excess)
        }
        look(world, isCalled: isCalled, isBookStale: isBookStale)
    }

    /// This is heard in the room.
    func hears(_ heard: [Heard], patienceMilliseconds: Int?, _ world: World) {
        let uptime = world.moment.uptimeMilliseconds
        if let mistake = room.listen(heard, patienceMilliseconds: patienceMilliseconds, at: uptime) {
            broke(mistake.promise, mistake.words)
        }
    }

    /// When to listen, if nothing happens.
    var nextListenUptime: Int? { room.nextUptime }

    /// The machine was asleep.
    func woke(_ world: World) {
        room.woke(at: world.moment.uptimeMilliseconds)
    }

    /// Entries are durable.
    func kept(_ entries: [Entry]) {
        journal.kept(entries)
        requests.kept()
    }

    func compacts(to snapshot: [Entry], _ world: World) {
        if let mistake = journal.mistake(in: snapshot, of: world) { broke(4, mistake) }
        journal.compacts(to: snapshot)
    }

    func compacted() {
        journal.compacted()
    }

    func died(_ world: World) {
        sound = nil
        room.stopped(model.begun)
        sessions.died(at: world.now)
        unlocking.died()
        requests.died()
        book.died()
    }

    /// The service starts again from these entries.
    func restarted(_ world: World, entries: [Entry], isUnsure: Bool) {
        if let mistake = journal.found(entries, isUnsure: isUnsure) { broke(4, mistake) }
        clock.started(
            wall: world.wallMilliseconds, newest: model.newestMilliseconds, isTrusted: world.clock.isTrusted)
        for occurrence in sessions.restarted(journal, clock, at: world.now) { due.forgot(occurrence) }
        isStart = true
        book.forgetSpent { [model] in model.begun.contains($0) || (model.ended[$0] ?? .missed) != .missed }
        book.restarted(at: bestNow(world))
        // That the clock or the zone was set could not be written down: what was due by it nobody knows any more.
        if journal.wasBehind, keptChanges != (clock.changeCount, world.zoneIndex) {
            due.forgetOwed()
            book.isUncertain(until: bestNow(world))
        }
    }

    // MARK: what comes of it

    func look(_ world: World) {
        look(world, isCalled: false, isBookStale: false)
    }

    private func look(_ world: World, isCalled: Bool, isBookStale: Bool) {
        guard violation == nil else { return }
        let status = world.shown.status
        watchClock(status, world)
        if isBookStale {
            compareBook(world)
            for (id, isDoubtLost) in requests.settle(isStart: isStart) {
                book.isDoubtful(id, at: bestNow(world), isDoubtLost: isDoubtLost)
            }
            compareSwitchedOn(world)
        }
        for id in book.takeDeleted() {
            sessions.forget(id)
            due.forget(id)
            room.forget(id)
        }
        let now = bestNow(world)
        if isStart, clock.isTrusted { book.settleDoubts(at: now) }
        if isStart { due.restarted(world.shown.history) }
        due.prepare(
            book, now, world, isCalled: isCalled, isTrusted: clock.isTrusted,
            start: isStart ? model.zoneName ?? "" : nil)
        if isAnythingOpen { unlocking.forget() }
        ringCount += sessions.look(status, sound, world, self)
        due.judge(world.shown.history, self, now)
        if isStart { forgetUnkeptEnds() }
        due.collect(self, now, isStart: isStart)
        if status.unkeptCount == 0 {
            book.allIsKept()
            requests.allIsKept()
            keptChanges = (clock.changeCount, world.zoneIndex)
        }
        if isBookStale { compareSwitchedOff(world) }
        comparePromise(status)
        requests.look(world, self)
        isStart = false
    }

    /// What has rung, and could not be written down, is off by what was missed.
    private func forgetUnkeptEnds() {
        for (id, kept) in book.alarms {
            if case .rung = kept.off, let missed = due.lastMissed(id) { book.switchOff(id, .missed(missed)) }
        }
    }

    /// What time it is said to be is the best time that can be known.
    private func watchClock(_ status: Status, _ world: World) {
        let wall = world.wallMilliseconds - (world.now - world.givenAt)
        if !clock.agrees(with: status.nowMilliseconds, isTrusted: status.isClockTrusted, wall: wall) {
            broke(
                1,
                "it is \(clock.now(wall: wall)), trusted: \(clock.isTrusted); the status says \(status.nowMilliseconds), \(status.isClockTrusted)"
            )
        }
        let now = bestNow(world)
        // Nobody has seen how the clock came to show what it shows now.
        if isStart { book.clockWasSetAhead(from: model.newestMilliseconds, to: now, isSure: false) }
        if let lookedAt {
            let jump = now - lookedAt.best - (world.now - lookedAt.world)
            if jump < -500 {
                book.clockWasSetBack(
                    to: now, by: -jump, isNoticed: !isStart || clock.isTrusted && model.newestMilliseconds > now + 500)
                requests.clockWasSetBack(to: now)
                if !isStart { book.doubtfulClockWasSet(to: now, at: world.now) }
                due.clockWasSetBack(to: now, isTrusted: clock.isTrusted)
            } else if jump > 500, !isStart {
                book.doubtfulClockWasSet(to: now, at: world.now)
                book.clockWasSetAhead(from: now - jump, to: now, isSure: clock.isTrusted)
            }
        }
        if zoneIndex != world.zoneIndex { book.zoneChanged(at: now, isUnseen: isStart) }
        zoneIndex = world.zoneIndex
        lookedAt = (world.now, now)
        latestBest[world.zoneIndex] = max(latestBest[world.zoneIndex] ?? 0, now)
    }

    /// Whoever was told until when it is silent was told the truth.
    private func comparePromise(_ status: Status) {
        guard let until = promisedUntil else { return }
        promisedUntil = nil
        let isTrue = status.sessions.contains { current in
            guard case .snoozed(let left) = current.state else { return false }
            return abs(status.nowMilliseconds + left - until) <= 1000
        }
        if !isTrue { broke(5, "somebody was told of a snooze until \(until), and there is none") }
    }

    /// After every fault was over, an alarm was made that was to ring then.
    func probed(_ occurrence: Occurrence) {
        if book.alarms[occurrence.alarm] == nil { broke(7, "a new alarm was not kept when every fault was over") }
        if !sessions.hasRung(occurrence) { broke(7, "a new alarm did not ring when every fault was over") }
    }

    /// How long it is until the next ring of which nobody can doubt that it is due.
    func millisecondsUntilNext(_ world: World) -> Int? {
        guard clock.isTrusted else { return nil }
        let now = bestNow(world)
        let next = book.alarms.keys.compactMap { id in due.next(id, after: now) { isKnown($0) } }
        return next.filter(\.isSure).map { $0.second * 1000 - now }.min()
    }

    func finish(_ world: World) {
        guard violation == nil, world.isRunning, world.engine.canCompact else { return }
        // By a clock that was set back and has come to the same time again by itself.
        let isGuessing = book.alarms.values.contains { $0.savedAt != nil }
        if let mistake = journal.mistake(in: world, isGuessing: isGuessing) { broke(4, mistake) }
        compareNext(world)
    }

    /// What rings next is what the people's own account comes to, where that is certain.
    private func compareNext(_ world: World) {
        guard clock.isTrusted, clock.changeCount == 0, !journal.isUnsure else { return }
        let planned = Dictionary(
            world.engine.status(nextCount: .max).next.map { ($0.occurrence.alarm, $0.occurrence.at.secondsSince1970) },
            uniquingKeysWith: min)
        for (id, kept) in book.alarms where kept.isCertain && kept.alarm.isEnabled {
            let next = due.firstRing(id, after: bestNow(world), book, world) { isKnown($0) }
            if let next, next.isSure, planned[id] != next.second {
                broke(
                    1,
                    "\(id) is to ring next at \(next.second), and is planned for \(planned[id].map { "\($0)" } ?? "never")"
                )
            }
        }
    }
}
