// Buttons, keypad, step sensor, tag reader, lamps, sunrise and shaker: their orders, their reports and their
// test.

import Alarms
import Devices
import Engine
import Health
import Sound

/// Decides which inputs are enabled, which of their reports reach the engine, and how the lamps shine.
package struct PeripheralsMachine: Sendable {
    /// The input devices in the configuration, besides the buttons and the camera.
    private let devices: Set<InputDevice>
    private let hasSunrise: Bool
    /// The devices that the engine wants enabled.
    private var enabled: Set<InputDevice> = []
    private var ordered: Set<InputDevice> = []
    private var isTested = false
    private var state = PeripheralState()
    /// The last light of the sunrise, which a test sets again.
    private var light: SunriseLight?

    init(devices: Set<InputDevice>, hasSunrise: Bool) { (self.devices, self.hasSunrise) = (devices, hasSunrise) }

    // MARK: reports

    package mutating func handle(_ report: ButtonReport, in engine: Engine) -> Reaction {
        switch report {
        case .found(let button, let isDown):
            state.works(.buttons, named: button.rawValue)
            return reaction(of: .buttons, [.buttonFound(button, isDown: isDown)], in: engine)
        case .moved(let button, let isDown, let uptime):
            return Reaction(inputs: [.button(button, isDown: isDown, uptime: uptime)])
        case .failed(let button, let failure):
            state.fails(.buttons, named: button.rawValue, "\(failure)")
            // A button that fails counts as released.
            return reaction(of: .buttons, [.buttonFound(button, isDown: false)], in: engine)
        case .warning(let button, let text):
            state.warns(.buttons, named: button.rawValue, text)
            return reaction(of: .buttons, in: engine)
        }
    }

    mutating func handle(_ report: LampReport, in engine: Engine) -> Reaction {
        switch report {
        case .ready(let role): state.works(.lamps, named: role.rawValue)
        // A lamp that fails is only a warning, because the alarm rings without it.
        case .failed(let role, let failure):
            state.warns(.lamps, named: role.rawValue, "the \(role.rawValue) lamp does not work (\(failure))")
        }
        return reaction(of: .lamps, in: engine)
    }

    package mutating func handle(_ report: SunriseReport, in engine: Engine) -> Reaction {
        switch report {
        case .ready: state.works(.lamps, named: "sunrise")
        case .failed(let failure):
            state.warns(.lamps, named: "sunrise", "the sunrise lamp does not work (\(failure))")
        }
        return reaction(of: .lamps, in: engine)
    }

    package mutating func handle(_ report: ShakerReport, in engine: Engine) -> Reaction {
        switch report {
        case .ready: state.works(.shaker)
        case .failed(let failure): state.fails(.shaker, "\(failure)")
        }
        return reaction(of: .shaker, in: engine)
    }

    package mutating func handle(_ report: KeypadReport, in engine: Engine) -> Reaction {
        var inputs: [Input] = []
        switch report {
        case .ready: state.works(.keypad)
        case .number(let number): if enabled.contains(.keypad) { inputs = [.typed(number)] }
        case .pressed: if enabled.contains(.keypad) { inputs = [.keyPressed] }
        // A keypad that the configuration does not name is not missed.
        case .failed(.none): state.misses(.keypad)
        case .failed(let failure): state.fails(.keypad, "\(failure)")
        }
        return reaction(of: .keypad, inputs, in: engine)
    }

    package mutating func handle(_ report: StepReport, in engine: Engine) -> Reaction {
        var inputs: [Input] = []
        switch report {
        case .ready: state.works(.steps)
        case .step(let uptime): if enabled.contains(.stepSensor) { inputs = [.step(uptime: uptime)] }
        case .failed(let failure): state.fails(.steps, "\(failure)")
        case .warning(let text): state.warns(.steps, text)
        }
        return reaction(of: .steps, inputs, in: engine)
    }

    package mutating func handle(_ report: TagReport, in engine: Engine, hash: PayloadHasher) -> Reaction {
        var (inputs, lines) = ([Input](), [LogLine]())
        switch report {
        case .ready: state.works(.tags)
        case .tag(let tag, let wasThere):
            // A tag that was already on the reader does not count, because its owner may still be in bed.
            guard enabled.contains(.tagReader), !wasThere, let payload = CodePayload(tag.payload) else { break }
            let changes = tag.isRandom ? ". It changes its number at each reading, as phones do." : ""
            lines = [LogLine(.info, "A tag was held to the reader\(changes)")]
            inputs = [.tag(hash(payload, .tag), isRandom: tag.isRandom)]
        case .unreadable(let reason): lines = [LogLine(.warning, "A tag cannot be read (\(reason))")]
        case .failed(let failure): state.fails(.tags, "\(failure)")
        }
        return reaction(of: .tags, inputs, lines, in: engine)
    }

    /// Returns the reaction to a report, with the part's health if that has changed.
    private func reaction(
        of part: Part, _ inputs: [Input] = [], _ lines: [LogLine] = [], in engine: Engine
    ) -> Reaction {
        let reaction = Reaction(lines: lines, inputs: inputs)
        let known = engine.health(of: part)
        // An absent device that does not have to be present is no longer broken.
        guard let health = state.health(part) ?? known.map({ _ in .ok }), known != health else { return reaction }
        return Reaction(lines: lines, inputs: inputs + [.health(part, health)])
    }

    // MARK: orders

    mutating func orders(for effect: Effect, in engine: Engine) -> [DeviceOrder] {
        switch effect {
        case .enableInputs(let devices):
            enabled = devices
            return newOrders()
        case .lamps(let order):
            return [.lamp(.status, order.status.light), .lamp(.camera, order.isCameraLit ? .on : .off)]
        case .sunrise(let order):
            light = order.map(SunriseLight.init)
            return [.sunrise(light)]
        case .shake(let order):
            return [.shake(order.map { Shaking(rampSeconds: $0.rampSeconds, startUptime: $0.rampStartUptime) })]
        case .prompt(let prompt): return signals(of: prompt, isAtRest: engine.isAtRest)
        default: return []
        }
    }

    private mutating func newOrders() -> [DeviceOrder] {
        let wanted = isTested ? devices : enabled
        defer { ordered = wanted }
        return InputDevice.allCases.filter { wanted.contains($0) != ordered.contains($0) }
            .map { .input($0, isOn: wanted.contains($0)) }
    }

    /// Returns the signals for the person in bed: the lamp for all prompts, and also the speaker or the
    /// buzzer for the result of an action.
    private func signals(of prompt: Prompt, isAtRest: Bool) -> [DeviceOrder] {
        guard let pulses = prompt.pulses else { return [] }
        switch prompt {
        // At rest a client's request must not sound the buzzer.
        case .refused, .wrong, .done: return isAtRest ? [.flash(pulses)] : [.signal(pulses), .flash(pulses)]
        case .challenge(.pattern(let buttons)):
            let interval = max(
                PeripheralsMachine.patternMilliseconds,
                pulses.lengthMilliseconds + PeripheralsMachine.patternPauseMilliseconds)
            return [.flash(pulses), .repeatFlash(pulses, of: buttons, intervalMilliseconds: interval)]
        case .challenge, .check, .ended, .next, .notice, .bedtime, .inBed: return [.flash(pulses)]
        }
    }

    private static let patternMilliseconds = 10_000
    private static let patternPauseMilliseconds = 3000

    /// Returns true if this pattern is still the current challenge, and must be shown again.
    static func isAsked(_ pattern: [Button], by engine: Engine) -> Bool {
        let status = engine.status(nextCount: 0)
        let asked = status.sessions.lazy.compactMap(\.assignment).first ?? status.unlocking?.assignment
        return asked == .pattern(pattern)
    }

    // MARK: the preflight's test

    mutating func beginTest() -> [DeviceOrder] {
        // A lamp that was lost is noticed only when it is set.
        let test = hasSunrise ? [DeviceOrder.sunrise(light)] : []
        guard !devices.isEmpty else { return test }
        state.forgetAnswers()
        isTested = true
        return test + newOrders()
    }

    var isBeingTested: Bool { isTested && devices.contains { !state.hasAnswered($0.part) } }

    mutating func endTest() -> (orders: [DeviceOrder], inputs: [Input]) {
        isTested = false
        let parts: [Part] = [.buttons, .keypad, .steps, .tags, .lamps, .shaker]
        return (newOrders(), parts.compactMap { part in state.health(part).map { .health(part, $0) } })
    }
}

extension SunriseLight {
    fileprivate init(_ order: SunriseOrder) {
        switch order {
        case .rising(let from, let until): self = .rising(fromUptime: from, untilUptime: until)
        case .full: self = .full
        }
    }
}
