// Watches from outside whether every promise is kept.

import Alarms
import CivilTime
import Engine

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
    private(set) var journal = JournalWatch()
    private(set) var sessions = SessionWatch()
    var due = DueWatch()
    private(set) var requests = RequestWatch()
    private var sound: SoundOrder?
    /// When the watcher looked last, by the world's time and by the best-known clock.
    private var lookedAt: (world: Int, best: Int)?
    /// The latest time that the best-known clock has ever shown.
    private(set) var latestBest = 0
    private(set) var isStart = false
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
        return [due.nextLookAt(ahead), sessions.nextLookAt].compactMap(\.self).min()
    }

    /// The best time that can be known now.
    func bestNow(_ world: World) -> Int { clock.now(wall: world.wallMilliseconds) }

    /// The session that is heard.
    var heard: Occurrence? { sound?.occurrence }

    /// Whether an occurrence has had its turn.
    func isKnown(_ occurrence: Occurrence) -> Bool { sessions.hasRung(occurrence) || due.wasMissed(occurrence) }

    /// The day of the ring that is to be skipped.
    func nextDate(_ command: Command, _ world: World) -> CivilDate? {
        guard case .skip(let id) = command, let alarm = book.alarms[id]?.alarm,
            let second = due.firstRing(id, after: bestNow(world), book, world, isKnown: { isKnown($0) })
        else { return nil }
        return CivilDate(dayNumber: book.zone(of: alarm, machine: world.zoneIndex).day(at: second))
    }

    /// What is locked now.
    func lock(_ world: World) -> LockWatch {
        LockWatch(book: book, due: due, sessions: sessions, now: bestNow(world))
    }

    // MARK: what passes

    func willGive(_ input: Input, _ world: World) {
        bookBefore = book
        sessions.willGive(input, isRepeated: requests.isRepeated(input), codes: book.codes, at: world.now)
    }

    /// The machine's clock was set.
    func clockWasSet(from old: Int, to new: Int) {
        clock.wasSet(from: old, to: new, newest: model.newestMilliseconds)
    }

    /// The machine's clock is known to be right.
    func clockIsTrusted(_ world: World) {
        guard !clock.isTrusted else { return }
        clock.trust()
        book.clockIsTrusted()
        sessions.clockIsTrusted(clock, at: world.now, isExact: false)
    }

    func asked(_ command: Command, _ request: Request, _ world: World) {
        requests.asked(command, request, self, world)
    }

    func replied(_ reply: Reply, to request: Request, _ world: World) {
        requests.answered(request, reply, self, world)
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
            case .sound(let order): sound = order
            case .statusChanged: isBookStale = true
            default: break
            }
        }
        look(world, isCalled: isCalled, isBookStale: isBookStale)
    }

    /// Entries are durable.
    func kept(_ entries: [Entry]) {
        journal.kept(entries)
        requests.kept()
    }

    func compacts(to snapshot: [Entry], _ world: World) {
        if let mistake = journal.mistake(in: snapshot, of: world.engine) { broke(4, mistake) }
        journal.compacts(to: snapshot)
    }

    func compacted() {
        journal.compacted()
    }

    func died(_ world: World) {
        sound = nil
        sessions.died(at: world.now)
        requests.died()
        book.died()
    }

    /// The service starts again from these entries.
    func restarted(_ world: World, entries: [Entry]) {
        if let mistake = journal.found(entries) { broke(4, mistake) }
        clock.started(
            wall: world.wallMilliseconds, newest: model.newestMilliseconds, isTrusted: world.isClockTrusted)
        for occurrence in sessions.restarted(model, clock, at: world.now) { due.forgot(occurrence) }
        isStart = true
    }

    // MARK: what comes of it

    func look(_ world: World) {
        look(world, isCalled: false, isBookStale: false)
    }

    private func look(_ world: World, isCalled: Bool, isBookStale: Bool) {
        guard violation == nil else { return }
        let status = world.engine.status(nextCount: 0)
        watchClock(status, world)
        if isBookStale {
            compareBook(world)
            for id in requests.settle(isStart: isStart) { book.isDoubtful(id) }
            compareSwitchedOn(world)
        }
        let now = bestNow(world)
        if isStart { due.restarted(world.engine.history) }
        due.prepare(book, now, world, isCalled: isCalled, isStart: isStart)
        ringCount += sessions.look(status, sound, world, self)
        due.judge(world.engine.history, self, now)
        due.collect(self, now)
        if isBookStale { compareSwitchedOff(world) }
        comparePromise(status)
        isStart = false
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
        if let lookedAt {
            let jump = now - lookedAt.best - (world.now - lookedAt.world)
            if jump < -500 {
                book.clockWasSetBack(
                    to: now, isNoticed: !isStart || clock.isTrusted && model.newestMilliseconds > now + 500)
                requests.clockWasSetBack(to: now)
                due.clockWasSetBack(to: now, isTrusted: clock.isTrusted)
            } else if jump > 500, !isStart {
                book.clockWasSetAhead(to: now, at: world.now)
            }
        }
        lookedAt = (world.now, now)
        latestBest = max(latestBest, now)
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

    func finish(_ world: World) {
        requests.finish(world, self)
        guard violation == nil, world.engine.canCompact else { return }
        if let mistake = journal.mistake(in: world.engine) { broke(4, mistake) }
    }
}
