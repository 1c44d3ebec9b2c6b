// The service, which owns the engine: it passes inputs to the engine, and carries its effects out.

import Alarms
import CivilTime
import Clients
import Devices
import Engine
import EventLoop
import Sound

/// An event for subscribers, in the order in which the engine emitted it.
package enum ServiceEvent: Hashable, Sendable {
    case statusChanged
    case prompted(Prompt)
    case notified(Notification)
    /// Facts are durable.
    case recorded([RecordedEntry])
}

/// A durable fact, and its number in the journal.
package struct RecordedEntry: Hashable, Sendable {
    /// Each record has one more than the record before it.
    package let sequence: Int
    package let entry: Entry
}

package protocol Subscriber: Sendable {
    /// Accepts each event. It must return at once: the service waits for it.
    func handle(_ event: ServiceEvent, from service: isolated Service)
    /// Accepts each input of the engine with its effects, before they are carried out. Optional: by default
    /// the call does nothing.
    func observe(_ input: Input, at moment: Moment, effects: [Effect])
}

extension Subscriber {
    package func observe(_ input: Input, at moment: Moment, effects: [Effect]) {}
}

/// A running Rooster: an engine, its devices and a journal. The service makes no decisions. Inputs reach the
/// engine in order, each with its time, and the effects of one are carried out before the next. The machines
/// translate effects and reports for the devices. Other code on its executor needs no lock to use it.
package actor Service {
    package typealias ReplyHandler = @Sendable (Reply, isolated Service) -> Void

    /// The callbacks of requests that have no answer yet.
    struct Callbacks {
        var replies: [RequestHeader: [ReplyHandler]] = [:]
        var preflights: [@Sendable (isolated Service) -> Void] = []
        var speakerTries: [@Sendable (SpeakerStatus, isolated Service) -> Void] = []
    }

    /// The tasks that read the events of the timer and the reports of the devices.
    struct DeviceTasks {
        var timer: Task<Void, Never>?
        var reports: [Task<Void, Never>] = []
    }

    nonisolated let executor: EventLoop
    package nonisolated let bedside: Bedside
    nonisolated let soundChecks: SoundCheckQueue
    nonisolated let store: JournalStore
    let log: Log
    package private(set) var engine: Engine
    var machines: DeviceMachines
    var zones: ZoneCache
    package private(set) var hardware = ChallengeHardware()
    private var inbox: [Input] = []
    private(set) var isOver = false
    var callbacks = Callbacks()
    private var subscribers: [any Subscriber] = []
    var tasks = DeviceTasks()
    private let startWarnings: [String]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The limit of facts that a follower receives again after it has lost its connection.
    package static let recentMax = 256
    /// The last facts before this start.
    package nonisolated var recovered: [RecordedEntry] { store.recent }

    /// Creates a service from a recovered journal, without starting it.
    package init(
        _ bedside: Bedside, recovering journal: RecoveredJournal, on executor: EventLoop,
        zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [], log: @escaping Log = { _ in }
    ) {
        self.executor = executor
        self.bedside = bedside
        self.log = log
        self.zones = ZoneCache(zones)
        soundChecks = SoundCheckQueue(bedside.sounds)
        store = journal.store
        engine = Engine(replaying: journal.entries)
        machines = DeviceMachines(
            hasCamera: bedside.camera != nil, inputDevices: bedside.inputDevices, hasSunrise: bedside.sunrise != nil)
        startWarnings = warnings + journal.warnings
    }

    /// Starts the service. Sessions that were ringing ring again before this returns. `newCodeKey` is
    /// random.
    package func start(_ hardware: ChallengeHardware = ChallengeHardware(), newCodeKey: CodeKey? = nil, seed: UInt64) {
        self.hardware = hardware
        machines.clock.start(at: bedside.clock.reading, newestMilliseconds: engine.newestMilliseconds)
        let machine = readMachineZone()
        let start = Start(
            isClockTrusted: machines.clock.isTrusted(bedside.clock.trust), zone: machine,
            zones: readZones(engine.zoneNames), kinds: hardware.kinds, parts: bedside.parts,
            hasButtons: hardware.hasButtons, hasShaker: hardware.hasShaker, hasSunrise: bedside.sunrise != nil,
            newCodeKey: newCodeKey, symbologies: Set(hardware.symbologies.map(\.rawValue)), seed: seed)
        for warning in warnings { log(LogLine(.warning, warning)) }
        subscribeToDevices()
        enqueue(.start(start))
        if let error = store.firstError { enqueue(.health(.disk, error)) }
    }

    /// Ends the service. The engine gets no input: its alarms behave as after a power cut. `callback` is
    /// called when all acknowledged facts are durable; the speaker may take longer.
    package func end(onDurable callback: @Sendable () -> Void = {}) async {
        isOver = true
        bedside.timer.set(WakeTimes())
        // If the service ends during a ring, the alarm clock must not wake the machine a minute later.
        if machines.speaker.isRinging { setAlarmClock() }
        // The speaker falls silent, and restores its mixers.
        bedside.endDevices()
        tasks.timer?.cancel()
        await store.close { [log] in log(LogLine(.error, "The journal could not be closed (\($0))")) }
        callback()
        // Waits until no mixer is left as loud as for a ring.
        for task in tasks.reports { await task.value }
    }

    /// Warnings for the owner besides those of the engine, one line each.
    package var warnings: [String] { startWarnings + [zones.problem, machines.clock.warning].compactMap(\.self) }

    /// The engine at the present time. Since its last input only time has passed.
    package var engineNow: Engine { engine.at(bedside.clock.reading) }

    /// The calendars, codes, zones and hardware to which an alarm may refer. They validate it before it is
    /// saved.
    package var validationContext: ValidationContext {
        var validationContext = engine.validationContext
        validationContext.zones = zones.catalogue
        return validationContext
    }

    package func subscribe(_ subscriber: some Subscriber) { subscribers.append(subscriber) }

    // MARK: requests

    /// Sends a command. The reply follows when its effect is durable, before any event caused by it.
    package func ask(_ command: Command, _ request: RequestHeader, answer: @escaping ReplyHandler) {
        callbacks.replies[request, default: []].append(answer)
        readZones(of: command)
        enqueue(.command(command, request))
    }

    /// Records the first request of a client on a day.
    package func note(_ client: PairedClient, on today: CivilDate) {
        if client.day < today { enqueue(.clientSeen(client.id)) }
    }

    /// Returns the reply that a command would get now, without carrying the command out.
    package func validate(_ command: Command, _ request: RequestHeader) -> Reply {
        readZones(of: command)
        return engineNow.validate(command, request)
    }

    private func reply(_ reply: Reply, to request: RequestHeader) {
        guard let handlers = callbacks.replies[request], let first = handlers.first else { return }
        callbacks.replies[request] = handlers.count > 1 ? Array(handlers.dropFirst()) : nil
        first(reply, self)
    }

    // MARK: zones

    private func readZones(of command: Command) { enqueueZones(command.zoneNames) }

    /// Reads all zones again: a system update may have changed their rules.
    func reloadZones() {
        zones.invalidate()
        enqueue(.zoneChanged(readMachineZone()))
        enqueueZones(engine.zoneNames)
    }

    private func enqueueZones(_ names: Set<String>) {
        let named = readZones(names)
        if !named.isEmpty { enqueue(.zonesRead(named)) }
    }

    private func readMachineZone() -> Zone {
        let zone = zones.machine(named: bedside.clock.zoneName, before: engine.machineZoneName)
        if let problem = zones.problem { log(LogLine(.error, problem)) }
        return zone
    }

    private func readZones(_ names: Set<String>) -> [Zone] {
        zones.zones(named: names) { log(LogLine(.warning, $0)) }
    }

    // MARK: inputs and effects

    /// Queues an input, behind those that are queued already.
    func enqueue(_ input: Input) {
        guard !isOver else { return }
        inbox.append(input)
        // If the effect of an input enqueues another, the outer call handles it after all effects.
        guard inbox.count == 1 else { return }
        while let next = inbox.first {
            handle(next)
            inbox.removeFirst()
        }
    }

    private func handle(_ input: Input) {
        // While entries are on their way to the disk, a fast simulated clock runs in real time.
        bedside.timeScale?.pin()
        let moment = bedside.clock.reading
        let effects = engine.handle(input, at: moment)
        for subscriber in subscribers { subscriber.observe(input, at: moment, effects: effects) }
        for effect in effects { carryOut(effect) }
        bedside.timeScale?.unpin()
    }

    private func carryOut(_ effect: Effect) {
        for order in machines.orders(for: effect, in: engine) { carryOut(order) }
        switch effect {
        case .commit(let entries, let number): commit(entries, number)
        case .reply(let reply, let request): self.reply(reply, to: request)
        case .preflight: startPreflight()
        case .statusChanged: publish(.statusChanged)
        case .prompt(let prompt):
            if case .wrong(let kind) = prompt, let line = LogLine(wrong: kind, in: engine) { log(line) }
            publish(.prompted(prompt))
        case .notify(let notice): publish(.notified(notice))
        case .sound, .shake, .sunrise, .readySpeaker, .wake, .camera, .lamps, .enableInputs: break
        }
    }

    private func publish(_ event: ServiceEvent) {
        for subscriber in subscribers { subscriber.handle(event, from: self) }
    }

    // MARK: the journal

    private func commit(_ entries: [Entry], _ number: Int) {
        for entry in entries where !entry.fact.isRequested { log(LogLine(entry.fact, in: engine)) }
        // Submit the entries before any later effect is carried out.
        let receipt = store.append(entries)
        bedside.timeScale?.pin()
        task { service in
            let result = await receipt.result()
            switch result {
            case .failure(let error):
                service.log(LogLine(.error, "Not saved (\(error)). Alarms ring all the same."))
                service.enqueue(.commitFailed(number, reason: "\(error)"))
            case .success(let records):
                for entry in entries where entry.fact.isRequested {
                    service.log(LogLine(entry.fact, in: service.engine))
                }
                service.enqueue(.committed(number))
                service.publish(
                    .recorded(zip(records, entries).map { RecordedEntry(sequence: Int($0.sequence), entry: $1) }))
            }
            service.bedside.timeScale?.unpin()
            // A disk test that records its result must not cause another test. Otherwise the tests would
            // never end.
            let isDiskNews = entries.allSatisfy { if case .healthChanged(.disk, _) = $0.fact { true } else { false } }
            if case .success = result, !isDiskNews { await service.probeFailedDisk() }
            await service.compact()
        }
    }

    private func compact() async {
        guard store.compactionPays, engine.canCompact else { return }
        // The engine is copied now and encoded on the journal's thread, so that no ring waits.
        if let reason = await store.compact(to: { [engine] in engine.snapshot }) {
            log(LogLine(.error, "The journal could not be compacted (\(reason))"))
        }
    }

    /// The free bytes of the disk at the last test; nil if unknown.
    package var diskFreeBytes: Int? { store.freeBytes }

    /// Tests a disk that was broken, and has just accepted a write, or whose files were deleted.
    private func probeFailedDisk() async {
        let known = engine.health(of: .disk) ?? .ok
        // A deletion is reported once.
        guard store.hasLostFile ? known.grade != .warning : known.grade == .broken else { return }
        enqueue(.health(.disk, await store.probe(isSimulated: bedside.isSimulated)))
    }

    // MARK: tasks

    /// Starts a task that runs on the service's executor, also after each wait.
    @discardableResult
    nonisolated func task(_ work: @escaping @Sendable (isolated Service) async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await work(self) }
    }
}
