// The service: the one owner of the engine. Inputs go in here, and effects are carried out here.

import Alarms
import CivilTime
import Devices
import Engine
import EventLoop
import Sound

/// An event for subscribers, in the order in which the engine emitted it.
package enum ServiceEvent: Hashable, Sendable {
    case statusChanged
    case prompted(Prompt)
    case notified(Notice)
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
    /// The callback for each event. It must return at once: the service waits for it.
    func handle(_ event: ServiceEvent, from service: isolated Service)
}

/// A running Rooster: an engine, a bedside's devices and a journal. It decides nothing: inputs reach the engine in order,
/// each with its time, and effects are carried out before the next. Code on the same executor needs no other lock.
package actor Service {
    package typealias ReplyHandler = @Sendable (Reply, isolated Service) -> Void

    nonisolated let executor: any TimedExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    package private(set) var engine: Engine
    package nonisolated let bedside: Bedside
    nonisolated let soundChecks = SoundCheckQueue()
    let store: JournalStore
    let log: Log
    private var zones: ZoneCache
    package private(set) var hardware = ChallengeHardware()
    var speaker = SpeakerDemand()
    private var ordered = SpeakerOrder.silent
    var camera = CameraDemand()
    var orderedCamera = CameraOrder.off
    var cameraView = CameraView()
    var touch = TouchState()
    var previewCount = 0
    /// When cameras that came or went were tested.
    var cameraChangeUptimes: [Int] = []
    private var inbox: [Input] = []
    private(set) var isOver = false
    /// The callbacks of the requests that have no reply yet.
    private var replyHandlers: [RequestHeader: [ReplyHandler]] = [:]
    private var subscribers: [any Subscriber] = []
    /// The last facts before the start.
    package nonisolated let recovered: [RecordedEntry]
    /// How many facts are sent again to a follower that lost its connection.
    package static let recentMax = 256
    private var timerTask: Task<Void, Never>?
    private var speakerTask: Task<Void, Never>?
    private var cameraTask: Task<Void, Never>?
    private var touchTasks: [Task<Void, Never>] = []
    var preflight = PreflightRun()
    var speakerProbe = SpeakerProbe()
    private var wakerProblem: WakerError?
    private var wake: Wake?
    private var isPollingSpeaker = false
    var ringHealth = RingHealth()
    /// Warnings for the owner beside those of the engine, one line each.
    package var warnings: [String] { startWarnings + [zoneProblem, wakerWarning].compactMap(\.self) }
    private let startWarnings: [String]
    /// The disk's health, if it refused writes at the start.
    private let diskTrouble: Health?
    private var zoneProblem: String?
    private var hasHardwareClockStopped = false
    /// Problems with the alarms' sounds, as they were last found.
    var soundProblems: [String] = []
    /// A machine without a clock that could wake it gets no warning.
    private var wakerWarning: String? {
        guard let wakerProblem, wakerProblem != WakerError.none else { return nil }
        return "Nothing rings while the machine sleeps: \(wakerProblem)"
    }
    /// A callback of tests: it sees each input with its moment and effects.
    private let witness: (@Sendable (Input, Moment, [Effect]) -> Void)?

    /// A service that has replayed its journal, and is not started yet.
    package init(
        _ bedside: Bedside, recovering journal: RecoveredJournal, on executor: any TimedExecutor,
        zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [], log: @escaping Log = { _ in },
        witness: (@Sendable (Input, Moment, [Effect]) -> Void)? = nil
    ) {
        (self.executor, self.bedside, self.log, self.witness) = (executor, bedside, log, witness)
        self.zones = ZoneCache(zones)
        startWarnings = warnings + journal.warnings
        recovered = journal.recent
        diskTrouble = journal.diskTrouble
        engine = Engine(replaying: journal.entries)
        store = JournalStore(
            journal.writer, keeping: journal.foreign, witness: journal.commitWitness)
    }

    /// Whether the clock is trusted. A hardware clock that showed less than the newest record at the start has lost its
    /// battery.
    var isClockTrusted: Bool {
        let trust = bedside.clock.trust
        return trust == .hardwareClock ? !hasHardwareClockStopped : trust.isTrusted
    }

    /// Starts the service: sessions that were ringing ring on before this returns. `newCodeKey` is random.
    package func start(_ hardware: ChallengeHardware = ChallengeHardware(), newCodeKey: CodeKey? = nil, seed: UInt64) {
        self.hardware = hardware
        hasHardwareClockStopped = bedside.clock.reading.wallMilliseconds < engine.newestMilliseconds
        let machine = readMachineZone()
        let start = Start(
            isClockTrusted: isClockTrusted, zone: machine,
            zones: readZones(engine.zoneNames), kinds: hardware.kinds, hasButtons: hardware.hasButtons,
            newCodeKey: newCodeKey, symbologies: Set(hardware.symbologies.map(\.rawValue)), seed: seed)
        for warning in warnings { log(LogLine(.warning, warning)) }
        subscribeToDevices()
        enqueue(.start(start))
        if let diskTrouble { enqueue(.health(.disk, diskTrouble)) }
    }

    /// Ends the service. The engine gets no input: to the alarms it is as if the power went. `callback` is called when
    /// everything acknowledged is durable; the speaker may take longer.
    package func end(onDurable callback: @Sendable () -> Void = {}) async {
        isOver = true
        bedside.timer.set(wallMilliseconds: nil, uptimeMilliseconds: nil)
        // A service that is ended during a ring must not wake the machine a minute later.
        if speaker.ring != nil { setAlarmClock() }
        // The speaker falls silent, and puts its mixers back.
        bedside.speaker.end()
        bedside.camera?.end()
        endTouch()
        timerTask?.cancel()
        await store.close { [log] in log(LogLine(.error, "The journal: \($0)")) }
        callback()
        // Waits until no mixer is left as loud as for a ring.
        await speakerTask?.value
        await cameraTask?.value
        for task in touchTasks { await task.value }
    }

    /// The engine as it is now: since its last input only time has passed.
    package var engineNow: Engine { engine.at(moment) }

    /// The calendars, codes, zones and hardware that alarms can refer to, to validate an alarm before it is saved.
    package var surroundings: Surroundings {
        var surroundings = engine.surroundings
        surroundings.zones = zones.catalogue
        return surroundings
    }

    package func subscribe(_ subscriber: some Subscriber) { subscribers.append(subscriber) }

    /// Sends a command. The reply comes when its effect is durable, and before any event that follows from it.
    package func ask(_ command: Command, _ request: RequestHeader, answer: @escaping ReplyHandler) {
        replyHandlers[request, default: []].append(answer)
        readZones(of: command)
        enqueue(.command(command, request))
    }

    // MARK: what happens

    /// Queues an input, behind those that are queued already.
    func enqueue(_ input: Input) {
        guard !isOver else { return }
        inbox.append(input)
        // An input that an effect leads to is handled when all effects before it are carried out.
        guard inbox.count == 1 else { return }
        while let next = inbox.first {
            handle(next)
            inbox.removeFirst()
        }
    }

    private func handle(_ input: Input) {
        // Entries that go to the disk now count as sent at this moment.
        bedside.timeScale?.pin()
        let moment = moment
        let effects = engine.handle(input, at: moment)
        witness?(input, moment, effects)
        for effect in effects { carryOut(effect) }
        bedside.timeScale?.unpin()
    }

    /// Returns the reply that a command would have now. Keeps nothing of it.
    package func validate(_ command: Command, _ request: RequestHeader) -> Reply {
        readZones(of: command)
        return engineNow.validate(command, request)
    }

    private func readZones(of command: Command) {
        let named = readZones(command.zoneNames)
        if !named.isEmpty { enqueue(.zonesRead(named)) }
    }

    private var moment: Moment {
        let reading = bedside.clock.reading
        return Moment(wallMilliseconds: reading.wallMilliseconds, uptimeMilliseconds: reading.uptimeMilliseconds)
    }

    private func subscribeToDevices() {
        let (timer, speaker) = (bedside.timer.events, bedside.speaker.reports)
        timerTask = task { service in for await events in timer { service.handle(events) } }
        speakerTask = task { service in for await report in speaker { service.handle(report) } }
        touchTasks = subscribeToTouch()
        guard let camera = bedside.camera else { return }
        camera.order(.off)
        cameraTask = task { service in for await report in camera.reports { service.handle(report) } }
    }

    private func handle(_ events: Set<TimerEvent>) {
        for event in TimerEvent.allCases where events.contains(event) { handle(event) }
    }

    private func handle(_ event: TimerEvent) {
        switch event {
        case .due: enqueue(.timer)
        // The engine finds out by itself how far the clock was set.
        case .clockSet:
            checkClockTrust()
            enqueue(.timer)
            // The hardware's alarm clock is set relative to the old time.
            setAlarmClock()
        case .trustChanged: checkClockTrust()
        case .zoneChanged: reloadZones()
        }
    }

    private func checkClockTrust() {
        guard isClockTrusted != engine.status(nextCount: 0).isClockTrusted else { return }
        enqueue(.clockTrusted(isClockTrusted))
        enqueue(.health(.clock, clockHealth))
    }

    private func handle(_ report: SpeakerReport) {
        guard !isOver else { return }
        if let line = LogLine(report) { log(line) }
        if let input = Input(report) { enqueue(input) }
        // A speaker that is pulled out in the afternoon is reported then, and one that works again as well.
        if report == .routesChanged, speaker.ring == nil { startPreflight() }
        if speaker.ring != nil { reportSpeakerHealth() }
    }

    /// Starts a task that runs on the service's executor, also after each wait.
    @discardableResult
    nonisolated func task(_ work: @escaping @Sendable (isolated Service) async -> Void) -> Task<Void, Never> {
        Task(executorPreference: executor) { await work(self) }
    }

    private func readMachineZone() -> Zone {
        let (zone, problem) = zones.machine(named: bedside.clock.zoneName, before: engine.machineZoneName)
        if let problem { log(LogLine(.error, problem)) }
        zoneProblem = problem
        return zone
    }

    /// Reads all zones again: a system update may have changed their rules.
    func reloadZones() {
        zones.invalidate()
        enqueue(.zoneChanged(readMachineZone()))
        let named = readZones(engine.zoneNames)
        if !named.isEmpty { enqueue(.zonesRead(named)) }
    }

    private func readZones(_ names: some Sequence<String>) -> [Zone] {
        zones.zones(named: names) { log(LogLine(.warning, $0)) }
    }

    // MARK: what is done

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .sound(let order):
            speaker.ring = order
            orderSpeaker()
            if let order { return ringBegan(order) }
            ringHealth = RingHealth()
            setAlarmClock()
        case .readySpeaker(let sound):
            speaker.nearSound = sound
            orderSpeaker()
        case .commit(let entries, let number): commit(entries, number)
        case .wake(let wake):
            bedside.timer.set(wallMilliseconds: wake.wallMilliseconds, uptimeMilliseconds: wake.uptimeMilliseconds)
            // A timer calls once and has to be armed again. The hardware's clock does not, and is set only for sounds.
            let isSame = self.wake.map { before in
                wake.soundWallMilliseconds == before.soundWallMilliseconds
                    && wake.soundUptimeMilliseconds == before.soundUptimeMilliseconds
            }
            self.wake = wake
            // A failure is retried, where the machine has such a clock.
            if isSame == true, wakerProblem.map({ $0 == WakerError.none }) ?? true { return }
            setAlarmClock()
        case .reply(let reply, let request): answer(request, reply)
        case .preflight: startPreflight()
        case .statusChanged: publish(.statusChanged)
        case .prompt(let prompt):
            if prompt == .wrong(.qr) { refuseCodes() }
            if case .wrong(let kind) = prompt, kind != .qr {
                log(LogLine(.info, "That was wrong, for \(kind.rawValue)"))
            }
            signal(prompt)
            publish(.prompted(prompt))
        case .notify(let notice): publish(.notified(notice))
        case .camera(let symbologies): search(symbologies)
        case .lamps(let order): show(order)
        case .enableInputs(let devices): enable(devices)
        }
    }

    /// Sets the hardware's alarm clock, so that a sleeping machine is awake for the next sound, and for nothing else. A machine
    /// that is put to sleep during a ring wakes soon.
    func setAlarmClock() {
        guard let waker = bedside.waker, let wake else { return }
        let reading = bedside.clock.reading
        let byUptime = wake.soundUptimeMilliseconds.map { reading.wallMilliseconds + $0 - reading.uptimeMilliseconds }
        let soon = isOver ? nil : speaker.ring.map { _ in reading.wallMilliseconds + Service.sleepMillisecondsMax }
        do throws(WakerError) {
            try waker.set(wallMilliseconds: [wake.soundWallMilliseconds, byUptime, soon].compactMap(\.self).min())
            wakerProblem = nil
        } catch {
            // Logged once: most machines never sleep, and many cannot be woken.
            if wakerProblem != error { log(LogLine(error == .none ? .info : .warning, "\(error)")) }
            wakerProblem = error
        }
    }

    /// Polls the speaker's health while it rings: a speaker without a card reports nothing.
    func pollSpeakerHealth() {
        guard !isPollingSpeaker else { return }
        isPollingSpeaker = true
        task { service in
            var pollCount = 0
            while service.speaker.ring != nil, !service.isOver {
                await service.executor.wait(milliseconds: Service.speakerPollMilliseconds)
                guard service.speaker.ring != nil, !service.isOver else { break }
                service.reportSpeakerHealth()
                if pollCount % Service.pollsPerAlarmClock == 0 { service.setAlarmClock() }
                pollCount += 1
            }
            service.isPollingSpeaker = false
        }
    }

    /// How often the speaker is polled during a ring.
    private static let speakerPollMilliseconds = 1000
    /// How long a machine may sleep that is put to sleep during a ring; its alarm clock is set again after so many polls.
    private static let sleepMillisecondsMax = 60_000
    private static let pollsPerAlarmClock = 20

    func orderSpeaker() {
        let order = speaker.order
        guard order != ordered else { return }
        ordered = order
        bedside.speaker.order(order)
    }

    private func commit(_ entries: [Entry], _ number: Int) {
        for entry in entries where !entry.fact.isRequested { log(LogLine(entry.fact, in: engine)) }
        // The entries are on their way before any later effect is carried out.
        let receipt = store.append(entries)
        bedside.timeScale?.pin()
        task { service in
            let result = await JournalStore.records(of: receipt)
            switch result {
            case .failure(let error):
                service.log(LogLine(.error, "Not written down: \(error)"))
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
            // What a test of the disk has found is no reason for another one: they would follow each other without end.
            let isDiskNews = entries.allSatisfy { if case .healthChanged(.disk, _) = $0.fact { true } else { false } }
            if case .success = result, !isDiskNews { await service.probeFailedDisk() }
            await service.compact()
        }
    }

    private func compact() async {
        guard store.compactionPays, engine.canCompact else { return }
        // The snapshot is of the engine as it is now. It is encoded on the journal's thread: a ring must not wait for that.
        if let reason = await store.compact(to: { [engine] in engine.snapshot }) {
            log(LogLine(.error, "The journal was not compacted: \(reason)"))
        }
    }

    private func answer(_ request: RequestHeader, _ reply: Reply) {
        guard let answers = replyHandlers[request], let first = answers.first else { return }
        replyHandlers[request] = answers.count > 1 ? Array(answers.dropFirst()) : nil
        first(reply, self)
    }

    private func publish(_ event: ServiceEvent) {
        for subscriber in subscribers { subscriber.handle(event, from: self) }
    }
}
