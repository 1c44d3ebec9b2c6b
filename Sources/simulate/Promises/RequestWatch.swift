// Promise 8: every request gets one reply, and a repeated one gets the same. Promise 4: what was acknowledged is durable.

import Alarms
import CivilTime
import Engine

struct RequestWatch {
    struct TrackedRequest {
        var command: Command
        var at: Int
        var isTimeKnown: Bool
        /// How many of its repeats have no reply yet.
        var openCount = 1
        var reply: Reply?
        var locked: Set<Alarm.ID>
        var heard: Occurrence?
        var zoneIndex: Int
        var clockSetCount: Int

        var change: AcknowledgedChange {
            AcknowledgedChange(alarms: command.alarms, askedAt: at, isTimeKnown: isTimeKnown)
        }

        /// Whether the clock or the zone has changed since the request.
        func isOvertaken(_ world: World) -> Bool {
            clockSetCount != world.clockSetCount || zoneIndex != world.zoneIndex
        }
    }

    private var lines: [String: TrackedRequest] = [:]
    private(set) var open: [(id: String, at: Int)] = []
    /// Requests that were answered as not durable, or not answered when the service died: a failing disk may still have them.
    /// The first `settledCount` of them are durable now, or never will be: a later commit has succeeded.
    private var unconfirmed: [TrackedRequest] = []
    private var settledCount = 0

    /// The timeout of a reply, however slow the disk is.
    private static let timeoutMilliseconds = 30_000

    mutating func asked(_ command: Command, _ request: RequestHeader, _ watcher: Watcher, _ world: World) {
        guard lines[request.id] == nil else {
            lines[request.id]?.openCount += 1
            return
        }
        open.append((request.id, world.now))
        lines[request.id] = TrackedRequest(
            command: command, at: world.now, isTimeKnown: world.clock.isTrusted,
            locked: watcher.locked(world.engine), heard: watcher.sound?.occurrence,
            zoneIndex: world.zoneIndex, clockSetCount: world.clockSetCount)
    }

    func isRepeated(_ input: Input) -> Bool {
        guard case .command(_, let request) = input, let line = lines[request.id] else { return false }
        return line.openCount > 1 || line.reply != nil
    }

    mutating func answered(_ request: RequestHeader, _ reply: Reply, _ watcher: Watcher, _ world: World) {
        guard let line = lines[request.id], line.openCount > 0 else {
            return watcher.report(.answers, "\(request.id) was answered twice, or never asked: \(reply)")
        }
        lines[request.id]?.openCount -= 1
        if let before = line.reply {
            if before != reply { watcher.report(.answers, "\(request.id) was answered \(before), and then \(reply)") }
            return
        }
        lines[request.id]?.reply = reply
        open.removeAll { $0.id == request.id }
        switch reply {
        case .refused(let refusal) where refusal.code == .notKept: unconfirmed.append(line)
        case .refused: break
        case .done(let outcome):
            watcher.acknowledge(line, skipping: outcome.skippedDate ?? line.command.dayToSkip(watcher.announced), world)
            judge(line, outcome, watcher, world)
        }
    }

    /// Requests that are open when the service dies get no reply.
    mutating func died() {
        unconfirmed += open.compactMap { lines[$0.id] }
        (lines, open) = ([:], [])
    }

    /// The unconfirmed requests that may be done: at a start all; otherwise those that a slow disk has committed.
    func mayBeDone(isStart: Bool) -> [TrackedRequest] {
        isStart ? unconfirmed : Array(unconfirmed.prefix(settledCount))
    }

    /// A commit has succeeded: earlier ones have failed for good, or are durable now.
    mutating func committed() { settledCount = unconfirmed.count }

    /// The account knows now which of them are done.
    mutating func settle(isStart: Bool) {
        unconfirmed.removeFirst(isStart ? unconfirmed.count : settledCount)
        settledCount = 0
    }

    func nextCheckAt(_ world: World) -> Int? {
        open.first.map { max($0.at, world.awakeSince) + RequestWatch.timeoutMilliseconds }
    }

