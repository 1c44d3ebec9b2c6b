// Not drawn by lot, but all: every sequence of so many moves from each house.

import Alarms
import CivilTime
import Engine

/// The search through all histories of a length, shorter ones first. States that are the same are gone on from once.
struct Exhaustive {
    private(set) var stateCount = 0
    private(set) var moveCount = 0
    /// A history that broke a promise, and how.
    private(set) var failure: String?
    private let defect: Defect?
    /// How many moves were left when a state was gone on from.
    private var leftByState: [Int: Int] = [:]
    private var moves: [Move] = []

    init(defect: Defect? = nil) { self.defect = defect }

    mutating func run(depth: Int) {
        for (name, house) in House.all(defect) {
            // A history that fails is as short as any.
            for length in 1...max(1, depth) where failure == nil {
                leftByState = [:]
                goOn(from: house, of: name, left: length)
            }
            stateCount += leftByState.count
        }
    }

    private mutating func goOn(from house: House, of name: String, left: Int) {
        guard left > 0, leftByState[house.key, default: 0] < left else { return }
        leftByState[house.key] = left
        for move in Move.allCases where failure == nil {
            var next = house
            guard next.make(move) else { continue }
            moveCount += 1
            moves.append(move)
            if let words = Exhaustive.broken(by: move, house, next) {
                let lines = ["In the house where \(name):"] + moves.map { "  \($0.rawValue)" } + [words]
                failure = lines.joined(separator: "\n")
            } else {
                goOn(from: next, of: name, left: left - 1)
            }
            moves.removeLast()
        }
    }

    // MARK: what is promised

    /// What is wrong with what a move has made of a house; nil where nothing is.
    private static func broken(by move: Move, _ before: House, _ after: House) -> String? {
        let (old, new) = (before.engine.status(nextCount: 1), after.engine.status(nextCount: 1))
        return escaped(by: move, old, new, after) ?? lost(by: move, after) ?? forgotten(new, after)
            ?? silent(new, after)
    }

    /// No path leads from ringing to silence but by the rules.
    private static func escaped(by move: Move, _ old: Status, _ new: Status, _ after: House) -> String? {
        for session in old.sessions.map(\.session) where session.isRinging {
            // A restart knows nothing of a session that was not durable: it rings again if it is due by the clock then.
            guard move != .cut || after.isDurable(session.occurrence) else { continue }
            let now = new.sessions.map(\.session).first { $0.occurrence == session.occurrence }
            let past = after.engine.history.last { $0.occurrence == session.occurrence }
            let isRight =
                switch now?.state ?? past.map({ .ended($0.ending) }) {
                case .ringing, .challenged: true
                // A restart finds a pause that was durable, where its end was not.
                case .snoozed:
                    [.kept, .cut].contains(move) && now?.snoozeCount ?? .max <= session.terms.snooze.max ?? .max
                case .resting: move == .timer || move == .cut
                case .ended(.dismissed):
                    past?.session?.endedWith != nil
                        || past?.session?.doneMilliseconds.count == session.terms.challenges.count
                case .ended(.emergency): move == .hold
                case .ended(.unanswered): move == .timer
                case .ended(.missed), .ended(.cancelled), nil: false
                }
            let state = now.map { "\($0.state)" } ?? past.map { "over: \($0.ending)" } ?? "gone"
            if !isRight { return "\(session.occurrence.alarm) rang, and is \(state)" }
        }
        return nil
    }

    /// What is acknowledged is found again after a power cut.
    private static func lost(by move: Move, _ after: House) -> String? {
        let isAcknowledged = after.replies.contains { reply in
            switch reply {
            case .done(.saved), .done(.done), .done(.skipped), .done(.snoozed), .done(.stopped): true
            case .done, .refused: false
            }
        }
        guard isAcknowledged, after.engine.status(nextCount: 0).unkeptCount == 0 else { return nil }
        let found = after.afterCut
        if found.alarms != after.engine.alarms { return "\(move.rawValue) is acknowledged, and its alarms are lost" }
        if progress(found) != progress(after.engine) {
            return "\(move.rawValue) is acknowledged, and its ring is not so"
        }
        return nil
    }

    /// How far each ring is: how often it was snoozed, and how many of its challenges are done.
    private static func progress(_ engine: Engine) -> [Occurrence: [Int]] {
        let sessions = engine.status(nextCount: 0).sessions.map(\.session)
        return Dictionary(
            uniqueKeysWithValues: sessions.map { ($0.occurrence, [$0.snoozeCount, $0.doneMilliseconds.count]) })
    }

    /// Every state has a deadline, or is quiet for a reason.
    private static func forgotten(_ status: Status, _ after: House) -> String? {
        if after.pending == nil, after.wake.uptimeMilliseconds == nil {
            if status.unkeptCount > 0 { return "facts wait for the disk, and nothing calls for them" }
            if !status.sessions.isEmpty { return "a session waits, and nothing calls for it" }
        }
        if let next = status.next.first, after.wake.wallMilliseconds ?? .max > next.occurrence.at.milliseconds {
            return "\(next.occurrence.alarm) is to ring, and nothing calls for it"
        }
        return nil
    }

