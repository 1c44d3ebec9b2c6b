// A bedside in a house that fails: the real engine and the real journal, everything else simulated.

import Alarms
import Engine
import Journal
import Service
import SimulatedDevices

/// A night while it happens. One seed decides everything in it.
final class World {
    let night: Night
    /// The world's time, in milliseconds since 1970.
    private(set) var now: Int
    private(set) var clock: MachineClock
    /// The machine's zone, by its place among the simulated ones.
    private(set) var zoneIndex: Int
    var chance: SeededGenerator
    private(set) var engine = Engine()
    private(set) var published = PublishedState(Engine(), at: 0)
    private var requestCount = 0
    private var lastSent: (command: Command, request: RequestHeader)?
    var store = SimulatedStore()
    private var wake = Wake()
    /// When the sounds in the room change next, or have been missing for too long.
    private var observeAt = Int.max
    /// When the service is up again; nil while it is up.
    var upAgainAt: Int?
    private var isPowerOff = false
    /// Until when the machine is asleep: events wait for that.
    var asleepUntil: Int?
    private(set) var awakeSince = 0
    private var spacing = FaultSpacing()
    private var sleeper: Sleeper
    var camera = NightCamera()
    private var buttons = NightButtons()
    private let bedroom: Bedroom
    var queue = NightEventQueue()
    let watcher: Watcher
    let defect: Defect?
    /// The last events in words, for a report; nil where none is wanted.
    private(set) var lastEvents: [String]?
    /// Whether a clock was set since the state was last published.
    private var isClockSet = false
    /// How often a clock was set, or became trusted.
    private(set) var clockSetCount = 0
    private(set) var trace = Trace()

    init(_ night: Night, defect: Defect? = nil, keepsEvents: Bool = false) {
        self.night = night
        self.defect = defect
        lastEvents = keepsEvents ? [] : nil
        now = night.start
        clock = MachineClock(bootedAt: night.start - 600_000)
        zoneIndex = night.zoneIndex
        chance = SeededGenerator(seed: night.seed, night.number, 1)
        bedroom = Bedroom(&chance)
        sleeper = Sleeper(chance: SeededGenerator(seed: night.seed, night.number, 2))
        watcher = Watcher()
        for (at, event) in night.events { queue.plan(event, at: night.start + at) }
    }

    var moment: Moment { clock.moment(at: now) }

    private var uptimeMilliseconds: Int { now - clock.bootedAt }

    private func logEvent(_ event: @autoclosure () -> String) {
        lastEvents?.append("\(now - night.start) ms: \(event())")
    }

    /// Runs the night; the watcher has the result.
    func run() {
        start()
        for command in night.eveningCommands { send(command) }
        pass(to: night.start + night.milliseconds)
        // The final check is by the state of now.
        feed(.timer)
        if watcher.violation == nil, isRunning, engine.canCompact, let mistake = watcher.journal.mistake(in: self) {
            watcher.report(.memory, mistake)
        }
        settleDown()
    }

    func pass(to end: Int) {
        var atOnce = 0
        while watcher.violation == nil, let next = nextTime(until: end) {
            atOnce = next > now ? 0 : atOnce + 1
            if atOnce > World.atOnceMax { watcher.report(.answers, "the engine wants to be called again and again") }
            now = max(now, next)
            step()
        }
        if watcher.violation == nil { now = max(now, end) }
    }

    private static let atOnceMax = 10_000

    // MARK: time

