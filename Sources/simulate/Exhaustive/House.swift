// A bedside of which every short history is tried, and the histories of one input more.

import Alarms
import CivilTime
import Engine

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
    private let defect: PlantedFault?

    /// The alarm that all is tried with.
    static let alarm = "work"
    private static let code = CodeDigest("bathroom")
    private static let start = Start(isClockTrusted: true, zone: .utc, seed: 7)
    /// 2026-01-12, 05:59 in UTC: alarms are set for six.
    private static let firstMoment = Moment(wallMilliseconds: 1_768_197_540_000, uptimeMilliseconds: 100_000)

    init(_ alarms: [Alarm], ringing: Bool, defect: PlantedFault? = nil) {
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
        begin()
        findAnew()
        // The speaker is opened first, then it rings; not where a fault is planted.
        for _ in 0..<3 where ringing && sound == nil { make(.timer) }
    }

    /// The houses that are tried: each has something of its own to be escaped from, or to be lost.
    static func all(_ defect: PlantedFault? = nil) -> [(name: String, house: House)] {
        func alarm(_ id: String, minute: Int, _ challenges: [Challenge.Task] = []) -> Alarm {
            var alarm = Alarm(id: id)
            (alarm.label, alarm.time) = (id, ClockTime(hour: 6, minute: minute))
            alarm.recurrence = Recurrence(.daily)
            alarm.challenges = challenges.map { Challenge($0) }
            alarm.snooze.max = 1
            return alarm
        }
        let sums = Challenge.Task.sums(level: 1, count: 2, limitSeconds: 60)
        let code = Challenge.Task.code(labels: ["bathroom"])
        var once = alarm(Self.alarm, minute: 0)
        once.recurrence = nil
        return [
            ("a plain alarm rings", House([alarm(Self.alarm, minute: 0)], ringing: true, defect: defect)),
            ("a code ends the ring", House([alarm(Self.alarm, minute: 0, [code])], ringing: true, defect: defect)),
            ("sums end the ring", House([alarm(Self.alarm, minute: 0, [sums])], ringing: true, defect: defect)),
            (
                "one alarm rings behind another",
                House(
                    [alarm(Self.alarm, minute: 0, [sums]), alarm("second", minute: 0, [code])], ringing: true,
                    defect: defect)
            ),
            (
                "a locked alarm is to ring",
                House([alarm(Self.alarm, minute: 5, [code])], ringing: false, defect: defect)
            ),
            ("an alarm that rings once", House([once], ringing: true, defect: defect)),
        ]
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
            durable += defect?.kept(pending.entries) ?? pending.entries
            findAnew()
            give(.kept(pending.number))
        case .notKept:
            guard let pending else { return false }
            self.pending = nil
            give(.notKept(pending.number, reason: "full"))
        case .stop: ask(.stop)
        case .snooze: ask(.snooze(seconds: nil))
        case .stopButton:
            give(.button(.stop, isDown: true))
            give(.button(.stop, isDown: false))
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
        begin()
    }

    private mutating func begin() {
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
        for effect in engine.handle(input, at: moment) {
            switch defect?.wanted(effect) ?? effect {
            case .keep(let entries, let number): pending = (entries, number)
            case .wake(let wake): self.wake = wake
            case .sound(let order): sound = order
            case .reply(let reply, _): replies.append(reply)
            default: break
            }
        }
    }
}

/// A mistake between the engine and its house, to see that it is noticed.
struct PlantedFault: Sendable {
    var wanted: @Sendable (Effect) -> Effect = { $0 }
    var kept: @Sendable ([Entry]) -> [Entry] = { $0 }
}
