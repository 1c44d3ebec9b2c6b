// Promise 8: every request is answered once, and one that comes again as before. Promise 4: what was acknowledged is durable.

import Alarms
import CivilTime
import Engine

/// Follows what was asked for.
struct RequestWatch {
    struct Line {
        var command: Command
        var at: Int
        /// The same by the best-known clock, and whether that was to be trusted.
        var bestAt: Int
        var isTimeKnown: Bool
        /// By the best-known clock before that was set back.
        var bestAtBefore: Int?
        /// How often it was asked for and not answered.
        var openCount = 1
        var reply: Reply?
        /// The alarms that it would be a way to escape.
        var escaped: Set<Alarm.ID>
        /// The sessions that it must wait for.
        var mustWait: Set<Occurrence>
        /// The session that was heard.
        var heard: Occurrence?
        /// The day of the ring that was to be skipped then.
        var nextDate: CivilDate?
        /// How many challenges of that were completed.
        var doneCount: Int
        /// Whether the alarm was off.
        var wasOff: Bool?
        /// From which day its intervals were shown to count.
        var shownStart: CivilDate?
        var zoneIndex: Int
        var changeCount: Int
    }

    private var lines: [String: Line] = [:]
    /// Those that were not answered yet.
    private var open: Set<String> = []
    /// What was answered that it was not kept: a disk that failed may have it all the same.
    private var failed: [Line] = []
    private var settling: [Line] = []
    /// What was not kept as far as is known, and is perhaps undone only in memory.
    private var undone: [Line] = []

    /// Nobody waits longer than this for an answer, however slow the disk is.
    private static let patienceMilliseconds = 30_000

    mutating func asked(_ command: Command, _ request: Request, _ watcher: Watcher, _ world: World) {
        if lines[request.id]?.reply == nil { open.insert(request.id) }
        guard lines[request.id] == nil else {
            lines[request.id]?.openCount += 1
            return
        }
        let lock = watcher.lock(world)
        lines[request.id] = Line(
            command: command, at: world.now, bestAt: watcher.bestNow(world),
            isTimeKnown: watcher.clock.isTrusted,
            escaped: lock.escaped(by: command, world), mustWait: lock.mustWait(for: command, world),
            heard: watcher.heard, nextDate: watcher.nextDate(command, world)?.date,
            doneCount: watcher.heard.flatMap { world.shown.session($0)?.doneMilliseconds.count } ?? 0,
            wasOff: watcher.book.isOff(command), shownStart: world.shown.start(command), zoneIndex: world.zoneIndex,
            changeCount: watcher.clock.changeCount)
    }

    /// Whether somebody asks for the same once more.
    func isRepeated(_ input: Input) -> Bool {
        guard case .command(_, let request) = input, let line = lines[request.id] else { return false }
        return line.openCount > 1 || line.reply != nil
    }

    mutating func answered(_ request: Request, _ reply: Reply, _ watcher: Watcher, _ world: World) {
        guard let line = lines[request.id], line.openCount > 0 else {
            return watcher.broke(8, "\(request.id) was answered twice, or never asked: \(reply)")
        }
        lines[request.id]?.openCount -= 1
        if let before = line.reply {
            if before != reply { watcher.broke(8, "\(request.id) was answered \(before), and then \(reply)") }
            return
        }
        lines[request.id]?.reply = reply
        open.remove(request.id)
        switch reply {
        case .refused(.notKept): failed.append(line)
        case .refused: break
        case .done(let outcome):
            let lock = watcher.lock(world)
            let escaped = line.escaped.intersection(lock.escaped(by: line.command, world))
            if let id = escaped.min() { watcher.broke(3, "\(line.command) was a way to escape \(id)") }
            if !line.mustWait.isDisjoint(with: lock.mustWait(for: line.command, world)) {
                watcher.broke(3, "\(line.command) was done while it rings")
            }
            var asked = line.asked(watcher, world)
            // It was decided when it was asked for, or when what was asked for before was durable.
            if case .skip(let id) = line.command {
                // Where there was nothing to skip, there may be something since it is another time or another zone.
                let isSame = line.zoneIndex == world.zoneIndex && line.changeCount == watcher.clock.changeCount
                let isDaySure = watcher.nextDate(line.command, world)?.isSure == true
                let isSure = (isSame || line.nextDate != nil) && isDaySure
                let date =
                    skipped(of: id, [line.nextDate, asked.nextDate], watcher)
                    ?? (isDaySure ? nil : skippedOnAnyDay(of: id, watcher))
                asked.nextDate = date ?? (isSure ? asked.nextDate : nil)
            }
            watcher.book.apply(asked)
            judge(line, outcome, watcher, world.shown)
            judgePromise(line, outcome, watcher, world)
        }
    }

