// Promise 1: whatever is due rings within a second of the first moment at which it could, or is recorded missed by the rule.

import Alarms
import CivilTime
import Engine

/// Works out by itself what is due, from what was acknowledged and the best time that can be known.
struct DueWatch {
    private struct Line {
        var kept: Book.Kept
        var rings: [FoundRing]
    }

    private var lines: [Alarm.ID: Line] = [:]
    /// As they were before what was given last.
    private var before: [Alarm.ID: Line] = [:]
    private var revision = -1
    private var zone = -1
    /// What is due by then has been asked for.
    private var cursor = Int.min
    /// Whether the machine was in another zone when it was started last.
    private var hasMoved = false
    /// Whether nobody knows what was due before the last start.
    private var hasForgotten = false
    /// The latest that it has been.
    private var latest = Int.min
    /// The days that were looked through.
    private var seconds = 0...0
    /// What must have its turn although the clock has shown its time already.
    private var owed: Set<Occurrence> = []
    /// How often something had its turn that was owed, and how often nobody could tell whether it should have.
    private(set) var judgedCount = 0
    private(set) var excusedCount = 0
    /// Everything that the engine said was missed, and was believed.
    private var missed: Set<Missed> = []
    /// The same, and what was before the clock was set back, for a restart may find it again; and how late it would have
    /// rung, in seconds.
    private var believed: [Missed: Int] = [:]
    /// What was missed of alarms that are gone: others of these ids have nothing to do with it.
    private var orphans: Set<Missed> = []
    /// When the next ring is to be asked for, by the best-known clock.
    private var nextMilliseconds = Int.min

    /// Some occurrences, from the first to the last, that are said to be missed.
    struct Missed: Hashable {
        var first: Int
        var last: Occurrence

        func contains(_ occurrence: Occurrence) -> Bool {
            last.alarm == occurrence.alarm
                && first...max(first, last.at.secondsSince1970) ~= occurrence.at.secondsSince1970
        }
    }

    /// So long after its time an alarm may begin.
    private static let graceMilliseconds = 1000
    /// Not even whoever has skipped some weekends has the next one further away.
    private static let secondsAhead = 60 * 86_400
    /// Whatever comes this late was on time.
    static let lateSecondsMin = 2

    // MARK: what is planned

    /// Whether an occurrence was to ring before what was given last, or is now, and counts.
    func isPlanned(_ occurrence: Occurrence, _ book: Book) -> Bool {
        [lines, before].contains { lines in
            guard let line = lines[occurrence.alarm] else { return false }
            let second = occurrence.at.secondsSince1970
            let since = book.since(line.kept, isLenient: true) / 1000
            return second >= since && line.rings.contains { $0.second == second }
        }
    }

    /// How late an alarm rings.
    func windowSeconds(_ id: Alarm.ID) -> Int {
        let windows = [lines[id], before[id]].compactMap { $0?.kept.alarm.lateWindowSeconds }
        return max(windows.max() ?? 0, DueWatch.lateSecondsMin)
    }

    /// The first ring of an alarm after a time that has not had its turn; nothing where there is none, or none is certain.
    func next(_ id: Alarm.ID, after milliseconds: Int, isKnown: (Occurrence) -> Bool) -> FoundRing? {
        lines[id]?.rings.first { ring in
            ring.second * 1000 > milliseconds && !isKnown(Occurrence(alarm: id, ring))
        }
    }

    // MARK: what happens

    /// The service has started again, and does not know of what nobody could write down.
    mutating func forgot(_ occurrence: Occurrence) {
        if !hasMoved, !hasForgotten { owed.insert(occurrence) }
    }

    /// Nobody knows what was due.
    mutating func forgetOwed() {
        excuseOwed()
        hasForgotten = true
    }

    private mutating func excuseOwed() {
        excusedCount += owed.count
        owed = []
    }

    /// The best-known clock shows an earlier time: what comes again has not had its turn, and what was missed is judged by
    /// the clock as it is now, if that is to be trusted.
    mutating func clockWasSetBack(to now: Int, isTrusted: Bool) {
        cursor = min(cursor, now)
        nextMilliseconds = Int.min
        if isTrusted { missed = [] }
    }

