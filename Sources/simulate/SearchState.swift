// A state of the exhaustive search.

import Alarms
import Challenges
import CivilTime
import Engine
import Health

/// An engine with its disk and its clocks, and the record of everything that was acknowledged.
struct SearchState {
    private(set) var engine = Engine()
    /// The time of both clocks. It begins on 2026-01-12 at 05:59 UTC, because the alarms are set for 06:00.
    private(set) var moment = Moment(wallMilliseconds: 1_768_197_540_000, uptimeMilliseconds: 100_000)
    /// The durable entries, and those on their way to the disk.
    private(set) var durable: [Entry] = []
    private(set) var pending: (entries: [Entry], number: Int)?
    private(set) var sound: SoundOrder?
    private var wake = Wake()
    private(set) var status: Status
    private var stateKey = 0
    /// The sessions according to the durable entries.
    private(set) var model = DurableState()
    private(set) var rings: [Occurrence: TrackedRing] = [:]
    /// The acknowledged alarms, settings and codes.
    private var expected = ExpectedState()
    /// The requests without a reply, each with the session that it addressed.
    private var asked: [String: (command: Command, session: Session?)] = [:]
    /// A command with the reply that it is not durable. The disk may still have it.
    private var timedOut: Command?
    /// True if the last move acknowledged a request or made entries durable.
    private var isOtherAtRestart = false
    private var requestCount = 0
    /// The engine's state key after a restart. Only durable entries change it.
    private var foundKey = 0
    private var defect: Defect?

    struct TrackedRing {
        /// The answers to the challenges, and the number of snooze requests while the session rang.
        var work: ChallengeTally
        var snoozesAsked = 0
        var ringingUptime: Int?
        var acknowledged = (snoozes: 0, sums: 0, isOver: false)
        var failedCheckCount = 0

        /// Begins its challenges again after a wake-up check that was not answered.
        mutating func observe(_ session: Session) {
            if session.failedCheckCount > failedCheckCount {
                (work, acknowledged.sums) = (ChallengeTally(session.terms.challenges), 0)
            }
            failedCheckCount = session.failedCheckCount
        }
    }

    /// The start and the last heartbeat of a hold of the emergency exit. A hold counts for
    /// `heldMilliseconds` after its last heartbeat.
    private var heldUptime = (since: Int.min / 2, last: Int.min / 2)
    private static let heldMilliseconds = 5000

    static let alarm = "work"
    private static let code = CodeDigest("bathroom")
    private static let start = Start(isClockTrusted: true, zone: .utc, hasShaker: true, seed: 7)

    init(_ alarms: [Alarm], isRinging: Bool, _ defect: Defect?) {
        var settings = Settings()
        settings.preflight = .off
        status = engine.status(nextCount: 1)
        feed(.start(SearchState.start))
        let code = EnrolledCode(label: "bathroom", kind: .qr, digest: SearchState.code)
        for command in [.saveSettings(settings), .enrol(code)] + alarms.map(Command.save) {
            ask(command)
            while pending != nil { make(.kept) }
        }
        self.defect = defect
        // The first timer opens the speaker, and the second one rings unless a defect prevents it.
        for _ in 0..<3 where isRinging && sound == nil {
            while pending != nil { make(.kept) }
            make(.timer)
        }
    }

    mutating func fillQueue() {
        for number in 0...WriteQueue.queueMax {
            ask(.edit(SearchState.alarm, AlarmPatch([.init("note", .string("\(number)"))])))
        }
        (status, stateKey) = (engine.status(nextCount: 1), engine.stateKey)
    }

    /// The key of all state that decides the future: the engine, the engine after a restart, pending
    /// entries, orders, deadlines. The time until a deadline is left out. The search explores only one of
    /// several histories that differ by a few seconds.
    var key: Int {
        var hasher = Hasher()
        hasher.combine(moment.wallMilliseconds - moment.uptimeMilliseconds)
        hasher.combine([stateKey, foundKey])
        hasher.combine(pending?.entries.map(\.fact))
        hasher.combine(wake)
        hasher.combine(sound?.occurrence)
        return hasher.finalize()
    }

    private var afterCut: Engine {
        var found = found
        _ = found.handle(.start(SearchState.start), at: moment)
        return found
    }