    /// Who waits for an answer when the service dies gets none.
    mutating func died() {
        failed += lines.filter { $0.value.openCount > 0 && $0.value.reply == nil }.sorted {
            ($0.value.at, $0.key.count, $0.key) < ($1.value.at, $1.key.count, $1.key)
        }.map(\.value)
        (lines, open) = ([:], [])
    }

    /// What may be true although nobody was told so: a restart may find all that was on its way to the disk, or was refused
    /// by it; otherwise only what a slow disk has taken after all is true.
    func perhaps(_ watcher: Watcher, _ world: World) -> [Asked] {
        let asked = watcher.isStart ? undone + settling + failed : settling
        return asked.flatMap { line in
            var asked = line.asked(watcher, world)
            asked.isCertain = false
            asked.isDoubtLost = watcher.isStart && !line.isTimeKnown
            guard case .skip(let id) = line.command else { return [asked] }
            // What was to be skipped was decided by a clock that has been set since, or days count from nobody knows when.
            var (earlier, durable) = (asked, asked)
            earlier.nextDate = line.nextDate
            durable.nextDate =
                skipped(of: id, [line.nextDate, asked.nextDate], watcher)
                ?? (watcher.nextDate(line.command, world)?.isSure == true ? nil : skippedOnAnyDay(of: id, watcher))
            return [asked, earlier, durable]
        }
    }

    /// The day that is to be skipped by the records, if it is one of these; in another zone it may be the day before or after.
    private func skipped(of id: Alarm.ID, _ dates: [CivilDate?], _ watcher: Watcher) -> CivilDate? {
        guard let old = watcher.book.alarms[id]?.alarm, let new = watcher.model.alarms[id]?.alarm else { return nil }
        return dates.compactMap(\.self).flatMap { date in (-1...1).map { date.advanced(by: $0) } }.first { date in
            new.skipped.contains(date) && !old.skipped.contains(date)
        }
    }

    /// The first day that is skipped by the records and not by the book, where nobody outside knows which it must be: days may
    /// count from another than is known.
    private func skippedOnAnyDay(of id: Alarm.ID, _ watcher: Watcher) -> CivilDate? {
        guard let old = watcher.book.alarms[id]?.alarm, let new = watcher.model.alarms[id]?.alarm else { return nil }
        return new.skipped.runs.lazy.flatMap { $0.lowerBound.dayNumber...$0.upperBound.dayNumber }
            .map { CivilDate(dayNumber: $0) }.first { !old.skipped.contains($0) }
    }

    /// The clock shows an earlier time: what was asked for later counts from now.
    mutating func clockWasSetBack(to now: Int) {
        for id in lines.keys where lines[id]?.reply == nil { lines[id]?.clockWasSetBack(to: now) }
        for index in failed.indices { failed[index].clockWasSetBack(to: now) }
    }

    /// Something was kept: what failed before has failed for good, or is true now.
    mutating func kept() {
        (settling, failed) = (settling + failed, [])
    }

    /// Whatever was undone is so for good.
    mutating func allIsKept() { undone = [] }

    /// Whether nothing that was refused is, or is being undone.
    var isSettled: Bool { failed.isEmpty && settling.isEmpty && undone.isEmpty }