    /// Reports a request that has timed out. A machine that is asleep replies when it wakes.
    func checkTimeouts(_ world: World, _ watcher: Watcher) {
        guard world.isRunning, let (id, _) = open.first, nextCheckAt(world) ?? .max <= world.now else { return }
        watcher.report(.answers, "\(id) was never answered: \(lines[id].map { "\($0.command)" } ?? "")")
    }

    /// Checks that an acknowledged outcome is durable and shown.
    private func judge(_ line: TrackedRequest, _ outcome: Outcome, _ watcher: Watcher, _ world: World) {
        if case .unwritten = outcome { return }
        if watcher.journal.isPending({ line.command.comes(to: $0, of: line.heard) }) {
            watcher.report(.memory, "\(line.command) was acknowledged, and is not durable")
        }
        let shown = world.published
        switch outcome {
        case .snoozed(_, let until, _, _, _) where line.clockSetCount == world.clockSetCount:
            let isTrue = shown.status.sessions.contains { current in
                guard current.phase == .snoozed, let left = current.leftMilliseconds else { return false }
                return abs(shown.status.nowMilliseconds + left - until) <= 1000
            }
            if !isTrue { watcher.report(.silence, "a snooze until \(until) was acknowledged, and there is none") }
        case .saved(let saved, _): judge(line, saved.next, watcher, world)
        default: break
        }
    }

    /// Checks that a reply's next ring is planned, unless the clock, the zone or a later command has changed that.
    private func judge(_ line: TrackedRequest, _ promised: PlannedRing?, _ watcher: Watcher, _ world: World) {
        guard let id = line.command.alarms.first, !line.isOvertaken(world), world.engine.settings.isEnabled else {
            return
        }
        let planned = world.engine.alarm(id)?.next
        let isToCome = promised.map { $0.occurrence.second * 1000 > watcher.bestNow(world) } ?? true
        // A command that changes nothing is answered when that is durable, perhaps together with a later change.
        let wasPlanned = promised?.occurrence.second == watcher.announced.lines[id]?.next
        if planned != promised, isToCome, !wasPlanned {
            watcher.report(
                .memory,
                "\(line.command) was answered \(promised.map { "\($0)" } ?? "never"), and \(planned.map { "\($0)" } ?? "nothing") is planned"
            )
        }
    }
}

struct AcknowledgedChange {
    var alarms: Set<Alarm.ID>
    /// When it was asked for, by the world's time, and whether the time was trusted then.
    var askedAt = 0
    var isTimeKnown = true
}

extension Outcome {
    var skippedDate: CivilDate? {
        if case .unwritten(let outcome) = self { return outcome.skippedDate }
        return if case .skipped(_, let date) = self { date } else { nil }
    }
}

extension Command {
    func dayToSkip(_ announced: AnnouncedRings) -> CivilDate? {
        if case .skip(let id, _) = self { announced.nextDay(id) } else { nil }
    }

    var alarms: Set<Alarm.ID> {
        switch self {
        case .add(let alarm), .save(let alarm): [alarm.id]
        case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id, _), .unskip(let id),
            .pause(let id, _):
            [id]
        case .restore(let file, _): Set(file.alarms.map(\.id))
        default: []
        }
    }

    /// Whether a fact may be an effect of the command. `heard` is the session that was heard at the request.
    fileprivate func comes(to fact: Fact, of heard: Occurrence?) -> Bool {
        switch fact {
        case .alarmSaved(let alarm, _): alarms.contains(alarm.id)
        case .alarmDeleted(let id): if case .restore = self { true } else { alarms.contains(id) }
        case .settingsSaved, .calendarSaved, .calendarDeleted, .codeEnrolled, .codeForgotten:
            switch self {
            case .saveSettings, .configure, .saveCalendar, .restore, .enrol, .forget: true
            default: false
            }
        case .snoozed(let occurrence, _, _): if case .snooze = self { occurrence == heard } else { false }
        case .ended(let occurrence, _, _, _, _): self == .stop && occurrence == heard
        default: false
        }
    }
}