    private var found: Engine { Engine(replaying: defect?.replayed(durable) ?? durable) }

    private mutating func updateFoundKey() { (foundKey, isOtherAtRestart) = (afterCut.stateKey, true) }

    // MARK: checks

    /// A description of an acknowledged change that is lost, or would be in a power cut; nil if none is.
    var lost: String? {
        if let text = difference(in: engine) { return "\(text), but is lost" }
        return isOtherAtRestart ? difference(in: afterCut).map { "\($0), but a power cut would lose it" } : nil
    }

    /// Returns a description of an acknowledged change that an engine lacks, or nil if it has all.
    private func difference(in engine: Engine) -> String? {
        let file = engine.backup
        if expected.difference(from: file, now: moment.wallMilliseconds) != nil {
            return "an alarm, a setting or a code was acknowledged"
        }
        let history = engine.history
        for alarm in file.alarms where expected.alarms[alarm.id]?.alarm.isEnabled != alarm.isEnabled {
            // A one-time alarm is off after its ring.
            let isSpent = alarm.isOneTime && !alarm.isEnabled && history.contains { $0.occurrence.alarm == alarm.id }
            if !isSpent { return "a switch was acknowledged" }
        }
        let sessions = engine.status(nextCount: 0).sessions.map(\.session)
        for (occurrence, known) in rings.mapValues(\.acknowledged) where known != (0, 0, false) {
            // `escaped` checks a session that has ended.
            guard let session = sessions.first(where: { $0.occurrence == occurrence }) else { continue }
            if known.isOver { return "the end of a ring was acknowledged" }
            if session.snoozeCount < known.snoozes { return "a snooze was acknowledged" }
            if session.doneMilliseconds.isEmpty, session.solvedSumCount < known.sums { return "a sum was acknowledged" }
        }
        return nil
    }

    /// A description of an effect for which the engine has set no timer; nil if there is none. A timer right
    /// after now, or right before the next wake, must have no effect.
    var missedWakeup: String? {
        let left = leftToWake ?? 86_400_000
        for milliseconds in [1, left - 1] where milliseconds > 0 && milliseconds < left {
            var later = self
            later.pass(milliseconds)
            if let effect = later.effects(of: .timer).first(where: { $0 != .wake(wake) }) {
                return "after \(milliseconds) ms an effect is due without a wake: \(effect)"
            }
            if later.engine.stateKey != stateKey { return "after \(milliseconds) ms the state changes without a wake" }
        }
        return nil
    }

    /// Returns true if a session may be silent: its pause continues, its snooze is durable, or it rests
    /// unanswered.
    func isRightlySilent(_ now: SessionStatus, _ old: SessionStatus, by move: SearchMove, _ before: SearchState) -> Bool
    {
        let (occurrence, count) = (now.session.occurrence, now.session.snoozeCount)
        let durable = model.open[occurrence] ?? DurableState.DurableProgress()
        let (isResting, isOn) = (now.phase == .resting, old.phase == now.phase && !move.isCut)
        if isOn, isResting || count == old.session.snoozeCount {
            return now.leftMilliseconds ?? .max <= old.leftMilliseconds ?? 0
        }
        if isResting, move.isCut { return durable.restCount == now.session.restCount }
        if isResting { return before.hasRungUnanswered(old.session, at: moment) }
        let most = min(rings[occurrence]?.snoozesAsked ?? 0, now.session.terms.snooze.max ?? .max)
        return (move == .kept || move.isCut) && durable.snoozeCount == count && count <= most
    }

    /// Returns true if a session was dismissed by the rules: a stop if it had no challenges, or its own or
    /// another's equal challenges.
    func isDismissed(_ occurrence: Occurrence, with other: Occurrence?, by move: SearchMove) -> Bool {
        guard let own = rings[occurrence]?.work, let work = rings[other ?? occurrence]?.work else { return false }
        if work.challenges.isEmpty { return other == nil && [.stop, .stopButton, .done].contains(move) }
        return [.rightAnswer, .rightCode].contains(move) && work.isDone()
            && work.challenges.map(\.task) == own.challenges.map(\.task)
    }

