// Buttons, keypad, step sensor, tag reader and lamps.

import Alarms
import Devices
import Engine
import Sound

/// The state of these devices, as they have reported it, and which of them are enabled.
struct TouchState {
    var enabledDevices: Set<InputDevice> = []
    var isTested = false
    var ordered: Set<InputDevice> = []
    /// Each part's failures and warnings, by the name of the button or device.
    private var failures: [Part: [String: String]] = [:]
    private var warnings: [Part: [String: String]] = [:]
    private var answered: Set<Part> = []
    private var missing: Set<Part> = []

    mutating func works(_ part: Part, named name: String = "") {
        answered.insert(part)
        missing.remove(part)
        failures[part]?[name] = nil
        warnings[part]?[name] = nil
    }

    /// The device is not there, and need not be.
    mutating func misses(_ part: Part) {
        works(part)
        missing.insert(part)
    }

    mutating func fails(_ part: Part, named name: String = "", _ reason: String) {
        answered.insert(part)
        missing.remove(part)
        failures[part, default: [:]][name] = reason
    }

    mutating func warns(_ part: Part, named name: String = "", _ words: String) {
        answered.insert(part)
        warnings[part, default: [:]][name] = words
    }

    /// The devices that are tested have to answer again.
    mutating func forgetAnswers() { answered.subtract(InputDevice.allCases.map(\.part)) }

    func hasAnswered(_ part: Part) -> Bool { answered.contains(part) }

    /// The part's health; nil where it has reported nothing.
    func health(_ part: Part) -> Health? {
        guard answered.contains(part), !missing.contains(part) else { return nil }
        var health = Health.ok
        health.causes = (failures[part] ?? [:]).sorted { $0.key < $1.key }.map { name, reason in
            .unusable(reason: name.isEmpty ? reason : "the \(name) button: \(reason)")
        }
        health.causes += (warnings[part] ?? [:]).sorted { $0.key < $1.key }.map { .wiring($0.value) }
        return health
    }
}

extension InputDevice {
    fileprivate var part: Part {
        switch self {
        case .keypad: .keypad
        case .stepSensor: .steps
        case .tagReader: .tags
        }
    }
}

extension Bedside {
    fileprivate var inputDevices: Set<InputDevice> {
        var senses: Set<InputDevice> = []
        if keypad != nil { senses.insert(.keypad) }
        if stepSensor != nil { senses.insert(.stepSensor) }
        if tagReader != nil { senses.insert(.tagReader) }
        return senses
    }
}

extension Service {
    func subscribeToTouch() -> [Task<Void, Never>] {
        var tasks: [Task<Void, Never>] = []
        func subscribe<Report: Sendable>(
            _ reports: AsyncStream<Report>?, _ act: @escaping @Sendable (isolated Service, Report) -> Void
        ) {
            guard let reports else { return }
            tasks.append(task { service in for await report in reports where !service.isOver { act(service, report) } })
        }
        subscribe(bedside.buttons?.reports) { $0.handle($1) }
        subscribe(bedside.lamps?.reports) { $0.handle($1) }
        subscribe(bedside.keypad?.reports) { $0.handle($1) }
        subscribe(bedside.stepSensor?.reports) { $0.handle($1) }
        subscribe(bedside.tagReader?.reports) { $0.handle($1) }
        return tasks
    }

    func endTouch() {
        bedside.buttons?.end()
        bedside.lamps?.end()
        bedside.keypad?.end()
        bedside.stepSensor?.end()
        bedside.tagReader?.end()
    }

    // MARK: what is heard

    private func handle(_ report: ButtonReport) {
        switch report {
        case .found(let role, let isDown):
            touch.works(.buttons, named: role.rawValue)
            enqueue(.buttonFound(role, isDown: isDown))
            reportHealth(.buttons)
        case .moved(let role, let isDown, let uptime): enqueue(.button(role, isDown: isDown, uptime: uptime))
        case .failed(let role, let failure):
            touch.fails(.buttons, named: role.rawValue, "\(failure)")
            // A button that fails counts as released.
            enqueue(.buttonFound(role, isDown: false))
            reportHealth(.buttons)
        case .warning(let role, let words):
            touch.warns(.buttons, named: role.rawValue, words)
            reportHealth(.buttons)
        }
    }

    private func handle(_ report: LampReport) {
        switch report {
        case .ready(let role): touch.works(.lamps, named: role.rawValue)
        // A lamp that cannot be set is only a warning: it keeps no alarm from ringing.
        case .failed(let role, let failure):
            touch.warns(.lamps, named: role.rawValue, "the \(role.rawValue) lamp cannot be used: \(failure)")
        }
        reportHealth(.lamps)
    }

    private func handle(_ report: KeypadReport) {
        switch report {
        case .ready: touch.works(.keypad)
        case .number(let number): if touch.enabledDevices.contains(.keypad) { enqueue(.typed(number)) }
        // A keypad that the configuration does not name is not missed.
        case .failed(.none): touch.misses(.keypad)
        case .failed(let failure): touch.fails(.keypad, "\(failure)")
        }
        reportHealth(.keypad)
    }

    private func handle(_ report: StepReport) {
        switch report {
        case .ready: touch.works(.steps)
        case .step(let uptime): if touch.enabledDevices.contains(.stepSensor) { enqueue(.step(uptime: uptime)) }
        case .failed(let failure): touch.fails(.steps, "\(failure)")
        case .warning(let words): touch.warns(.steps, words)
        }
        reportHealth(.steps)
    }