    /// Notes what has become due, and plans what has changed. `isCalled` says that the engine was given something just now,
    /// `start` that it was started, in the zone that the records say.
    mutating func prepare(
        _ book: Book, _ now: Int, _ world: World, isCalled: Bool, isTrusted: Bool, start zoneName: String?
    ) {
        let isStart = zoneName != nil
        let isChanged = revision != book.revision || zone != world.zoneIndex || !seconds.contains(now / 1000)
        if isCalled { before = lines }
        // What is planned anew by a start was not planned before.
        if isStart {
            // Since when it is in another zone was not written down: nobody knows what was due in between.
            hasMoved = zone != world.zoneIndex || zoneName != SimulatedZones.all[world.zoneIndex].name
            if hasMoved || hasForgotten { excuseOwed() }
            hasForgotten = false
            plan(book, world, now)
            before = lines
            // That the clock had been set back may not have been written down.
            cursor = max(cursor, min(latest, now))
        }
        // What was too late by a clock that nobody trusts is not owed any more where it would have been another time.
        if zone != world.zoneIndex, !isTrusted { excuseOwed() }
        let limit = isCalled ? now : now - DueWatch.graceMilliseconds
        if limit >= nextMilliseconds { sweep(to: limit) }
        cursor = max(cursor, limit)
        latest = max(latest, cursor)
        if isChanged, !isStart { plan(book, world, now) }
    }

    /// When to look, by the world's time, if nothing happens.
    func nextLookAt(_ ahead: Int) -> Int? {
        nextMilliseconds == Int.min || nextMilliseconds == Int.max
            ? nil : nextMilliseconds + DueWatch.graceMilliseconds - ahead
    }

    private mutating func sweep(to limit: Int) {
        for (id, line) in lines {
            for ring in line.rings where cursor < ring.second * 1000 && ring.second * 1000 <= limit {
                if ring.isSure { owed.insert(Occurrence(alarm: id, ring)) } else { excusedCount += 1 }
            }
        }
        findNext(after: limit)
    }

    /// Whatever is owed has its turn now, if anybody can tell.
    mutating func collect(_ watcher: Watcher, _ now: Int, isStart: Bool) {
        guard !owed.isEmpty else { return }
        for occurrence in owed.sorted(by: { ($0.at, $0.alarm) < ($1.at, $1.alarm) }) {
            let late = now - occurrence.at.secondsSince1970 * 1000
            let isPlanned = [lines, before].contains { lines in
                lines[occurrence.alarm]?.rings.contains(FoundRing(second: occurrence.at.secondsSince1970)) == true
            }
            // What was saved by a clock that nobody trusted counts from another time as soon as that is set.
            let kept = watcher.book.alarms[occurrence.alarm]
            let isUncertain = kept?.doubt != nil || isStart
            // What it depends on was changed since, by a clock that nobody trusted.
            let isChanged = kept.map { now - late <= watcher.book.since($0) } ?? false
            let isTooEarly =
                isChanged || now - late <= kept?.uncertainUntil ?? Int.min
                || isUncertain && now - late <= kept?.since.upperBound ?? 0
            if watcher.sessions.hasRung(occurrence) || wasMissed(occurrence) {
                owed.remove(occurrence)
                judgedCount += 1
            } else if late < 0 || !isPlanned || isTooEarly || watcher.sessions.forgotten.contains(occurrence) {
                owed.remove(occurrence)
                excusedCount += 1
            } else if late <= windowSeconds(occurrence.alarm) * 1000 || watcher.clock.isTrusted {
                watcher.broke(1, "\(occurrence) is due, and neither rings nor was missed")
            }
        }
    }

    private mutating func plan(_ book: Book, _ world: World, _ now: Int) {
        (revision, zone) = (book.revision, world.zoneIndex)
        seconds = now / 1000 - 3 * 86_400...now / 1000 + 2 * 86_400
        lines = book.alarms.mapValues { kept in
            var rings = book.settings.isEnabled ? self.rings(kept, book, world, seconds) : []
            if let until = kept.uncertainUntil {
                // Of an alarm that names no day nobody knows which it is.
                for index in rings.indices where kept.alarm.isForNextTime || rings[index].second * 1000 <= until {
                    rings[index].isSure = false
                }
            }
            return Line(kept: kept, rings: rings)
        }
        findNext(after: cursor)
    }

    private func rings(_ kept: Book.Kept, _ book: Book, _ world: World, _ seconds: ClosedRange<Int>) -> [FoundRing] {
        let finder = book.finder(of: kept, machine: world.zoneIndex)
        let rings = finder.rings(seconds)
        guard let over = kept.over else { return rings }
        return rings.filter { ring in
            let date = CivilDate(dayNumber: finder.zone.day(at: ring.second))
            return ring.second * 1000 > over.until || !over.days.contains { $0.contains(date) }
        }
    }

    private mutating func findNext(after milliseconds: Int) {
        var next = Int.max
        for line in lines.values {
            if let ring = line.rings.first(where: { $0.second * 1000 > milliseconds }) {
                next = min(next, ring.second * 1000)
            }
        }
        nextMilliseconds = next
    }

    // MARK: what was missed

    /// What is said to be missed.
    private func said(_ history: [PastRing]) -> Set<Missed> {
        var said: Set<Missed> = []
        for ring in history where ring.ending == .missed {
            let first = (ring.firstMissed ?? ring.occurrence.at).secondsSince1970
            said.insert(Missed(first: first, last: ring.occurrence))
        }
        return said
    }

