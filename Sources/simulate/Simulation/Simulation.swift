// One night: the real engine, device machines and journal. Everything else is simulated.

import Alarms
import Challenges
import CivilTime
import Devices
import Engine
import Health
import Journal
import Service
import SimulatedDevices

/// A running night. Its seed decides everything that happens.
final class Simulation {
    let night: Night
    /// The night's time, in milliseconds since 1970.
    var now: Int
    var clock: MachineClock
    /// The index of the machine's zone in `SimulatedZones.all`.
    var zoneIndex: Int
    var chance: SeededGenerator
    private(set) var engine = Engine()
    private(set) var published = PublishedState(Engine(), at: 0)
    private var requestCount = 0
    private var lastSent: (command: Command, request: RequestHeader)?
    var store = SimulatedStore()
    lazy var machines = newMachines
    /// The devices that the configuration lacks.
    var missing: Set<Part> = []
    var wake = WakeTimes()
    /// The time at which the audible sounds change next, or have been missing for too long.
    private var observeAt = Int.max
    /// The time at which the service starts again; nil while it runs.
    var upAgainAt: Int?
    var isPowerOff = false
    /// The time at which the machine wakes from sleep; nil if it is awake. Events wait until then.
    var asleepUntil: Int?
    private(set) var awakeSince = 0
    var spacing = FaultSpacing()
    private var sleeper: Sleeper
    var camera = NightCamera()
    var buttons = NightButtons()
    let speakers: MachineSpeakers
    var queue = NightEventQueue()
    let checker: InvariantChecker
    let defect: Defect?
    /// The last events as text, for a report; nil if no report is needed.
    private(set) var lastEvents: [String]?
    /// True if a clock was set since the state was last published.
    var isClockSet = false
    /// The number of times that a clock was set or became trusted.
    var clockSetCount = 0
    private(set) var trace = Trace()

    init(_ night: Night, defect: Defect? = nil, keepsEvents: Bool = false) {
        self.night = night
        self.defect = defect
        lastEvents = keepsEvents ? [] : nil
        now = night.start
        clock = MachineClock(bootedAt: night.start - 600_000)
        zoneIndex = night.zoneIndex
        chance = SeededGenerator(seed: night.seed, night.number, 1)
        speakers = MachineSpeakers(&chance)
        sleeper = Sleeper(chance: SeededGenerator(seed: night.seed, night.number, 2))
        checker = InvariantChecker()
        for (at, event) in night.events { queue.plan(event, at: night.start + at) }
    }

    var moment: Moment { clock.moment(at: now) }

    var uptimeMilliseconds: Int { now - clock.bootedAt }

    func logEvent(_ event: @autoclosure () -> String) {
        lastEvents?.append("\(now - night.start) ms: \(event())")
    }

    /// Runs the night. The checker has the result.
    func run() {
        start()
        for command in night.eveningCommands { send(command) }
        pass(to: night.start + night.milliseconds)
        // The final check needs the present state.
        feed(.timer)
        if checker.violation == nil, isRunning, engine.canCompact, let mistake = checker.journal.mistake(in: self) {
            checker.report(.memory, mistake)
        }
        settleDown()
    }

    func pass(to end: Int) {
        var atOnce = 0
        while checker.violation == nil, let next = nextTime(until: end) {
            atOnce = next > now ? 0 : atOnce + 1
            if atOnce > Simulation.atOnceMax {
                checker.report(.answers, "the engine requests one wake after another without an end")
            }
            now = max(now, next)
            step()
        }
        if checker.violation == nil { now = max(now, end) }
    }

    private static let atOnceMax = 10_000

    // MARK: time

