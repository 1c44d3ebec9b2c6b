// Promise 8: each request gets one reply, repeats the same. Promise 4: acknowledged changes are durable.

import Alarms
import CivilTime
import Engine

struct RequestWatch {
    struct TrackedRequest {
        var command: Command
        var at: Int
        /// The number of copies of the request that have no reply yet.
        var openCount = 1
        var reply: Reply?
        var locked: Set<Alarm.ID>
        var heard: Occurrence?
        var zoneIndex: Int
        var clockSetCount: Int

        /// Returns true if the clock or the zone has changed since the request.
        func isOvertaken(_ night: Simulation) -> Bool {
            clockSetCount != night.clockSetCount || zoneIndex != night.zoneIndex
        }
    }

    private var requests: [String: TrackedRequest] = [:]
    private(set) var open: [(id: String, at: Int)] = []
    /// The requests without a reply when the service died, or with the reply that they are not durable. A
    /// failing disk may still have them. A later commit has settled the first `settledCount`.
    private var unconfirmed: [TrackedRequest] = []
    private var settledCount = 0

    /// The timeout of a reply, even with the slowest disk.
    private static let timeoutMilliseconds = 30_000

    mutating func asked(
        _ command: Command, _ request: RequestHeader, _ checker: InvariantChecker, _ night: Simulation
    ) {
        guard requests[request.id] == nil else {
            requests[request.id]?.openCount += 1
            return
        }
        open.append((request.id, night.now))
        requests[request.id] = TrackedRequest(
            command: command, at: night.now, locked: checker.locked(night.engine), heard: checker.sound?.occurrence,
            zoneIndex: night.zoneIndex, clockSetCount: night.clockSetCount)
    }

    func isRepeated(_ input: Input) -> Bool {
        guard case .command(_, let request) = input, let tracked = requests[request.id] else { return false }
        return tracked.openCount > 1 || tracked.reply != nil
    }

    mutating func answered(_ request: RequestHeader, _ reply: Reply, _ checker: InvariantChecker, _ night: Simulation) {
        guard let tracked = requests[request.id], tracked.openCount > 0 else {
            return checker.report(.answers, "\(request.id) was answered twice or was never sent: \(reply)")
        }
        requests[request.id]?.openCount -= 1
        if let before = tracked.reply {
            if before != reply { checker.report(.answers, "\(request.id) was answered \(before), and then \(reply)") }
            return
        }
        requests[request.id]?.reply = reply
        open.removeAll { $0.id == request.id }
        switch reply {
        case .refused(let refusal) where refusal.code == .notKept: unconfirmed.append(tracked)
        case .refused: break
        case .done(let outcome):
            checker.acknowledge(
                tracked, skipping: outcome.skippedDate ?? tracked.command.dayToSkip(checker.rings), night)
            check(tracked, outcome, checker, night)
        }
    }

    /// Counts the open requests as unconfirmed, because a dead service does not reply.
    mutating func died() {
        unconfirmed += open.compactMap { requests[$0.id] }
        (requests, open) = ([:], [])
    }

    /// Returns the requests that may have taken effect: all unconfirmed ones at a start, otherwise the
    /// settled ones.
    func mayBeDone(isStart: Bool) -> [TrackedRequest] {
        isStart ? unconfirmed : Array(unconfirmed.prefix(settledCount))
    }

    /// Settles all unconfirmed requests: after a successful commit, each is durable or lost for good.
    mutating func committed() { settledCount = unconfirmed.count }

    /// Removes the settled requests, because the expected state now has their effects.
    mutating func settle(isStart: Bool) {
        unconfirmed.removeFirst(isStart ? unconfirmed.count : settledCount)
        settledCount = 0
    }

    func nextCheckAt(_ night: Simulation) -> Int? {
        open.first.map { max($0.at, night.awakeSince) + RequestWatch.timeoutMilliseconds }
    }

    /// Reports a request that has timed out. A sleeping machine replies when it wakes.
    func checkTimeouts(_ night: Simulation, _ checker: InvariantChecker) {
        guard night.isRunning, let (id, _) = open.first, nextCheckAt(night) ?? .max <= night.now else {
            return
        }
        checker.report(.answers, "\(id) was never answered: \(requests[id].map { "\($0.command)" } ?? "")")
    }

    /// Checks that an acknowledged outcome is durable and shown.
    private func check(
        _ tracked: TrackedRequest, _ outcome: Outcome, _ checker: InvariantChecker, _ night: Simulation
    ) {
        if case .unwritten = outcome { return }
        if checker.journal.isPending({ tracked.command.comes(to: $0, of: tracked.heard) }) {
            checker.report(.memory, "\(tracked.command) was acknowledged, but is not durable")
        }
        let shown = night.published
        switch outcome {
        case .snoozed(_, let until, _, _, _) where tracked.clockSetCount == night.clockSetCount:
            let isTrue = shown.status.sessions.contains { current in
                guard current.phase == .snoozed, let left = current.leftMilliseconds else { return false }
                return abs(shown.status.nowMilliseconds + left - until) <= 1000
            }
            if !isTrue { checker.report(.silence, "a snooze until \(until) was acknowledged, but does not exist") }
        case .saved(let saved, _): check(tracked, saved.next, checker, night)
        default: break
        }
    }

    /// Checks that the next ring in a reply is planned, unless the clock, the zone or a command changed it.
    private func check(
        _ tracked: TrackedRequest, _ promised: PlannedRing?, _ checker: InvariantChecker, _ night: Simulation
    ) {
        guard let id = tracked.command.alarms.first, !tracked.isOvertaken(night),
            night.engine.settings.isEnabled
        else {
            return
        }
        let planned = night.engine.alarm(id)?.next
        let isToCome = promised.map { $0.at.milliseconds > checker.bestNow(night) } ?? true
        // The reply to a command that changes nothing also waits for the disk, perhaps with a later change.
        let wasPlanned = promised?.occurrence.second == checker.rings.alarms[id]?.next
        if planned != promised, isToCome, !wasPlanned {
            checker.report(
                .memory,
                "\(tracked.command) was answered with \(promised.map { "\($0)" } ?? "no ring"), but the plan has \(planned.map { "\($0)" } ?? "none")"
            )
        }
    }
}

extension Outcome {
    var skippedDate: CivilDate? {
        if case .unwritten(let outcome) = self { return outcome.skippedDate }
        return if case .skipped(_, let date) = self { date } else { nil }
    }
}

extension Command {
    func dayToSkip(_ announced: ExpectedRings) -> CivilDate? {
        if case .skip(let id, _) = self { announced.nextDay(id) } else { nil }
    }

    var alarms: Set<Alarm.ID> {
        switch self {
        case .add(let alarm), .save(let alarm): [alarm.id]
        case .edit(let id, _), .delete(let id), .enable(let id, _), .skip(let id, _), .unskip(let id),
            .pause(let id, _), .postpone(let id, _), .done(let id):
            [id]
        case .restore(let file, _): Set(file.alarms.map(\.id))
        default: []
        }
    }

    /// Returns true if a fact may be an effect of the command. `heard` was audible at the request.
    fileprivate func comes(to fact: Fact, of heard: Occurrence?) -> Bool {
        switch fact {
        case .alarmSaved(let alarm, _): alarms.contains(alarm.id)
        case .alarmDeleted(let id, _): if case .restore = self { true } else { alarms.contains(id) }
        case .done(let ring, _, _): if case .done = self { alarms.contains(ring.alarm) } else { false }
        case .postponed(let id, _, _, _): if case .postpone = self { alarms.contains(id) } else { false }
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