    /// What rings is heard, and what is due has its turn.
    private static func silent(_ status: Status, _ after: House) -> String? {
        let rings = status.sessions.contains { $0.session.isRinging }
        if rings != (after.sound != nil) { return rings ? "it rings with no sound" : "a sound is left" }
        if let next = status.next.first, next.occurrence.at.milliseconds <= after.moment.wallMilliseconds {
            return "\(next.occurrence.alarm) was due, and does not ring"
        }
        let paused = status.sessions.lazy.compactMap(\.leftMilliseconds)
        if paused.contains(where: { $0 <= 0 }) { return "a pause is over, and it is silent still" }
        return nil
    }
}

/// One of the things that may happen next.
enum Move: String, CaseIterable {
    /// Time passes until the engine wants to be called.
    case timer
    case kept = "kept", notKept = "not kept"
    case stop, snooze, stopButton = "stop button", hold = "emergency way out held"
    case rightAnswer = "right answer", wrongAnswer = "wrong answer", rightCode = "right code", wrongCode = "wrong code"
    case edit, weaken, delete, switchOff = "switch off", switchOn = "switch on", skip, masterOff = "all off"
    case cut = "power cut", stepForward = "clock an hour forward", stepBack = "clock an hour back"
    case heard, cameraBroken = "camera broken"
}

/// An engine with its disk and its clocks, as far as one history has brought it.
struct House {
    private(set) var engine: Engine
    private(set) var moment: Moment
    /// What is durable, and what is on its way there.
    private(set) var durable: [Entry]
    private(set) var pending: (entries: [Entry], number: Int)?
    private(set) var sound: SoundOrder?
    private(set) var wake = Wake()
    /// What was answered by the last move.
    private(set) var replies: [Reply] = []
    /// Answers that were wrong since one was right: the third has another effect than the first.
    private var wrongCount = 0
    private var requestCount = 0
    /// What a restart would find: it changes with what is durable, and with nothing else.
    private var foundKey = 0
    private let defect: Defect?

    /// The alarm that all is tried with.
    static let alarm = "work"
    private static let code = CodeDigest("bathroom")
    private static let start = Start(isClockTrusted: true, zone: .utc, seed: 7)
    /// 2026-01-12, 05:59 in UTC: alarms are set for six.
    private static let firstMoment = Moment(wallMilliseconds: 1_768_197_540_000, uptimeMilliseconds: 100_000)

    private init(_ alarms: [Alarm], isRinging: Bool, _ defect: Defect?) {
        self.defect = defect
        moment = House.firstMoment
        let now = House.firstMoment.wallMilliseconds
        var settings = Settings()
        settings.preflight = .off
        let code = EnrolledCode(label: "bathroom", kind: .qr, digest: House.code)
        let saved = alarms.enumerated().map { index, alarm in
            Fact.alarmSaved(alarm, PlanPosition(revision: index + 1, cursor: Instant(secondsSince1970: now / 1000)))
        }
        durable = ([.settingsSaved(settings), .codeEnrolled(code)] + saved).map {
            Entry(millisecondsSince1970: now, $0)
        }
        engine = Engine(replaying: durable)
        give(.start(House.start))
        findAnew()
        // The speaker is opened first, then it rings; not where a fault is planted.
        for _ in 0..<3 where isRinging && sound == nil { make(.timer) }
    }

    /// The houses that are tried: each has something of its own to be escaped from, or to be lost.
    static func all(_ defect: Defect? = nil) -> [(name: String, house: House)] {
        func alarm(_ challenges: Challenge.Task..., id: String = House.alarm, minute: Int = 0) -> Alarm {
            var alarm = Alarm(id: id)
            (alarm.label, alarm.time) = (id, ClockTime(hour: 6, minute: minute))
            alarm.recurrence = Recurrence(.daily)
            alarm.challenges = challenges.map { Challenge($0) }
            alarm.snooze.max = 1
            return alarm
        }
        let sums = Challenge.Task.sums(level: 1, count: 2, limitSeconds: 60)
        let code = Challenge.Task.code(labels: ["bathroom"])
        var once = alarm()
        once.recurrence = nil
        let houses: [(String, [Alarm], isRinging: Bool)] = [
            ("a plain alarm rings", [alarm()], true),
            ("a code ends the ring", [alarm(code)], true),
            ("sums end the ring", [alarm(sums)], true),
            ("one alarm rings behind another", [alarm(sums), alarm(code, id: "second")], true),
            ("a locked alarm is to ring", [alarm(code, minute: 5)], false),
            ("an alarm that rings once", [once], true),
        ]
        return houses.map { ($0, House($1, isRinging: $2, defect)) }
    }

    /// All that decides what comes next: what is known and what a restart would find, what is on its way, what is ordered, and
    /// each deadline. How late it is until then is left out: of two histories that come to the same but a few seconds apart, one
    /// is gone on from, and what changes nothing leads nowhere.
    var key: Int {
        var hasher = Hasher()
        hasher.combine(moment.wallMilliseconds - moment.uptimeMilliseconds)
        combine(engine, into: &hasher)
        hasher.combine(foundKey)
        hasher.combine(pending?.entries.map(\.fact))
        hasher.combine(wake)
        hasher.combine(sound)
        hasher.combine(wrongCount)
        return hasher.finalize()
    }