    /// Returns the time of the next event, or nil if there is none by `end`.
    private func nextTime(until end: Int) -> Int? {
        var next = min(queue.nextAt ?? .max, upAgainAt ?? .max, asleepUntil ?? .max)
        if isRunning {
            if let wall = wake.wallMilliseconds { next = min(next, wall - clock.errorMilliseconds) }
            if let uptime = wake.uptimeMilliseconds { next = min(next, uptime + clock.bootedAt) }
            next = min(next, store.doneAt ?? .max, sleeper.nextAt ?? .max, sleeper.answersAt ?? .max)
            next = min(next, camera.nextFrameAt ?? .max, checker.nextCheckAt(self))
            if let uptime = buttons.nextReadUptime { next = min(next, uptime + clock.bootedAt) }
            observeAt = checker.room.nextUptime.map { $0 + clock.bootedAt } ?? .max
            next = min(next, observeAt)
            if let uptime = speakers.nextChangeUptime(until: min(next, end) - clock.bootedAt) {
                observeAt = uptime + clock.bootedAt
                next = min(next, observeAt)
            }
        }
        return next <= end ? next : nil
    }

    var isRunning: Bool { upAgainAt == nil && asleepUntil == nil }

    private func step() {
        if let until = upAgainAt, until <= now {
            upAgainAt = nil
            if isPowerOff { clock.boot(at: now, &chance) }
            isPowerOff = false
            start()
        } else if let until = asleepUntil, until <= now {
            asleepUntil = nil
            awakeSince = now
            checker.room.woke(at: uptimeMilliseconds)
            feed(.timer)
        } else if let at = queue.nextAt, at <= now, let event = queue.next() {
            apply(event)
        } else if let done = store.doneAt, done <= now {
            finishJob()
        } else if let at = sleeper.nextAt, at <= now {
            perform(
                sleeper.act(
                    published.status.sessions.first, codes: published.file.codes, sees: camera.view == .room, at: now))
        } else if let at = sleeper.answersAt, at <= now {
            perform([sleeper.answerCheck()])
        } else if let at = camera.nextFrameAt, at <= now {
            report(camera.report(at: now, uptime: uptimeMilliseconds))
        } else if let uptime = buttons.nextReadUptime, uptime <= uptimeMilliseconds {
            readButtons()
        } else if observeAt <= now {
            observeSpeakers()
        } else if checker.nextCheckAt(self) <= now {
            checker.observe(self)
        } else {
            // A timer fires once.
            wake = WakeTimes()
            feed(.timer)
        }
    }

    // MARK: the machine

    static let startAgainMilliseconds = 1000

    private func start() {
        guard let entries = store.open() else {
            // The supervisor starts the service again.
            upAgainAt = now + Simulation.startAgainMilliseconds
            return
        }
        speakers.start(at: uptimeMilliseconds)
        engine = Engine(replaying: defect?.replayed(entries) ?? entries)
        machines = newMachines
        wake = WakeTimes()
        buttons = NightButtons()
        checker.restarted(self, entries: entries, isUnsure: store.isUnsure)
        lastSent = nil
        feed(startInput(of: engine, seed: chance.bits()))
        sleeper.restarted()
    }

    private func startInput(of engine: Engine, seed: UInt64) -> Input {
        .start(
            Start(
                isClockTrusted: clock.isTrusted, zone: SimulatedZones.all[zoneIndex],
                zones: SimulatedZones.all.filter { engine.zoneNames.contains($0.name) },
                kinds: Set(Challenge.Kind.allCases.filter { $0.device.map { !missing.contains($0) } ?? true }),
                parts: Set(Part.allCases).subtracting(missing), hasButtons: !missing.contains(.buttons),
                hasShaker: true, hasSunrise: true, seed: seed))
    }

    var snapshot: [Entry] { defect.map { $0.recorded(engine.snapshot) } ?? engine.snapshot }

    func restarted(from entries: [Entry]) -> Engine {
        var engine = Engine(replaying: entries)
        let input = startInput(of: engine, seed: 0)
        for input in defect?.given(input, engine) ?? [input] { _ = engine.handle(input, at: moment) }
        return engine
    }

    func observeSpeakers() {
        guard isRunning else { return }
        observeAt = .max
        let reports = speakers.advance(to: uptimeMilliseconds)
        checker.room.observe(
            speakers.heard, silenceMillisecondsMax: speakers.silenceMillisecondsMax, at: uptimeMilliseconds, checker)
        for report in reports { deliver(machines.speaker.handle(report, speakers.status)) }
    }