    /// The service has started again: what was missed and could not be written down was not missed.
    mutating func restarted(_ history: [PastRing]) {
        // That the clock was set back may not have been written down.
        missed = said(history).intersection(believed.keys).subtracting(orphans)
    }

    /// Judges whatever is said to be missed.
    mutating func judge(_ history: [PastRing], _ watcher: Watcher, _ now: Int) {
        var said = said(history)
        // What was taken back may be missed again, by another.
        orphans.formIntersection(said)
        said.subtract(orphans)
        guard said != missed else { return }
        for run in said.subtracting(missed) { judge(run, watcher, now) }
        missed = said
        for run in said where believed[run] == nil { believed[run] = windowSeconds(run.last.alarm) }
    }

    private func judge(_ run: Missed, _ watcher: Watcher, _ now: Int) {
        if !watcher.clock.isTrusted { watcher.broke(1, "\(run.last) was missed, and nobody knew the time") }
        let planned = [lines, before].compactMap { lines in
            lines[run.last.alarm].flatMap { line in
                line.rings.contains { $0.second == run.last.at.secondsSince1970 } ? line.kept : nil
            }
        }
        // Of what was missed by a clock that was ahead, a part may be left. And a start may find what nobody could write down
        // to be over.
        let isPart = believed.keys.contains { $0.contains(run.last) }
        // What was off by another miss that is taken back was on between, and nobody outside has seen it.
        let kept = watcher.book.alarms[run.last.alarm]
        let wasOffByMiss = if case .missed = kept?.off { true } else { false }
        // Nor has anybody what was switched off and on again between the asking and the doing.
        if planned.isEmpty, !isPart, !watcher.isStart, !wasOffByMiss, kept?.isCertain == true, kept?.isRaced == false {
            watcher.broke(1, "\(run.last) was missed, and was not planned")
        }
        // By how late it would have rung then: its owner may have changed that, and so it may be missed once more.
        let windows = planned.map { max($0.alarm.lateWindowSeconds, DueWatch.lateSecondsMin) }
        let window = [believed[run], windows.max()].compactMap(\.self).min() ?? windowSeconds(run.last.alarm)
        if now - run.last.at.secondsSince1970 * 1000 <= window * 1000 {
            watcher.broke(1, "\(run.last) was missed, and is not too late")
        }
        // What was missed of an alarm that was being deleted while the clock was set is taken back or not: nobody cares.
        guard kept != nil else { return }
        let first = Occurrence(alarm: run.last.alarm, at: Instant(secondsSince1970: run.first))
        for occurrence in [first, run.last] where watcher.sessions.hasRung(occurrence) {
            watcher.broke(1, "\(occurrence) was missed, and has rung")
        }
    }

    /// Whether an occurrence is among those that were missed.
    func wasMissed(_ occurrence: Occurrence) -> Bool {
        missed.contains { $0.contains(occurrence) }
    }

    /// An alarm is gone.
    mutating func forget(_ id: Alarm.ID) {
        orphans.formUnion(missed.filter { $0.last.alarm == id })
        missed.subtract(orphans)
        owed = owed.filter { $0.alarm != id }
    }

    /// The last that was missed of an alarm.
    func lastMissed(_ id: Alarm.ID) -> Int? {
        missed.lazy.filter { $0.last.alarm == id }.map(\.last.at.secondsSince1970).max()
    }

    /// The first ring of an alarm after a time, if the book were this.
    func firstRing(
        _ id: Alarm.ID, after now: Int, _ book: Book, _ world: World, isKnown: (Occurrence) -> Bool
    ) -> FoundRing? {
        guard book.settings.isEnabled, let kept = book.alarms[id] else { return nil }
        return rings(kept, book, world, now / 1000...now / 1000 + DueWatch.secondsAhead).first { ring in
            ring.second * 1000 > now && !isKnown(Occurrence(alarm: id, ring))
        }
    }
}

extension Book {
    /// The earliest time whose rings of an alarm count, or may.
    fileprivate func since(_ kept: Kept, isLenient: Bool = false) -> Int {
        var since = kept.since.lowerBound
        for change in changes(of: kept.alarm) {
            since = max(since, isLenient ? change.earliest(lateBy: kept.alarm.lateMilliseconds) : change.at)
        }
        // What would have been due in this zone before it was this zone is not.
        for move in moves(of: kept.alarm) where !isLenient && move.isRight { since = max(since, move.at) }
        return since
    }
}

extension Occurrence {
    fileprivate init(alarm: Alarm.ID, _ ring: FoundRing) {
        self.init(alarm: alarm, at: Instant(secondsSince1970: ring.second))
    }
}