    func hasRungUnanswered(_ session: Session, at moment: Moment) -> Bool {
        let since = rings[session.occurrence]?.ringingUptime ?? .max
        return since <= moment.uptimeMilliseconds - session.terms.ring.ringSeconds * 1000
    }

    var hasHeld: Bool {
        let uptime = moment.uptimeMilliseconds
        return uptime - heldUptime.since >= 60_000 && uptime - heldUptime.last <= SearchState.heldMilliseconds
    }

    private var leftToWake: Int? {
        let wall = wake.next.wallMilliseconds.map { $0 - moment.wallMilliseconds }
        return [wall, wake.next.uptimeMilliseconds.map { $0 - moment.uptimeMilliseconds }].compactMap(\.self).min()
    }

    // MARK: moves

    /// Makes a move. Returns false if the move is impossible.
    @discardableResult
    mutating func make(_ move: SearchMove) -> Bool {
        isOtherAtRestart = false
        let uptime = moment.uptimeMilliseconds
        guard step(move) else { return false }
        // A slow disk may have committed a command without a confirming reply.
        if move == .kept || move == .cutAfterWrite { adoptUnconfirmed() }
        if move == .kept || move == .notKept || move.isCut { timedOut = nil }
        if move.isCut { asked = [:] }
        (status, stateKey) = (engine.status(nextCount: 1), engine.stateKey)
        let ringing = status.ringing
        for ring in rings.keys where move.isCut || !ringing.contains(ring) { rings[ring]?.ringingUptime = nil }
        for session in status.sessions.map(\.session) {
            var ring = rings[session.occurrence] ?? TrackedRing(work: ChallengeTally(session.terms.challenges))
            if session.isRinging { ring.ringingUptime = ring.ringingUptime ?? min(uptime, moment.uptimeMilliseconds) }
            ring.observe(session)
            rings[session.occurrence] = ring
        }
        return true
    }

    private mutating func step(_ move: SearchMove) -> Bool {
        let addressed = status.sessions.first
        if move != .timer { pass(1000) }
        switch move {
        case .timer:
            guard let left = leftToWake else { return false }
            pass(max(0, left))
            feed(.timer)
        case .kept:
            guard let number = write() else { return false }
            feed(.committed(number))
        case .notKept:
            guard let pending else { return false }
            self.pending = nil
            feed(.commitFailed(pending.number, reason: "full"))
        case .stop: ask(.stop)
        case .snooze:
            if let heard = addressed?.session, heard.isRinging { rings[heard.occurrence]?.snoozesAsked += 1 }
            ask(.snooze(seconds: nil))
        case .stopButton: for isDown in [true, false] { feed(.button(.stop, isDown: isDown)) }
        case .hold:
            let uptime = moment.uptimeMilliseconds
            if uptime - heldUptime.last > SearchState.heldMilliseconds { heldUptime.since = uptime }
            for second in stride(from: 0, through: 56, by: 4) {
                if second > 0 { pass(4000) }
                ask(.hold(true))
            }
            heldUptime.last = moment.uptimeMilliseconds
        case .rightAnswer:
            guard case .sum(let sum, _)? = addressed?.assignment else { return false }
            ask(.answer(sum.text.computed))
        case .wrongAnswer: ask(.answer(-1))
        case .rightCode:
            // The code comes into view, so that it counts at once.
            feed(.frame([]))
            pass(1000)
            feed(.frame([SeenCode(digests: [SearchState.code], byteCount: 8)]))
        case .wrongCode: feed(.frame([SeenCode(digests: [CodeDigest("cornflakes")], byteCount: 10)]))
        case .edit: ask(.edit(SearchState.alarm, AlarmPatch([.init("note", .string("edited"))])))
        case .weaken: ask(.edit(SearchState.alarm, AlarmPatch([.init("challenges", .array([]))])))
        case .delete: ask(.delete(SearchState.alarm))
        case .switchOff: ask(.enable(SearchState.alarm, false))
        case .switchOn: ask(.enable(SearchState.alarm, true))
        case .skip: ask(.skip(SearchState.alarm))
        case .postpone: ask(.postpone(SearchState.alarm, .seconds(3600)))
        case .done: ask(.done(SearchState.alarm))
        case .clear: ask(.clearHistory)
        case .masterOff: ask(.configure(SettingsPatch([.init("enabled", .bool(false))])))
        case .cut: cut()
        case .cutAfterWrite:
            guard write() != nil else { return false }
            cut()
        case .stepForward, .stepBack:
            moment.wallMilliseconds += move == .stepForward ? 3_600_000 : -3_600_000
            feed(.timer)
        case .heard:
            guard sound != nil else { return false }
            feed(.audioStarted(route: "speaker", latencyMilliseconds: 1))
        case .movement: feed(.step())
        case .cameraBroken: feed(.health(.camera, Health(.described(.broken, "unplugged"))))
        }
        return true
    }