    func feed(_ input: Input) {
        guard isRunning else { return }
        observeSpeakers()
        deliver(input)
    }

    func deliver(_ input: Input) {
        logEvent("\("\(input)".prefix(200))")
        checker.willGive(input, self)
        let effects: [Effect], isCalled: Bool
        if let defect {
            let inputs = defect.given(input, engine)
            effects = defect.wanted(inputs.flatMap { engine.handle($0, at: moment) }, at: moment)
            isCalled = !inputs.isEmpty
        } else {
            (effects, isCalled) = (engine.handle(input, at: moment), true)
        }
        // Only `.statusChanged` and a clock that was set change the state, apart from its time.
        if isClockSet || effects.contains(where: { if case .statusChanged = $0 { true } else { false } }) {
            published = PublishedState(engine, at: now, after: published, defect?.shown)
            isClockSet = false
        }
        for effect in effects { carryOut(effect) }
        checker.gave(effects, self, isCalled: isCalled)
    }

    private func carryOut(_ effect: Effect) {
        trace.add(effect, at: now - night.start)
        switch effect {
        case .commit(let entries, let number):
            let records = entries.map(NewRecord.init)
            trace.add(records)
            store.add(.append(entries, records, number: number), at: now)
            triggerArmed(at: .write)
        case .reply(let reply, let request): checker.requests.answered(request, reply, checker, self)
        case .sound(let order): sleeper.handleSound(order, at: now)
        case .prompt(.challenge(let assignment)):
            if checker.sessions.open.isEmpty { sleeper.isAsked(assignment, at: now) }
        case .prompt(.done): sleeper.hasDone()
        case .prompt(.check): sleeper.isChecked(at: now)
        default: break
        }
        for order in machines.orders(for: effect, in: engine) { carryOut(order) }
    }

    private func finishJob() {
        // The sounds until now are checked first.
        observeSpeakers()
        switch store.finish() {
        case .committed(let entries, let number):
            checker.committed(entries, number: number)
            feed(.committed(number))
        case .commitFailed(let number, let reason):
            checker.journal.commitFailed(number: number)
            feed(.commitFailed(number, reason: reason))
        case .compacted: checker.journal.compacted()
        case nil: break
        }
        if store.compactionPays, engine.canCompact {
            let snapshot = self.snapshot
            if let mistake = checker.journal.mistake(in: snapshot) { checker.report(.memory, mistake) }
            checker.journal.compactionSent(to: snapshot)
            store.add(.compact(snapshot.map(NewRecord.init)), at: now)
            triggerArmed(at: .compaction)
        }
    }

    private func triggerArmed(at stage: NightEvent.DiskStage) {
        for event in queue.armed(for: stage) {
            queue.plan(event, at: now + chance.number(in: 0...store.latencyMilliseconds))
        }
    }

    // MARK: people

    private func perform(_ actions: [SleeperAction]) {
        for action in actions {
            switch action {
            case .press(let button):
                move(button, isDown: true)
                queue.plan(.button(button, isDown: false, bounces: 0), at: now + 100)
            case .show(let code):
                if let frame = camera.report(of: code ?? "", at: now, uptime: uptimeMilliseconds) { report(frame) }
            case .step:
                takeStep()
            case .touch(let tag): touch(tag)
            case .answer(let result): send(.answer(result))
            case .awake: send(.awake)
            }
        }
    }

    func ask(_ command: Command?) {
        guard isRunning else { return }
        if let command { send(command) } else if let lastSent { send(lastSent.command, lastSent.request) }
    }

    func send(_ command: Command) {
        requestCount += 1
        let request = RequestHeader("r\(requestCount)", by: .page)
        lastSent = (command, request)
        send(command, request)
    }

    private func send(_ command: Command, _ request: RequestHeader) {
        checker.requests.asked(command, request, checker, self)
        // The engine gets the zones that a command names before the command.
        let named = SimulatedZones.all.filter { command.zoneNames.contains($0.name) }
        if !named.isEmpty { feed(.zonesRead(named)) }
        feed(.command(command, request))
    }
}