    /// When the next event comes, if that is not after `end`.
    private func nextTime(until end: Int) -> Int? {
        var next = min(queue.nextAt ?? .max, upAgainAt ?? .max, asleepUntil ?? .max)
        if isRunning {
            if let wall = wake.wallMilliseconds { next = min(next, wall - clock.errorMilliseconds) }
            if let uptime = wake.uptimeMilliseconds { next = min(next, uptime + clock.bootedAt) }
            next = min(next, store.doneAt ?? .max, sleeper.nextAt ?? .max)
            next = min(next, camera.nextFrameAt ?? .max, watcher.nextCheckAt(self))
            if let uptime = buttons.nextReadUptime { next = min(next, uptime + clock.bootedAt) }
            observeAt = watcher.room.nextUptime.map { $0 + clock.bootedAt } ?? .max
            next = min(next, observeAt)
            if let uptime = bedroom.nextChangeUptime(until: min(next, end) - clock.bootedAt) {
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
            watcher.room.woke(at: uptimeMilliseconds)
            feed(.timer)
        } else if let at = queue.nextAt, at <= now, let event = queue.next() {
            apply(event)
        } else if let done = store.doneAt, done <= now {
            finishJob()
        } else if let at = sleeper.nextAt, at <= now {
            act()
        } else if let at = camera.nextFrameAt, at <= now {
            feed(camera.frame(at: now))
        } else if let uptime = buttons.nextReadUptime, uptime <= uptimeMilliseconds {
            for input in buttons.read(at: uptimeMilliseconds) { feed(input) }
        } else if observeAt <= now {
            observeRoom()
        } else if watcher.nextCheckAt(self) <= now {
            watcher.observe(self)
        } else {
            // A timer calls once.
            wake = Wake()
            feed(.timer)
        }
    }

    // MARK: the machine

    private static let startAgainMilliseconds = 1000

    private func start() {
        guard let entries = store.open() else {
            // The supervisor starts the service again.
            upAgainAt = now + World.startAgainMilliseconds
            return
        }
        bedroom.start(at: uptimeMilliseconds)
        engine = Engine(replaying: defect?.replayed(entries) ?? entries)
        wake = Wake()
        buttons = NightButtons()
        watcher.restarted(self, entries: entries, isUnsure: store.isUnsure)
        lastSent = nil
        feed(startInput(of: engine, seed: chance.bits()))
        sleeper.restarted()
    }

    private func startInput(of engine: Engine, seed: UInt64) -> Input {
        .start(
            Start(
                isClockTrusted: clock.isTrusted, zone: SimulatedZones.all[zoneIndex],
                zones: SimulatedZones.all.filter { engine.zoneNames.contains($0.name) }, seed: seed))
    }

    var snapshot: [Entry] { defect.map { $0.recorded(engine.snapshot) } ?? engine.snapshot }

    func restarted(from entries: [Entry]) -> Engine {
        var engine = Engine(replaying: entries)
        let input = startInput(of: engine, seed: 0)
        for input in defect?.given(input, engine) ?? [input] { _ = engine.handle(input, at: moment) }
        return engine
    }

    private func observeRoom() {
        guard isRunning else { return }
        observeAt = .max
        let reports = bedroom.advance(to: uptimeMilliseconds)
        watcher.room.observe(
            bedroom.heard, silenceMillisecondsMax: bedroom.silenceMillisecondsMax, at: uptimeMilliseconds, watcher)
        for report in reports { deliver(report) }
    }

    func feed(_ input: Input) {
        guard isRunning else { return }
        observeRoom()
        deliver(input)
    }

    private func deliver(_ input: Input) {
        logEvent("\("\(input)".prefix(200))")
        watcher.willGive(input, self)
        let effects: [Effect], isCalled: Bool
        if let defect {
            let inputs = defect.given(input, engine)
            effects = defect.wanted(inputs.flatMap { engine.handle($0, at: moment) }, at: moment)
            isCalled = !inputs.isEmpty
        } else {
            (effects, isCalled) = (engine.handle(input, at: moment), true)
        }
        // Without `.statusChanged` only the time goes on; after a clock was set the state is published again.
        if isClockSet || effects.contains(where: { if case .statusChanged = $0 { true } else { false } }) {
            published = PublishedState(engine, at: now, after: published, defect?.shown)
            isClockSet = false
        }
        for effect in effects { carryOut(effect) }
        watcher.gave(effects, self, isCalled: isCalled)
    }

    private func carryOut(_ effect: Effect) {
        trace.add(effect, at: now - night.start)
        switch effect {
        case .commit(let entries, let number):
            let records = entries.map(NewRecord.init)
            trace.add(records)
            store.add(.append(entries, records, number: number), at: now)
            triggerArmed(at: .write)
        case .wake(let wake): self.wake = wake
        case .sound(let order):
            sleeper.handleSound(order, at: now)
            bedroom.demand.ring = order
        case .readySpeaker(let sound): bedroom.demand.nearSound = sound
        case .camera(let symbologies): camera.change(isOn: symbologies != nil, at: now)
        case .prompt(.challenge(let assignment)):
            if watcher.sessions.open.isEmpty { sleeper.isAsked(assignment, at: now) }
        case .prompt(.done): sleeper.hasDone()
        case .reply(let reply, let request):
            watcher.requests.answered(request, reply, watcher, self)
        case .lamps, .enableInputs, .prompt, .notify, .preflight, .statusChanged: break
        }
    }

    private func finishJob() {
        // Sounds until now are observed first.
        observeRoom()
        switch store.finish() {
        case .committed(let entries, let number):
            watcher.committed(entries, number: number)
            feed(.committed(number))
        case .commitFailed(let number, let reason):
            watcher.journal.commitFailed(number: number)
            feed(.commitFailed(number, reason: reason))
        case .compacted: watcher.journal.compacted()
        case nil: break
        }
        if store.compactionPays, engine.canCompact {
            let snapshot = self.snapshot
            if let mistake = watcher.journal.mistake(in: snapshot) { watcher.report(.memory, mistake) }
            watcher.journal.compactionSent(to: snapshot)
            store.compact(to: snapshot, at: now)
            triggerArmed(at: .compaction)
        }
    }

    private func triggerArmed(at stage: NightEvent.DiskStage) {
        for event in queue.armed(for: stage) {
            queue.plan(event, at: now + chance.number(in: 0...store.latencyMilliseconds))
        }
    }

    // MARK: people

    private func act() {
        for deed in sleeper.act(
            published.status.sessions.first, codes: published.file.codes, sees: camera.view == .room, at: now)
        {
            switch deed {
            case .press(let button):
                move(button, isDown: true)
                queue.plan(.button(button, isDown: false, bounces: 0), at: now + 100)
            case .give(.frame(let codes, _, _)):
                if let frame = camera.frame(of: codes, at: now) { feed(frame) }
            case .give(let input): feed(input)
            case .answer(let result): send(.answer(result))
            }
        }
    }

    private func move(_ button: Button, isDown: Bool) {
        guard isRunning else { return }
        for input in buttons.move(button, isDown: isDown, at: uptimeMilliseconds) { feed(input) }
    }

    private func ask(_ command: Command?) {
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
        watcher.requests.asked(command, request, watcher, self)
        // The zones that a command names come before it.
        let named = SimulatedZones.all.filter { command.zoneNames.contains($0.name) }
        if !named.isEmpty { feed(.zonesRead(named)) }
        feed(.command(command, request))
    }

    // MARK: what happens

    func apply(_ event: NightEvent) {
        // Events wait until a sleeping machine wakes, except a power cut.
        let isCut = if case .powerCut = event { true } else { false }
        if let asleepUntil, !isCut { return queue.plan(event, at: asleepUntil + 1) }
        if let until = spacing.postponement(
            of: event, at: now, awakeSince: awakeSince, isClockTrusted: clock.isTrusted)
        {
            return queue.plan(event, at: until)
        }
        logEvent("\(event)")
        // Sounds until now are observed first.
        observeRoom()
        switch event {
        case .during(let stage, let event): queue.arm(event, for: stage)
        case .powerCut(let milliseconds, let hasClock, let known):
            asleepUntil = nil
            store.cutPower(&chance)
            isPowerOff = true
            die(for: milliseconds)
            if !hasClock { clock.stop(at: now) }
            queue.plan(.clockSet, at: now + known)
        case .crash(let milliseconds):
            guard isRunning else { return }
            store.crash(&chance)
            die(for: milliseconds)
        case .suspend(let milliseconds):
            guard isRunning else { return }
            asleepUntil = now + milliseconds
        case .clockStep(let milliseconds):
            setClock(to: clock.errorMilliseconds + milliseconds)
        case .clockSet:
            setClock(to: 0)
            observeRoom()
            if !clock.isTrusted { clockSetCount += 1 }
            clock.isTrusted = true
            feed(.clockTrusted(true))
        case .zone(let index):
            zoneIndex = index
            feed(.zoneChanged(SimulatedZones.all[index]))
        case .disk(let fault): store.fail(fault)
        case .diskSpeed(let milliseconds): store.latencyMilliseconds = milliseconds
        case .camera(let view): camera.change(view: view, at: now)
        case .card(let index, let isPlugged, let fault):
            bedroom.change(index, isPlugged: isPlugged, fault)
            observeRoom()
        case .health(let part, let grade): feed(.health(part, grade == .ok ? .ok : Health(.described(grade, ""))))
        case .button(let button, let isDown, let bounces):
            move(button, isDown: isDown)
            // After the bounces it is where it was moved to.
            for bounce in 0..<bounces + bounces % 2 {
                now += 3
                move(button, isDown: isDown == (bounce % 2 == 1))
            }
        case .hold(let milliseconds):
            for button in Button.allCases {
                move(button, isDown: true)
                queue.plan(.button(button, isDown: false, bounces: 0), at: now + milliseconds)
            }
        case .ask(let command): ask(command)
        case .crowd(let count): for _ in 0..<count { ask(night.drawCommand(at: now - night.start, &chance)) }
        }
    }

    private func setClock(to error: Int) {
        if error != clock.errorMilliseconds { clockSetCount += 1 }
        clock.errorMilliseconds = error
        isClockSet = true
        feed(.timer)
    }

    private func die(for milliseconds: Int) {
        camera.change(isOn: false, at: now)
        bedroom.stop()
        if upAgainAt == nil { watcher.died(self) }
        upAgainAt = now + milliseconds
    }
}
