// Promise 8: every request is answered once, and one that comes again as before. Promise 4: what was acknowledged is durable.

import Alarms
import CivilTime
import Engine

/// Follows what was asked for.
struct RequestWatch {
    struct Line {
        var command: Command
        var at: Int
        /// The same by the best-known clock.
        var bestAt: Int
        var isTimeKnown: Bool
        /// How often it was asked for and not answered.
        var openCount = 1
        var reply: Reply?
        /// The rings that it may be a way to escape.
        var escaped: Set<Occurrence>
        /// The sessions that it must wait for.
        var mustWait: Set<Occurrence>
        /// The session that was heard.
        var heard: Occurrence?
        /// The day of the ring that was to be skipped then; several where nobody can tell.
        var daysToSkip: [CivilDate?]
        var zoneIndex: Int
        var changeCount: Int

        /// Whether it has become another time since it was asked for.
        func isOvertaken(_ world: World) -> Bool {
            changeCount != world.watcher.clock.changeCount || zoneIndex != world.zoneIndex
        }
    }

    private var lines: [String: Line] = [:]
    /// Those that were not answered yet.
    private var open: Set<String> = []
    /// What was answered that it was not kept, or not answered when the service died: a disk that failed may have it all the
    /// same. The first of them are so, or will never be: something was kept since.
    private var unconfirmed: [Line] = []
    private var settledCount = 0

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
            escaped: lock.escaped(by: command, world), mustWait: lock.mustWait(for: command),
            heard: watcher.heard, daysToSkip: watcher.daysToSkip(command, world),
            zoneIndex: world.zoneIndex, changeCount: watcher.clock.changeCount)
    }

    /// Whether somebody asks for the same once more.
    func isRepeated(_ input: Input) -> Bool {
        guard case .command(_, let request) = input, let line = lines[request.id] else { return false }
        return line.openCount > 1 || line.reply != nil
    }

    mutating func answered(_ request: Request, _ reply: Reply, _ watcher: Watcher, _ world: World) {
        guard var line = lines[request.id], line.openCount > 0 else {
            return watcher.broke(.answers, "\(request.id) was answered twice, or never asked: \(reply)")
        }
        lines[request.id]?.openCount -= 1
        if let before = line.reply {
            if before != reply { watcher.broke(.answers, "\(request.id) was answered \(before), and then \(reply)") }
            return
        }
        lines[request.id]?.reply = reply
        open.remove(request.id)
        switch reply {
        case .refused(.notKept): unconfirmed.append(line)
        case .refused: break
        case .done(let outcome):
            if case .restored(_, let setAside) = outcome { line.command = line.command.leaving(setAside) }
            let lock = watcher.lock(world)
            let escaped = line.escaped.intersection(lock.escaped(by: line.command, world, answered: line))
            if let ring = escaped.min(by: { ($0.at, $0.alarm) < ($1.at, $1.alarm) }) {
                watcher.broke(.ending, "\(line.command) was a way to escape \(ring)")
            }
            if !line.mustWait.isDisjoint(with: lock.mustWait(for: line.command)) {
                watcher.broke(.ending, "\(line.command) was done while it rings")
            }
            watcher.acknowledge(line, world)
            judge(line, outcome, watcher, world.shown)
            judgePromise(line, outcome, watcher, world)
        }
    }

    /// Who waits for an answer when the service dies gets none.
    mutating func died() {
        unconfirmed += lines.filter { $0.value.openCount > 0 && $0.value.reply == nil }.sorted {
            ($0.value.at, $0.key.count, $0.key) < ($1.value.at, $1.key.count, $1.key)
        }.map(\.value)
        (lines, open) = ([:], [])
    }

    /// What may be true although nobody was told so: a restart may find all that was on its way to the disk, or was refused
    /// by it; otherwise only what a slow disk has taken after all is true.
    func perhaps(isStart: Bool) -> [Line] { isStart ? unconfirmed : Array(unconfirmed.prefix(settledCount)) }

    /// Something was kept: what failed before has failed for good, or is true now.
    mutating func kept() { settledCount = unconfirmed.count }

    /// Whatever is true is known to be.
    mutating func settle(isStart: Bool) {
        unconfirmed.removeFirst(isStart ? unconfirmed.count : settledCount)
        settledCount = 0
    }

    /// When somebody will have waited too long for an answer.
    func nextLookAt(_ world: World) -> Int? {
        open.compactMap { lines[$0]?.at }.min().map { max($0, world.awakeSince) + RequestWatch.patienceMilliseconds }
    }

    /// Whoever has asked is answered. A machine that sleeps answers when it wakes.
    func look(_ world: World, _ watcher: Watcher) {
        guard let until = nextLookAt(world), until <= world.now, world.isRunning else { return }
        let id = open.min { (lines[$0]?.at ?? 0, $0) < (lines[$1]?.at ?? 0, $1) } ?? ""
        watcher.broke(.answers, "\(id) was never answered: \(lines[id].map { "\($0.command)" } ?? "")")
    }

    /// Whether something is durable as the people were told.
    private func holds(_ subject: Command.Subject, _ watcher: Watcher, _ now: Int) -> Bool {
        let (model, account) = (watcher.model, watcher.account)
        return switch subject {
        case .alarm(let id): holds(id, watcher, now)
        case .code(let label): model.codes[label] == account.codes[label]
        case .calendar(let name): model.calendars[name] == account.calendars[name]
        case .settings: model.settings == account.settings
        }
    }

    /// Whether an alarm is durable as the people were told, or is switched off by its last ring.
    private func holds(_ id: Alarm.ID, _ watcher: Watcher, _ now: Int) -> Bool {
        guard let durable = watcher.model.alarms[id]?.alarm, let alarm = watcher.account.alarms[id]?.alarm else {
            return watcher.model.alarms[id] == nil && watcher.account.alarms[id] == nil
        }
        return alarm.isShown(as: durable, now: now) && (alarm.isOneTime || alarm.isEnabled == durable.isEnabled)
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
        var isDurable = line.command.subjects.allSatisfy { holds($0, watcher, shown.status.nowMilliseconds) }
        switch (line.command, outcome) {
        case (.stop, .stopped), (.answer, .completed):
            // A session that has ended has done so for good.
            if let heard = line.heard, shown.history.contains(where: { $0.occurrence == heard }) {
                isDurable = model.ended[heard] != nil
            }
        case (.snooze, .snoozed(_, let until, _, _, _)):
            if let heard = line.heard { isDurable = model.open[heard]?.snoozeCount ?? 0 > 0 }
            let isTrue = shown.status.sessions.contains { current in
                guard current.reason == .snooze, let left = current.leftMilliseconds else { return false }
                return abs(shown.status.nowMilliseconds + left - until) <= 1000
            }
            if !isTrue, line.changeCount == watcher.clock.changeCount {
                watcher.broke(.silence, "somebody was told of a snooze until \(until), and there is none")
            }
        case (.unlock(let id), .assigned(let assignment)): watcher.unlocks(id, assignment)
        default: break
        }
        if !isDurable, !hasOther(line) {
            watcher.broke(.memory, "\(line.command) was acknowledged, and is not durable")
        }
    }
}

