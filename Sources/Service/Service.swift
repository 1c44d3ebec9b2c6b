// The one owner of the engine: what happens goes in here, and what is to be done is done from here.

import Alarms
import CivilTime
import Devices
import Engine
import Loop
import Sound

/// A running Rooster: an engine, the devices of one bedside, and a journal.
///
/// It decides nothing. Inputs reach the engine one after the other, each with the time at which it came; effects are carried
/// out in the order in which the engine gives them, and before the next input is looked at. It runs on the executor that it
/// is given, so that whoever shares that needs no other lock.
public actor Service {
    /// Whoever waits for an answer.
    public typealias ReplyHandler = @Sendable (Reply, isolated Service) -> Void

    nonisolated let executor: any TimedExecutor
    /// Where it runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// What is known and decided: to be read.
    public private(set) var engine: Engine
    /// The devices.
    public nonisolated let bedside: Bedside
    nonisolated let soundChecks = SoundCheckQueue()
    let store: JournalStore
    let log: Log
    private var zones: ZoneCache
    /// What there is to meet challenges with.
    public private(set) var hardware = ChallengeHardware()
    var speaker = SpeakerDemand()
    private var ordered = SpeakerOrder.silent
    var camera = CameraDemand()
    var orderedCamera = CameraOrder.off
    /// What the camera shows.
    var cameraView = CameraView()
    var touch = TouchState()
    var previewCount = 0
    /// When cameras came or went that were tried out for it.
    var cameraChangeUptimes: [Int] = []
    private var inbox: [Input] = []
    private(set) var isOver = false
    /// Who waits for which request.
    private var replyHandlers: [Request: [ReplyHandler]] = [:]
    private var subscribers: [any Subscriber] = []
    private var timerTask: Task<Void, Never>?
    private var speakerTask: Task<Void, Never>?
    private var cameraTask: Task<Void, Never>?
    private var touchTasks: [Task<Void, Never>] = []
    var preflight = PreflightRun()
    private var wakerProblem: WakerError?
    /// When the engine wants to be called.
    private var wake: Wake?
    private var isPollingSpeaker = false
    var ringHealth = RingHealth()
    /// What its owner should know beside what the engine says, one line each.
    public var warnings: [String] { startWarnings + [zoneProblem, wakerWarning].compactMap(\.self) }
    private let startWarnings: [String]
    /// How the disk was when nothing could be written to it at the start.
    private let diskTrouble: Health?
    private var zoneProblem: String?
    private var hasHardwareClockStopped = false
    /// What is wrong with the sounds of alarms, for all that is known.
    var soundProblems: [String] = []
    /// Where there is nothing that could wake the machine, nobody expects it.
    private var wakerWarning: String? {
        guard let wakerProblem, wakerProblem != WakerError.none else { return nil }
        return "Nothing rings while the machine sleeps: \(wakerProblem)"
    }
    /// Sees each input with its moment, and what the engine made of it.
    private let witness: (@Sendable (Input, Moment, [Effect]) -> Void)?

    /// A service that knows what it was told before, and does nothing yet.
    public init(
        _ bedside: Bedside, recovering journal: RecoveredJournal, on executor: any TimedExecutor,
        zones: ZoneCatalogue = ZoneCatalogue(), warnings: [String] = [], log: @escaping Log = { _ in },
        witness: (@Sendable (Input, Moment, [Effect]) -> Void)? = nil
    ) {
        self.executor = executor
        self.bedside = bedside
        self.log = log
        self.witness = witness
        self.zones = ZoneCache(zones)
        startWarnings = warnings + journal.warnings
        diskTrouble = journal.diskTrouble
        engine = Engine(replaying: journal.entries)
        store = JournalStore(
            journal.writer, keeping: journal.foreign, witness: journal.commitWitness)
    }

    /// Whether the time is known to be right. A hardware clock that showed less than the newest record at the start has lost its
    /// battery.
    var isClockTrusted: Bool {
        let trust = bedside.clock.trust
        return trust == .hardwareClock ? !hasHardwareClockStopped : trust.isTrusted
    }

    /// Begins: what was ringing rings on before this returns. `hands` is what there is to meet challenges with; `newCodeKey` is
    /// random.
    public func start(_ hardware: ChallengeHardware = ChallengeHardware(), newCodeKey: CodeKey? = nil, seed: UInt64) {
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

    /// Ends, without a word to the engine: to the alarms it is as if the power went. Everything acknowledged is kept; as soon
    /// as it is, this is told, though the speaker may take longer.
    public func end(onDurable callback: @Sendable () -> Void = {}) async {
        isOver = true
        bedside.timer.set(wallMilliseconds: nil, uptimeMilliseconds: nil)
        // Whoever ends it while it rings wants no machine that comes back in a minute.
        if speaker.ring != nil { setAlarmClock() }
        // It falls silent by that, and knows that it was in the middle of something.
        bedside.speaker.end()
        bedside.camera?.end()
        endTouch()
        timerTask?.cancel()
        await store.close { [log] in log(LogLine(.error, "The journal: \($0)")) }
        callback()
        // Nobody's mixer is left as loud as for a ring.
        await speakerTask?.value
        await cameraTask?.value
        for task in touchTasks { await task.value }
    }

    /// The engine as it is now: nothing has happened since its last input, but time has passed.
    public var engineNow: Engine { engine.at(moment) }

    /// What an alarm stands among, to be judged before it is asked for.
    public var surroundings: Surroundings {
        var surroundings = engine.surroundings
        surroundings.zones = zones.catalogue
        return surroundings
    }

    /// Tells whoever wants to know all that leaves the service from now on.
    public func subscribe(_ subscriber: some Subscriber) { subscribers.append(subscriber) }

    /// Asks for something. The answer comes when it holds even if the power goes, and before anything that comes of it.
    public func ask(_ command: Command, _ request: Request, answer: @escaping ReplyHandler) {
        replyHandlers[request, default: []].append(answer)
        let named = readZones(command.zoneNames)
        if !named.isEmpty { enqueue(.zonesRead(named)) }
        enqueue(.command(command, request))
    }

    // MARK: what happens

    /// Lets the engine know, after all that it was told before.
    func enqueue(_ input: Input) {
        guard !isOver else { return }
        inbox.append(input)
        // Whatever an effect leads to has its turn when all effects before it are carried out.
        guard inbox.count == 1 else { return }
        while let next = inbox.first {
            handle(next)
            inbox.removeFirst()
        }
    }

    private func handle(_ input: Input) {
        // What goes to the disk now counts as sent at this moment.
        bedside.pace?.pin()
        let moment = moment
        let effects = engine.handle(input, at: moment)
        witness?(input, moment, effects)
        for effect in effects { carryOut(effect) }
        bedside.pace?.unpin()
    }

    private var moment: Moment {
        let reading = bedside.clock.reading
        return Moment(wallMilliseconds: reading.wallMilliseconds, uptimeMilliseconds: reading.uptimeMilliseconds)
    }

    private func subscribeToDevices() {
        let (timer, speaker) = (bedside.timer.events, bedside.speaker.reports)
        timerTask = task { service in for await event in timer { service.handle(event) } }
        speakerTask = task { service in for await report in speaker { service.handle(report) } }
        touchTasks = subscribeToTouch()
        guard let camera = bedside.camera else { return }
        camera.order(.off)
        cameraTask = task { service in for await report in camera.reports { service.handle(report) } }
    }

    private func handle(_ event: TimerEvent) {
        switch event {
        case .due: enqueue(.timer)
        // It notices by itself how far the clock was set.
        case .clockSet:
            checkClockTrust()
            enqueue(.timer)
            // It was set by how long it was until then.
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
        // A speaker that is pulled out in the afternoon is told then, and one that is mended as well.
        if report == .routesChanged, speaker.ring == nil { startPreflight() }
        if speaker.ring != nil { reportSpeakerHealth() }
    }

    /// Goes on by itself here, and nowhere else even after a wait.
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

    /// The system's updates bring new rules for old names.
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
            // A timer tells once, and has to be asked again; the hardware's clock does not, nor is it to be set for anything
            // that nobody hears.
            let isSame = self.wake.map { before in
                wake.soundWallMilliseconds == before.soundWallMilliseconds
                    && wake.soundUptimeMilliseconds == before.soundUptimeMilliseconds
            }
            self.wake = wake
            // What failed is tried again, where there is anything to try.
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

    /// A machine that sleeps is to be awake when it is to be heard, and for nothing else. One that is put to sleep while it
    /// rings wakes soon.
    func setAlarmClock() {
        guard let waker = bedside.waker, let wake else { return }
        let reading = bedside.clock.reading
        let byUptime = wake.soundUptimeMilliseconds.map { reading.wallMilliseconds + $0 - reading.uptimeMilliseconds }
        let soon = isOver ? nil : speaker.ring.map { _ in reading.wallMilliseconds + Service.sleepMillisecondsMax }
        do throws(WakerError) {
            try waker.set(wallMilliseconds: [wake.soundWallMilliseconds, byUptime, soon].compactMap(\.self).min())
            wakerProblem = nil
        } catch {
            // Said once: most machines never sleep, and many could not be woken.
            if wakerProblem != error { log(LogLine(error == .none ? .info : .warning, "\(error)")) }
            wakerProblem = error
        }
    }

    /// A speaker that has nothing to play on tells nothing: it is asked, for as long as something is to be heard.
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

    /// So long after a ring has begun, and so often while it goes on, it is to be heard.
    private static let speakerPollMilliseconds = 1000
    /// So long a machine may sleep that is put to sleep while it rings; and its clock is set anew after so many looks, in time.
    private static let sleepMillisecondsMax = 60_000
    private static let pollsPerAlarmClock = 20

    func orderSpeaker() {
        let order = speaker.order
        guard order != ordered else { return }
        ordered = order
        bedside.speaker.order(order)
    }

    private func commit(_ entries: [Entry], _ number: Int) {
        for entry in entries { log(LogLine(entry.fact)) }
        // On its way before anything else is done, whoever waits for it.
        let receipt = store.append(entries)
        bedside.pace?.pin()
        task { service in
            let reason = await JournalStore.failure(of: receipt)
            if let reason {
                service.log(LogLine(.error, "Not written down: \(reason)"))
                service.enqueue(.commitFailed(number, reason: reason))
            } else {
                service.enqueue(.committed(number))
            }
            service.bedside.pace?.unpin()
            if reason == nil { await service.probeFailedDisk() }
            await service.compact()
        }
    }

    private func compact() async {
        guard store.compactionPays, engine.canCompact else { return }
        // As it is now, whatever comes of it while that is put into words: nothing that rings may wait for them.
        if let reason = await store.compact(to: { [engine] in engine.snapshot }) {
            log(LogLine(.error, "The journal was not compacted: \(reason)"))
        }
    }

    private func answer(_ request: Request, _ reply: Reply) {
        guard let answers = replyHandlers[request], let first = answers.first else { return }
        replyHandlers[request] = answers.count > 1 ? Array(answers.dropFirst()) : nil
        first(reply, self)
    }

    private func publish(_ event: ServiceEvent) {
        for subscriber in subscribers { subscriber.handle(event, from: self) }
    }
}