    private mutating func findAnew() {
        var hasher = Hasher()
        combine(afterCut, into: &hasher)
        foundKey = hasher.finalize()
    }

    private func combine(_ engine: Engine, into hasher: inout Hasher) {
        var status = engine.status(nextCount: 4)
        status.nowMilliseconds = 0
        for index in status.sessions.indices {
            status.sessions[index].leftMilliseconds = nil
            status.sessions[index].lockedOutMilliseconds = min(status.sessions[index].lockedOutMilliseconds, 1)
        }
        hasher.combine(status)
        hasher.combine(engine.snapshot.map(\.fact))
    }

    // MARK: what happens

    /// Answers whether it could happen at all.
    @discardableResult
    mutating func make(_ move: Move) -> Bool {
        replies = []
        let asked = engine.status(nextCount: 0).sessions.lazy.compactMap(\.assignment).first
        if move != .timer { pass(1000) }
        switch move {
        case .timer: return passToWake()
        case .kept:
            guard let pending else { return false }
            self.pending = nil
            durable += pending.entries
            findAnew()
            give(.kept(pending.number))
        case .notKept:
            guard let pending else { return false }
            self.pending = nil
            give(.notKept(pending.number, reason: "full"))
        case .stop: ask(.stop)
        case .snooze: ask(.snooze(seconds: nil))
        case .stopButton: for isDown in [true, false] { give(.button(.stop, isDown: isDown)) }
        case .hold:
            for _ in 0...15 {
                ask(.hold(true))
                pass(4000)
            }
            give(.timer)
        case .rightAnswer:
            guard case .sum(let sum, _)? = asked else { return false }
            wrongCount = 0
            ask(.answer(sum.text.computed))
        case .wrongAnswer:
            wrongCount += 1
            ask(.answer(-1))
        case .rightCode: give(.frame([SeenCode(digests: [House.code], byteCount: 8)]))
        case .wrongCode: give(.frame([SeenCode(digests: [CodeDigest("cornflakes")], byteCount: 10)]))
        case .edit: ask(.edit(House.alarm, AlarmPatch([.init("note", .string("edited"))])))
        case .weaken: ask(.edit(House.alarm, AlarmPatch([.init("challenges", .array([]))])))
        case .delete: ask(.delete(House.alarm))
        case .switchOff: ask(.enable(House.alarm, false))
        case .switchOn: ask(.enable(House.alarm, true))
        case .skip: ask(.skip(House.alarm))
        case .masterOff: ask(.configure(SettingsPatch([.init("enabled", .bool(false))])))
        case .cut: cut()
        case .stepForward, .stepBack:
            moment.wallMilliseconds += move == .stepForward ? 3_600_000 : -3_600_000
            give(.timer)
        case .heard:
            guard sound != nil else { return false }
            give(.audioStarted(route: "speaker", latencyMilliseconds: 1))
        case .cameraBroken: give(.health(.camera, Health(.told(.broken, "unplugged"))))
        }
        return true
    }

    /// Whether the journal has the beginning of a session.
    func isDurable(_ occurrence: Occurrence) -> Bool {
        durable.contains { if case .fired(let session) = $0.fact { session.occurrence == occurrence } else { false } }
    }

    /// What a restart finds, if the power goes now.
    var afterCut: Engine {
        var found = Engine(replaying: durable)
        _ = found.handle(.start(House.start), at: moment)
        return found
    }

    /// What was not durable is lost, and a minute later the power is back.
    private mutating func cut() {
        (pending, sound, wrongCount) = (nil, nil, 0)
        engine = Engine(replaying: durable)
        moment.wallMilliseconds += 60_000
        moment.uptimeMilliseconds = 100_000
        give(.start(House.start))
    }

    private mutating func pass(_ milliseconds: Int) {
        moment.wallMilliseconds += milliseconds
        moment.uptimeMilliseconds += milliseconds
    }

    private mutating func passToWake() -> Bool {
        let left = [
            wake.wallMilliseconds.map { $0 - moment.wallMilliseconds },
            wake.uptimeMilliseconds.map { $0 - moment.uptimeMilliseconds },
        ].compactMap(\.self).min()
        guard let left else { return false }
        pass(max(0, left))
        give(.timer)
        return true
    }

    private mutating func ask(_ command: Command) {
        requestCount += 1
        give(.command(command, Request("\(requestCount)", by: .page)))
    }

    private mutating func give(_ input: Input) {
        let effects = engine.handle(input, at: moment)
        for effect in defect?.wanted(effects, at: moment) ?? effects {
            switch effect {
            case .keep(let entries, let number): pending = (entries, number)
            case .wake(let wake): self.wake = wake
            case .sound(let order): sound = order
            case .reply(let reply, _): replies.append(reply)
            default: break
            }
        }
    }
}
