// The fixture for the engine: two clocks, a disk that may fail, and the emitted effects.

import Alarms
import CivilTime
import Health
import JSON
import Records
import Testing
import Text

@testable import Engine

/// Runs an engine through time. Facts pass through the journal's text, so a restart reads them as it would
/// from a disk.
struct EngineFixture {
    /// The durable facts.
    private(set) var journal: [(milliseconds: Int, kind: UInt16, payload: [UInt8])] = []
    /// The commit that is neither durable nor refused yet.
    private(set) var pending: (entries: [Entry], number: Int)?
    private(set) var engine = Engine()
    var wallMilliseconds: Int
    var uptimeMilliseconds = 1_000_000
    var zone: Zone
    var isTrusted = true
    var kinds = Set(Challenge.Kind.allCases)
    var parts = Set(Part.allCases)
    var hasButtons = true
    var hasShaker = true
    var hasSunrise = true
    /// The key that a start uses for codes if the journal has none.
    var newCodeKey: CodeKey?
    /// The state of the disk: it commits at once, fails, or has not finished yet.
    var disk = Disk.quick
    private(set) var wake = Wake()
    private(set) var effects: [Effect] = []
    private(set) var replies: [Reply] = []
    private(set) var prompts: [Prompt] = []
    private(set) var notices: [Notification] = []
    private(set) var sound: SoundOrder?
    private(set) var shaking: ShakeOrder?
    private(set) var sunrise: SunriseOrder?
    private(set) var isCameraOn = false
    private(set) var lamps = LampOrder()
    private(set) var senses: Set<InputDevice> = []
    /// The sound for which the speaker is open before a ring.
    private(set) var readiedSound: String?
    var isSpeakerReady: Bool { readiedSound != nil }
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

    /// Starts an engine at an instant, in UTC.
    init(startedAt text: String) throws {
        self.init(wallMilliseconds: try #require(Instant(text, rounding: .down)).milliseconds, zone: .utc)
        start()
    }

    var moment: Moment { Moment(wallMilliseconds: wallMilliseconds, uptimeMilliseconds: uptimeMilliseconds) }

    /// Removes devices from the configuration, for the next start.
    mutating func remove(_ devices: Set<Part>) {
        kinds = kinds.filter { $0.device.map { !devices.contains($0) } ?? true }
        parts.subtract(devices)
        if devices.contains(.buttons) { hasButtons = false }
    }

    /// Starts the service from the durable facts, for the first time or again.
    mutating func start(seed: UInt64 = 1) {
        engine = replayed
        (pending, sound, isCameraOn, wake) = (nil, nil, false, Wake())
        (shaking, sunrise) = (nil, nil)
        (lamps, senses) = (LampOrder(), [])
        readiedSound = nil
        func read(_ name: String) -> Zone? {
            var zones = ZoneCatalogue()
            return try? zones.zone(named: name)
        }
        give(
            .start(
                Start(
                    isClockTrusted: isTrusted, zone: zone,
                    zones: engine.zoneNames.compactMap(read), kinds: kinds, parts: parts,
                    hasButtons: hasButtons, hasShaker: hasShaker, hasSunrise: hasSunrise,
                    newCodeKey: newCodeKey, seed: seed)))
    }

    /// An engine that has replayed the durable facts.
    private var replayed: Engine {
        Engine(
            replaying: journal.map { line in
                guard let fact = Fact(kind: line.kind, payload: line.payload) else {
                    fatalError("unreadable: \(line.kind) \(String(decoding: line.payload, as: UTF8.self))")
                }
                return Entry(millisecondsSince1970: line.milliseconds, fact)
            })
    }

    /// True if a restart would restore the engine's state, or if a commit is still pending.
    var isAsARestartWouldFindIt: Bool {
        pending != nil || !engine.writes.isEmpty
            || engine.snapshot.map(\.fact).elementsEqual(replayed.snapshot.map(\.fact))
    }

    /// Replaces the journal by a snapshot.
    mutating func compact() {
        precondition(engine.canCompact, "this is no time for it")
        journal = engine.snapshot.map { ($0.millisecondsSince1970, $0.fact.kind.rawValue, $0.fact.payload) }
    }

    /// Passes an input to the engine, and carries out the effects.
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
        case .shake(let order): shaking = order
        case .sunrise(let order): sunrise = order
        case .camera(let symbologies): isCameraOn = symbologies != nil
        case .lamps(let order): lamps = order
        case .enableInputs(let senses): self.senses = senses
        case .readySpeaker(let sound): readiedSound = sound
        case .prompt(let prompt): prompts.append(prompt)
        case .reply(let reply, _): replies.append(reply)
        case .notify(let notice): notices.append(notice)
        case .preflight, .statusChanged: break
        }
    }

    /// Completes one commit on a slow disk, which then begins the next.
    mutating func finishOne() {
        guard let (entries, number) = pending else { return }
        pending = nil
        journal += entries.map { ($0.millisecondsSince1970, $0.fact.kind.rawValue, $0.fact.payload) }
        give(.committed(number))
    }

    /// Completes or refuses the pending commit, unless the disk is slow.
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

    /// Lets time pass, and wakes the engine at each time that it asked for.
    mutating func pass(milliseconds: Int) {
        let end = uptimeMilliseconds + milliseconds
        var wakes = 0
        while let next = nextWakeUptime, next <= end {
            step(to: max(next, uptimeMilliseconds))
            // A timer fires once.
            wake = Wake()
            give(.timer)
            wakes += 1
            precondition(wakes < 10_000, "the engine wants to be woken without end")
        }
        step(to: end)
    }

    /// Suspends the machine: both clocks advance, but no timer fires before the end.
    mutating func suspend(milliseconds: Int) {
        step(to: uptimeMilliseconds + milliseconds)
        give(.timer)
    }

    /// Returns the number of facts of a kind that were written, by the kind's name in the record format.
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

    /// Sends a request. Returns the reply, or nil while the disk is slow. `alarm` names the ring that the
    /// request means, if several ring.
    @discardableResult
    mutating func ask(_ command: Command, by origin: Origin = .page, meaning alarm: Alarm.ID? = nil) -> Reply? {
        requestCount += 1
        let named = engine.status(nextCount: 0).sessions.first { $0.session.occurrence.alarm == alarm }
        last = (
            command, RequestHeader("\(requestCount)", by: origin, ifRing: named?.session.occurrence ?? shown(command))
        )
        return again()
    }

    /// The ring that the client sees, and so means, when it sends the command.
    private func shown(_ command: Command) -> Occurrence? {
        switch command {
        case .stop, .snooze: engine.status(nextCount: 0).sessions.first?.session.occurrence
        default: nil
        }
    }

    /// Sends the last request again.
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
    static func daily(_ id: Alarm.ID, _ time: String, _ challenges: Challenge...) -> Alarm {
        var alarm = Alarm(id: id)
        alarm.time = ClockTime(time)
        alarm.recurrence = Recurrence(.daily)
        alarm.challenges = challenges
        return alarm
    }
}

extension Reply {
    /// The reason of a refusal, or nil if the request was carried out.
    var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }

    /// The entries of a file that were set aside, or nil if the file was refused.
    var setAside: [Problem]? { if case .done(.restored(_, let setAside, _)) = self { setAside } else { nil } }
}