    /// Makes the pending entries durable. Returns the number of their commit, or nil if there are none.
    private mutating func write() -> Int? {
        guard let (entries, number) = pending else { return nil }
        pending = nil
        durable += entries
        for entry in entries { model.apply(entry) }
        updateFoundKey()
        return number
    }

    /// Cuts the power for a minute. Entries that are not durable are lost.
    private mutating func cut() {
        (pending, sound) = (nil, nil)
        for ring in rings.keys { rings[ring]?.work.restarted(model.open[ring] ?? DurableState.DurableProgress()) }
        engine = found
        moment.wallMilliseconds += 60_000
        (moment.uptimeMilliseconds, heldUptime) = (100_000, (.min / 2, .min / 2))
        feed(.start(SearchState.start))
    }

    private mutating func pass(_ milliseconds: Int) {
        moment.wallMilliseconds += milliseconds
        moment.uptimeMilliseconds += milliseconds
    }

    private mutating func ask(_ command: Command) {
        requestCount += 1
        let request = RequestHeader("\(requestCount)", by: .page)
        asked[request.id] = (command, status.sessions.first?.session)
        feed(.command(command, request))
    }

    private mutating func feed(_ input: Input) {
        for current in status.sessions where current.lockedOutMilliseconds == 0 {
            rings[current.session.occurrence]?.work.count(
                input, asked: current.assignment, at: current.session.doneMilliseconds.count, codes: expected.codes,
                now: moment.uptimeMilliseconds)
        }
        for effect in (defect?.given(input, engine) ?? [input]).flatMap({ effects(of: $0) }) {
            switch effect {
            case .commit(let entries, let number): pending = (entries, number)
            case .wake(let wake): self.wake = wake
            case .sound(let order): sound = order
            case .reply(let reply, let request): handle(reply, to: request)
            default: break
            }
        }
    }

    private mutating func effects(of input: Input) -> [Effect] {
        let effects = engine.handle(input, at: moment)
        return defect?.wanted(effects, at: moment) ?? effects
    }

    private mutating func handle(_ reply: Reply, to request: RequestHeader) {
        guard let (command, session) = asked.removeValue(forKey: request.id) else { return }
        guard case .done(let outcome) = reply else {
            if case .refused(let refusal) = reply, refusal.code == .notKept { timedOut = command }
            return
        }
        if case .unwritten = outcome { return }
        isOtherAtRestart = true
        expected.apply(command, skipping: outcome.skippedDate)
        guard let session else { return }
        let (ring, id) = (session.occurrence, session.occurrence.alarm)
        switch outcome {
        case .snoozed(let name, _, let left?, _, _) where session.isRinging && name.id == id:
            rings[ring]?.acknowledged.snoozes = (session.terms.snooze.max ?? 0) - left
        case .answered(isRight: true, next: _) where session.openChallenge?.kind == .math:
            rings[ring]?.acknowledged.sums += 1
        case .stopped(let name, _) where name.id == id, .completed(let name, _, _) where name.id == id:
            rings[ring]?.acknowledged.isOver = true
        default: break
        }
    }

    /// Adopts an unconfirmed command if it explains a difference from the acknowledged state.
    private mutating func adoptUnconfirmed() {
        guard lost != nil else { return }
        for command in asked.values.map(\.command) + [timedOut].compactMap(\.self) {
            var other = self
            other.expected.apply(command, leavingOutAsIn: PublishedState(engine, at: 0))
            if other.lost == nil { return expected = other.expected }
        }
    }
}