    private func handle(_ report: TagReport) {
        switch report {
        case .ready: touch.works(.tags)
        case .tag(let tag, let wasThere):
            // A tag that lay on the reader before does not count: nobody has got up for it.
            guard touch.enabledDevices.contains(.tagReader), !wasThere, let payload = CodePayload(tag.payload) else {
                break
            }
            let digests = codeKeys.compactMap { payload.digest(key: $0, kind: Challenge.Kind.tag.rawValue) }
            let isAnothers = tag.isRandom ? ", whose number is another each time, as a phone's is" : ""
            log(LogLine(.info, "A tag is held to the reader\(isAnothers)"))
            enqueue(.tag(digests.map(CodeDigest.init), isRandom: tag.isRandom))
        case .unreadable(let reason): log(LogLine(.warning, "A tag cannot be read: \(reason)"))
        case .failed(let failure): touch.fails(.tags, "\(failure)")
        }
        reportHealth(.tags)
    }

    private func reportHealth(_ part: Part) {
        let known = engine.health(of: part)
        // A part that is not missed is no longer broken.
        guard let health = touch.health(part) ?? known.map({ _ in .ok }), known != health else { return }
        enqueue(.health(part, health))
    }

    // MARK: what is ordered

    /// Enables the devices that the engine wants, and no others.
    func enable(_ devices: Set<InputDevice>) {
        touch.enabledDevices = devices
        orderInputDevices()
    }

    private func orderInputDevices() {
        let wanted = touch.isTested ? bedside.inputDevices : touch.enabledDevices
        for sense in InputDevice.allCases where wanted.contains(sense) != touch.ordered.contains(sense) {
            let isOn = wanted.contains(sense)
            switch sense {
            case .keypad: bedside.keypad?.order(isOn: isOn)
            case .stepSensor: bedside.stepSensor?.order(isOn: isOn)
            case .tagReader: bedside.tagReader?.order(isOn: isOn)
            }
        }
        touch.ordered = wanted
    }

    func show(_ order: LampOrder) {
        bedside.lamps?.show(order.status.light, on: .status)
        bedside.lamps?.show(order.isCameraLit ? .on : .off, on: .camera)
    }

    /// Prompts the person at the bed: by the speaker or the buzzer for the result of an action, by the lamp for all prompts.
    func signal(_ prompt: Prompt) {
        guard let pulses = prompt.pulses else { return }
        switch prompt {
        // At rest a request from a client must not sound the buzzer.
        case .refused, .wrong, .done: if !engine.isAtRest { bedside.speaker.signal(pulses) }
        case .challenge, .ended, .next, .inBed: break
        }
        guard let lamps = bedside.lamps else { return }
        lamps.flash(pulses, on: .status)
        guard case .challenge(.pattern(let buttons)) = prompt else { return }
        // The pattern is shown again until it is pressed.
        task { service in
            let pause = max(Service.patternMilliseconds, pulses.lengthMilliseconds + Service.patternPauseMilliseconds)
            while true {
                await service.executor.wait(milliseconds: pause)
                let status = service.engine.status(nextCount: 0)
                let asked = status.sessions.lazy.compactMap(\.assignment).first ?? status.unlocking?.assignment
                guard asked == .pattern(buttons), !service.isOver else { return }
                lamps.flash(pulses, on: .status)
            }
        }
    }

    /// Sounds the buzzer as a test: its wiring cannot be tested otherwise.
    package func soundBuzzer() {
        if let pulses = PulsePattern([150, 150, 150, 400]) { bedside.speaker.signal(pulses) }
    }

    private static let patternMilliseconds = 10_000
    private static let patternPauseMilliseconds = 3000

    // MARK: trying it out

    func beginTouchTest() {
        guard !bedside.inputDevices.isEmpty else { return }
        touch.forgetAnswers()
        touch.isTested = true
        orderInputDevices()
    }

    var isTestingTouch: Bool { touch.isTested && bedside.inputDevices.contains { !touch.hasAnswered($0.part) } }

    func endTouchTest() -> [(Part, Health)] {
        touch.isTested = false
        orderInputDevices()
        return [Part.buttons, .keypad, .steps, .tags, .lamps].compactMap { part in touch.health(part).map { (part, $0) }
        }
    }
}

extension StatusLight {
    /// At rest the light is steady: blinking would wake the machine.
    fileprivate var light: LampLight {
        switch self {
        case .dark: .off
        case .armed: .on
        case .ringing: .blinking(PulsePattern([250, 250]) ?? .standard)
        case .asked: .blinking(PulsePattern([100, 100, 100, 700]) ?? .standard)
        case .held: .blinking(PulsePattern([200, 800]) ?? .standard)
        case .heldLonger: .blinking(PulsePattern([150, 350]) ?? .standard)
        case .heldLongest: .blinking(PulsePattern([60, 120]) ?? .standard)
        case .snoozed: .blinking(PulsePattern([1000, 1000]) ?? .standard)
        case .notReady: .blinking(PulsePattern([50, 1950]) ?? .standard)
        }
    }
}

extension Prompt {
    /// The rhythm of a prompt; nil where the lamp's light already shows it. In a pattern, snooze is short and stop is long.
    fileprivate var pulses: PulsePattern? {
        switch self {
        case .refused: PulsePattern([80, 80, 80, 80, 80, 400])
        case .wrong: PulsePattern([400, 200, 400, 400])
        case .done, .next(.some): PulsePattern([1000, 400])
        case .inBed: PulsePattern([80, 200, 1000, 400])
        case .next(nil): PulsePattern([80, 80, 80, 400])
        case .challenge(.pattern(let buttons)): PulsePattern(buttons.flatMap { [$0 == .snooze ? 150 : 700, 350] })
        case .challenge, .ended: nil
        }
    }
}