    /// Whatever is true is known to be. Answers with the alarms that may be as they are by what was not acknowledged, and
    /// whether nobody knows any more how long ago that was asked for.
    mutating func settle(isStart: Bool) -> [(id: Alarm.ID, isDoubtLost: Bool)] {
        let settled = settling + (isStart ? failed : [])
        settling = []
        // A restart finds what there is.
        if isStart { (failed, undone) = ([], []) } else { undone += settled }
        return settled.flatMap { line in line.saves.map { ($0, isStart && !line.isTimeKnown) } }
    }

    /// When somebody will have waited too long for an answer.
    func nextLookAt(_ world: World) -> Int? {
        open.compactMap { lines[$0]?.at }.min().map { max($0, world.awakeSince) + RequestWatch.patienceMilliseconds }
    }

    /// Whoever has asked is answered. A machine that sleeps answers when it wakes.
    func look(_ world: World, _ watcher: Watcher) {
        guard let until = nextLookAt(world), until <= world.now, world.isRunning else { return }
        let id = open.min { (lines[$0]?.at ?? 0, $0) < (lines[$1]?.at ?? 0, $1) } ?? ""
        watcher.broke(8, "\(id) was never answered: \(lines[id].map { "\($0.command)" } ?? "")")
    }

    /// Whether an alarm is durable as the people were told, or is switched off by its last ring.
    private func holds(_ id: Alarm.ID, _ watcher: Watcher) -> Bool {
        guard var durable = watcher.model.alarms[id]?.alarm, let alarm = watcher.book.alarms[id]?.alarm else {
            return watcher.model.alarms[id] == nil && watcher.book.alarms[id] == nil
        }
        if alarm.isForFewDays { durable.isEnabled = alarm.isEnabled }
        // Dates that are over are forgotten some day, and are back where that is undone.
        let dates = durable.forgettingDates(before: watcher.latestDay(alarm, watcher.book)).dates
        return durable.plain.withoutDates == alarm.withoutDates && dates.allSatisfy { alarm.dates[$0.key] == $0.value }
    }

    /// Whether somebody wanted the same thing otherwise, and was not answered yet: that may be durable as well.
    private func hasOther(_ line: Line) -> Bool {
        open.contains { id in
            guard let other = lines[id], other.at >= line.at else { return false }
            return !other.command.subjects.isDisjoint(with: line.command.subjects)
        }
    }

    /// Whether what was acknowledged is durable, as far as it can be told from the records.
    private func judge(_ line: Line, _ outcome: Outcome, _ watcher: Watcher, _ shown: Shown) {
        let model = watcher.model
        var isDurable = true
        switch line.command {
        case .save(let alarm): isDurable = holds(alarm.id, watcher)
        case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id), .unskip(let id), .pause(let id, _):
            isDurable = holds(id, watcher)
        case .restore(let file, let isBackup):
            isDurable =
                file.alarms.allSatisfy { holds($0.id, watcher) }
                && (!isBackup || model.settings == watcher.book.settings)
                && file.codes.allSatisfy { model.codes[$0.label] == watcher.book.codes[$0.label] }
        case .configure: isDurable = model.settings == watcher.book.settings
        case .saveSettings(let settings): isDurable = model.settings == settings
        case .saveCalendar(let name, let calendar): isDurable = model.calendars[name] == calendar
        case .enrol(let code): isDurable = model.codes[code.label] == code
        case .forget(let label): isDurable = model.codes[label] == nil
        case .stop:
            // A session that has ended has done so for good.
            if case .stopped = outcome, let heard = line.heard,
                shown.history.contains(where: { $0.occurrence == heard })
            {
                isDurable = model.ended[heard] != nil
            }
        case .snooze:
            if case .snoozed(_, let until, _) = outcome, let heard = line.heard {
                isDurable = model.snoozes[heard] ?? 0 > 0
                if line.changeCount == watcher.clock.changeCount { watcher.wasPromised(until) }
            }
        case .answer:
            // A challenge that is completed is so for good.
            if let heard = line.heard, outcome.isAnswered,
                shown.session(heard)?.doneMilliseconds.count ?? 0 > line.doneCount
            {
                isDurable = model.challengesDone[heard] ?? 0 > line.doneCount
            }
        case .unlock(let id): if case .assigned(let assignment) = outcome { watcher.unlocks(id, assignment) }
        case .hold, .testRing, .preflight: break
        }
        if !isDurable, !hasOther(line) { watcher.broke(4, "\(line.command) was acknowledged, and is not durable") }
    }
}

