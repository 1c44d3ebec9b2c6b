// A fixture for the engine: two clocks, a disk that may fail, and everything that the engine has wanted done.

import Alarms
import CivilTime
import JSON
import Records
import Testing
import Text

@testable import Engine

/// Runs an engine through time. Facts go through the text that a journal would have, so a restart reads what it would read.
struct EngineFixture {
    /// What the journal has: what was durable.
    private(set) var journal: [(milliseconds: Int, kind: UInt16, payload: [UInt8])] = []
    /// What was asked to be kept and is neither durable nor refused yet.
    private(set) var pending: (entries: [Entry], number: Int)?
    private(set) var engine = Engine()
    var wallMilliseconds: Int
    var uptimeMilliseconds = 1_000_000
    var zone: Zone
    var isTrusted = true
    var kinds = Set(Challenge.Kind.allCases)
    var hasButtons = true
    /// What a start that finds no key makes one of.
    var newCodeKey: CodeKey?
    /// Whether the disk keeps what it is asked to at once, fails, or is still at it.
    var disk = Disk.quick
    private(set) var wake = Wake()
    private(set) var effects: [Effect] = []
    private(set) var replies: [Reply] = []
    private(set) var prompts: [Prompt] = []
    private(set) var notices: [Notice] = []
    private(set) var sound: SoundOrder?
    private(set) var isCameraOn = false
    private(set) var lamps = LampOrder()
    private(set) var senses: Set<InputDevice> = []
    private(set) var isSpeakerReady = false
    private var requestCount = 0
    private var last: (command: Command, request: RequestHeader)?

    enum Disk {
        case quick, failing, slow
    }

    init(wallMilliseconds: Int, zone: Zone, isTrusted: Bool = true) {
        self.wallMilliseconds = wallMilliseconds
        self.zone = zone
        self.isTrusted = isTrusted
    }