extension RequestWatch {
    /// What was answered to ring next does so, unless it has become another time since that was worked out, or all is off by
    /// something that was asked for behind it.
    private func judgePromise(_ line: Line, _ outcome: Outcome, _ watcher: Watcher, _ world: World) {
        guard case .saved(let promised, _) = outcome, let id = line.command.alarms.first,
            !line.isOvertaken(world), world.engine.settings.isEnabled
        else { return }
        let planned = world.engine.alarm(id)?.next
        let now = watcher.bestNow(world)
        guard planned != promised, promised.map({ $0.occurrence.at.secondsSince1970 * 1000 > now }) ?? true else {
            return
        }
        watcher.broke(
            .memory,
            "\(line.command) was answered \(promised.map { "\($0)" } ?? "never"), and \(planned.map { "\($0)" } ?? "nothing") is planned"
        )
    }
}

extension Command {
    /// An import without the alarms that stay as they are here.
    func leaving(_ setAside: [Problem]) -> Command {
        let places = setAside.filter { $0.reason.hasSuffix("it stays as it is here") }.map(\.place)
        return leaving { index, _ in places.contains { $0 == "alarms[\(index)]" || $0.hasPrefix("alarms[\(index)].") } }
    }

    func leaving(_ isLeft: (Int, Alarm) -> Bool) -> Command {
        guard case .restore(var file, false) = self else { return self }
        file.alarms = file.alarms.enumerated().filter { !isLeft($0, $1) }.map(\.element)
        return .restore(file)
    }

    /// The alarms that it changes.
    var alarms: Set<Alarm.ID> {
        switch self {
        case .save(let alarm): [alarm.id]
        case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id, _), .unskip(let id),
            .pause(let id, _):
            [id]
        case .restore(let file, _): Set(file.alarms.map(\.id))
        default: []
        }
    }

    /// What a command may change.
    fileprivate enum Subject: Hashable {
        case alarm(Alarm.ID)
        case code(String)
        case calendar(String)
        case settings
    }

    /// Everything that it changes.
    fileprivate var subjects: Set<Subject> {
        switch self {
        case .restore(let file, let isBackup):
            Set(alarms.map(Subject.alarm) + file.codes.map { .code($0.label) } + (isBackup ? [.settings] : []))
        case .enrol(let code): [.code(code.label)]
        case .forget(let label): [.code(label)]
        case .saveCalendar(let name, _): [.calendar(name)]
        case .saveSettings, .configure: [.settings]
        default: Set(alarms.map(Subject.alarm))
        }
    }
}