extension RequestWatch {
    /// What was answered to ring next does so, unless it has become another time since that was worked out, or all is off by
    /// something that was asked for behind it.
    private func judgePromise(_ line: Line, _ outcome: Outcome, _ watcher: Watcher, _ world: World) {
        guard case .saved(let promised, _) = outcome, let id = line.changed,
            line.changeCount == watcher.clock.changeCount, line.zoneIndex == world.zoneIndex,
            world.engine.settings.isEnabled
        else { return }
        let planned = world.engine.alarm(id)?.next
        let now = watcher.bestNow(world)
        guard planned != promised, promised.map({ $0.occurrence.at.secondsSince1970 * 1000 > now }) ?? true else {
            return
        }
        watcher.broke(
            4,
            "\(line.command) was answered \(promised.map { "\($0)" } ?? "never"), and \(planned.map { "\($0)" } ?? "nothing") is planned"
        )
    }
}

extension Outcome {
    /// Whether an answer was taken.
    fileprivate var isAnswered: Bool {
        switch self {
        case .answered, .completed: true
        default: false
        }
    }
}

extension RequestWatch.Line {
    fileprivate mutating func clockWasSetBack(to now: Int) {
        guard bestAt > now else { return }
        (bestAt, bestAtBefore) = (now, bestAtBefore ?? bestAt)
    }

    /// The alarms that it saves, perhaps as they are.
    fileprivate var saves: [Alarm.ID] {
        switch command {
        case .save(let alarm): [alarm.id]
        case .edit(let id, _), .unskip(let id), .pause(let id, _): [id]
        case .restore(let file, _): file.alarms.map(\.id)
        default: []
        }
    }

    /// The alarm of which it is answered what rings next.
    fileprivate var changed: Alarm.ID? {
        switch command {
        case .save(let alarm): alarm.id
        case .edit(let id, _), .enable(let id, _), .skip(let id), .unskip(let id), .pause(let id, _): id
        default: nil
        }
    }

    /// As it is, if it is done now.
    fileprivate func asked(_ watcher: Watcher, _ world: World) -> Asked {
        let now = watcher.bestNow(world)
        return Asked(
            command: command, span: min(bestAt, now)...max(bestAt, now),
            savedAt: bestAtBefore.map { min(bestAt, now)...max($0, now) },
            doubt: watcher.clock.isTrusted ? nil : at...world.now,
            isTimeUnknown: isTimeKnown == watcher.clock.isTrusted ? !isTimeKnown : nil,
            isRaced: changeCount != watcher.clock.changeCount, zoneIndex: world.zoneIndex,
            zoneIndexBefore: zoneIndex, nextDate: watcher.nextDate(command, world)?.date, wasOff: wasOff,
            shownStart: shownStart)
    }
}

extension Shown {
    /// From which day the intervals of the alarm count that is to be saved.
    fileprivate func start(_ command: Command) -> CivilDate? {
        if case .save(let alarm) = command { self.alarm(alarm.id)?.start } else { nil }
    }
}

extension Book {
    /// Whether the alarm is off whose days are to change.
    fileprivate func isOff(_ command: Command) -> Bool? {
        switch command {
        case .pause(let id, _), .unskip(let id): alarms[id].map { !$0.alarm.isEnabled }
        default: nil
        }
    }
}

extension Command {
    /// The alarms and codes that it is about, and whether it is about the settings, by names that no alarm has.
    fileprivate var subjects: Set<String> {
        switch self {
        case .save(let alarm): [alarm.id]
        case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id), .unskip(let id), .pause(let id, _):
            [id]
        case .restore(let file, _):
            Set(file.alarms.map(\.id) + file.codes.map { "code \($0.label)" }).union(["settings"])
        case .enrol(let code): ["code \(code.label)"]
        case .forget(let label): ["code \(label)"]
        case .saveSettings, .configure: ["settings"]
        default: []
        }
    }
}