    /// An engine that was started at an instant, in UTC.
    init(startedAt text: String) throws {
        self.init(wallMilliseconds: try #require(Instant(text, rounding: .down)).milliseconds, zone: .utc)
        start()
    }

    var moment: Moment { Moment(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds) }

    /// Starts the service, for the first time or once more, from what is durable.
    mutating func start(seed: UInt64 = 1) {
        engine = replayed
        (pending, sound, isCameraOn, wake) = (nil, nil, false, Wake())
        (lamps, senses) = (LampOrder(), [])
        isSpeakerReady = false
        func read(_ name: String) -> Zone? {
            var zones = ZoneCatalogue()
            return try? zones.zone(named: name)
        }
        give(
            .start(
                Start(
                    isClockTrusted: isTrusted, zone: zone,
                    zones: engine.zoneNames.compactMap(read), kinds: kinds, hasButtons: hasButtons,
                    newCodeKey: newCodeKey, seed: seed)))
    }

    /// An engine that knows what is durable.
    private var replayed: Engine {
        Engine(
            replaying: journal.map { line in
                guard let fact = Fact(kind: line.kind, payload: line.payload) else {
                    fatalError("unreadable: \(line.kind) \(String(decoding: line.payload, as: UTF8.self))")
                }
                return Entry(millisecondsSince1970: line.milliseconds, fact)
            })
    }

    /// Whether a restart would know what the engine knows, if all of that is durable.
    var isAsARestartWouldFindIt: Bool {
        pending != nil || !engine.writes.isEmpty
            || engine.snapshot.map(\.fact).elementsEqual(replayed.snapshot.map(\.fact))
    }

    /// A snapshot takes the place of all that the journal has.
    mutating func compact() {
        precondition(engine.canCompact, "this is no time for it")
        journal = engine.snapshot.map { ($0.millisecondsSince1970, $0.fact.kind.rawValue, $0.fact.payload) }
    }

    /// Tells the engine something, and does what it wants done.
    mutating func give(_ input: Input) {
        for effect in engine.handle(input, at: moment) { carryOut(effect) }
        settlePending()
    }

    private mutating func carryOut(_ effect: Effect) {
        effects.append(effect)
        switch effect {
        case .commit(let entries, let number):
            precondition(pending == nil, "two batches at once")
            pending = (entries, number)
        case .wake(let wake): self.wake = wake
        case .sound(let order): sound = order
        case .camera(let symbologies): isCameraOn = symbologies != nil
        case .lamps(let order): lamps = order
        case .enableInputs(let senses): self.senses = senses
        case .readySpeaker(let sound): isSpeakerReady = sound != nil
        case .prompt(let prompt): prompts.append(prompt)
        case .reply(let reply, _): replies.append(reply)
        case .notify(let notice): notices.append(notice)
        case .preflight, .statusChanged: break
        }
    }

    /// A disk that is still at it has kept one batch, and goes on with the next.
    mutating func finishOne() {
        guard let (entries, number) = pending else { return }
        pending = nil
        journal += entries.map { ($0.millisecondsSince1970, $0.fact.kind.rawValue, $0.fact.payload) }
        give(.committed(number))
    }

    /// The disk has made up its mind.
    mutating func settlePending() {
        guard let (_, number) = pending else { return }
        switch disk {
        case .slow: break
        case .quick:
            finishOne()
        case .failing:
            pending = nil
            give(.commitFailed(number, reason: "No space left on device"))
        }
    }

    /// Lets time pass, waking the engine whenever it wants.
    mutating func pass(milliseconds: Int) {
        let end = uptimeMilliseconds + milliseconds
        var wakes = 0
        while let next = nextWakeUptime, next <= end {
            step(to: max(next, uptimeMilliseconds))
            // A timer tells once.
            wake = Wake()
            give(.timer)
            wakes += 1
            precondition(wakes < 10_000, "the engine wants to be woken without end")
        }
        step(to: end)
    }

    /// The machine is suspended for a while: both clocks go on, and nobody wakes the engine before the end.
    mutating func suspend(milliseconds: Int) {
        step(to: uptimeMilliseconds + milliseconds)
        give(.timer)
    }

    /// How many facts of a kind were ever written down, by the name that people read.
    func writtenCount(_ name: String) -> Int {
        journal.count { FactKind(rawValue: $0.kind)?.name == name }
    }

    private var nextWakeUptime: Int? {
        let byWall = wake.next.wallMilliseconds.map { $0 - wallMilliseconds + uptimeMilliseconds }
        return [byWall, wake.next.uptimeMilliseconds].compactMap(\.self).min()
    }

    private mutating func step(to uptime: Int) {
        wallMilliseconds += uptime - uptimeMilliseconds
        uptimeMilliseconds = uptime
    }

    /// Somebody wants something, and gets an answer at once if the disk is quick. `alarm` is the one that is meant of those
    /// that ring.
    @discardableResult
    mutating func ask(_ command: Command, by origin: Origin = .page, meaning alarm: Alarm.ID? = nil) -> Reply? {
        requestCount += 1
        let named = engine.status(nextCount: 0).sessions.first { $0.session.occurrence.alarm == alarm }
        last = (
            command, RequestHeader("\(requestCount)", by: origin, ifRing: named?.session.occurrence ?? shown(command))
        )
        return again()
    }

    /// The ring that whoever asks is shown.
    private func shown(_ command: Command) -> Occurrence? {
        switch command {
        case .stop, .snooze: engine.status(nextCount: 0).sessions.first?.session.occurrence
        default: nil
        }
    }

    /// The last request comes in once more.
    @discardableResult
    mutating func again() -> Reply? {
        guard let (command, request) = last else { return nil }
        let before = replies.count
        give(.command(command, request))
        return replies.count > before ? replies.last : nil
    }

    mutating func press(_ button: Button, forMilliseconds held: Int = 100) {
        give(.button(button, isDown: true))
        pass(milliseconds: held)
        give(.button(button, isDown: false))
    }
}

extension Alarm {
    /// An alarm at a time every day.
    static func daily(_ id: Alarm.ID, _ time: String, _ challenges: Challenge...) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(time)
        alarm.recurrence = Recurrence(.daily)
        alarm.challenges = challenges
        return alarm
    }
}

extension Reply {
    /// Why something was refused; nil if it was done.
    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }

    /// What was set aside of a file; nil if nothing of it came in.
    var setAside: [Problem]? { if case .done(.restored(_, let setAside, _)) = self { setAside } else { nil } }
}
