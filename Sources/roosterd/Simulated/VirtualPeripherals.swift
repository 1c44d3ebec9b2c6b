// The simulated buttons, keypad, step sensor, tag reader, lamps, sunrise and shaker.

import API
import Alarms
import Configuration
import Devices
import Service
import SimulatedDevices
import Sound
import Synchronization
import Text

struct Impossible: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The simulated inputs and lamps that the configuration names.
struct VirtualPeripherals {
    private let clock: SimulatedClock
    private let roles: [Button]
    private let buttons: VirtualButtons?
    private let held = HeldButtons()
    private let keypad: VirtualInput<KeypadReport>?
    private let stepSensor: VirtualInput<StepReport>?
    private let tagReader: VirtualInput<TagReport>?

    private let lamps: LoggedLamps?
    private let sunrise: LoggedSunriseLamp?
    private let shaker: LoggedShaker?

    init(_ configuration: Configuration, _ clock: SimulatedClock, log: @escaping Log) {
        self.clock = clock
        roles = Array(configuration.buttons.inputs.keys)
        buttons = roles.isEmpty ? nil : VirtualButtons()
        for role in roles { buttons?.report(.found(role, isDown: false)) }
        let lampRoles = Set(configuration.lamps.outputs.keys)
        lamps = lampRoles.isEmpty ? nil : LoggedLamps(lampRoles, log: log)
        sunrise = configuration.lamps.sunrise == nil ? nil : LoggedSunriseLamp(log: log)
        shaker = configuration.shaker.output == nil ? nil : LoggedShaker(log: log)
        keypad = configuration.keypad.isUsed ? VirtualInput<KeypadReport>() : nil
        keypad?.report(.ready(name: "Simulated keypad"))
        stepSensor = configuration.steps.source == nil ? nil : VirtualInput<StepReport>()
        stepSensor?.report(.ready(isActive: false))
        tagReader = configuration.tags.isUsed ? VirtualInput<TagReport>() : nil
        tagReader?.report(.ready(name: "Simulated reader"))
    }

    func add(to bedside: inout Bedside) {
        bedside.buttons = buttons
        bedside.lamps = lamps
        bedside.sunrise = sunrise
        bedside.shaker = shaker
        bedside.keypad = keypad
        bedside.stepSensor = stepSensor
        bedside.tagReader = tagReader
    }

    /// Adds the inputs and the state of the outputs.
    func add(to report: inout BedsideReport, uptime: Int) {
        report.inputs = roles.map(\.rawValue).sorted()
        if keypad != nil { report.inputs.append("keypad") }
        if stepSensor != nil { report.inputs.append("steps") }
        if tagReader != nil { report.inputs.append("tags") }
        report.lamps = (lamps?.present ?? []).map { lamp, order in
            let (light, pulses): (BedsideReport.Lamp.Light, PulsePattern?) =
                switch order.light {
                case .off: (.off, nil)
                case .on: (.on, nil)
                case .blinking(let pulses): (.blinking, pulses)
                }
            return .init(
                lamp: lamp.rawValue, light: light, pulses: pulses?.milliseconds, flashes: order.flashCount,
                flash: order.flash?.milliseconds)
        }
        report.shaking = shaker.map { $0.present != nil }
        report.sunrise = sunrise.map { $0.present?.output(at: uptime, max: 100).value ?? 0 }
    }

    /// A press of one button or both, held for this long by the simulated clock, or until `release`.
    func press(_ text: String, milliseconds: Int) throws(Impossible) -> () -> Void {
        let (buttons, roles) = try named(text)
        let (clock, held, uptime) = (clock, held, clock.reading.uptimeMilliseconds)
        return {
            let presses = roles.map { role in
                buttons.report(.moved(role, isDown: true, uptime: uptime))
                return (role, held.press(role))
            }
            Task {
                await pass(milliseconds: milliseconds, on: clock)
                for (role, press) in presses where held.release(role, press) {
                    buttons.report(.moved(role, isDown: false, uptime: uptime + milliseconds))
                }
            }
        }
    }

    /// Lets go of one button or both.
    func release(_ text: String) throws(Impossible) -> () -> Void {
        let (buttons, roles) = try named(text)
        let (held, uptime) = (held, clock.reading.uptimeMilliseconds)
        return {
            for role in roles where held.release(role) {
                buttons.report(.moved(role, isDown: false, uptime: uptime))
            }
        }
    }

    private func named(_ text: String) throws(Impossible) -> (VirtualButtons, [Button]) {
        guard let buttons else { throw Impossible("needs buttons (the configuration names no lines for them)") }
        guard let roles = text == "both" ? Button.allCases : Button(rawValue: text).map({ [$0] }) else {
            throw Impossible("must be one of snooze, stop, both, not \(text.quoted)")
        }
        return (buttons, roles)
    }

    static let shortMilliseconds = 150
    /// The allowed durations of a press in milliseconds.
    static let holds = 0...600_000
    /// The time from one step to the next.
    private static let stepMilliseconds = 300

    func step(count: Int) throws(Impossible) -> () -> Void {
        guard let stepSensor else {
            throw Impossible("needs a step sensor (the configuration names no line and no counter for steps)")
        }
        guard 1...500 ~= count else { throw Impossible("must be between 1 and 500, not \(count)") }
        let clock = clock
        return {
            Task {
                for _ in 0..<count {
                    stepSensor.report(.step(uptime: clock.reading.uptimeMilliseconds))
                    await pass(milliseconds: VirtualPeripherals.stepMilliseconds, on: clock)
                }
            }
        }
    }

    /// Holds a tag to the reader, by its identifier.
    func hold(tag digits: String) throws(Impossible) -> () -> Void {
        guard let tagReader else { throw Impossible("needs a tag reader ('use = true' for tags in the configuration)") }
        guard let tag = VirtualPeripherals.bytes(digits).flatMap(NFCTag.init) else {
            throw Impossible("must be the 8 to 32 hexadecimal digits of a tag, not \(digits.quoted)")
        }
        return { tagReader.report(.tag(tag, wasThere: false)) }
    }

    func type(number: Int) throws(Impossible) -> () -> Void {
        guard let keypad else { throw Impossible("needs a keypad ('use = true' for it in the configuration)") }
        return { keypad.report(.number(number)) }
    }

    private static func bytes(_ digits: String) -> [UInt8]? {
        let digits = Array(digits.utf8)
        guard digits.count % 2 == 0 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
        }
        return bytes.count * 2 == digits.count ? bytes : nil
    }
}

/// The buttons that are down, each by the number of its press.
private final class HeldButtons: Sendable {
    private let presses = Mutex<(last: Int, down: [Button: Int])>((0, [:]))

    func press(_ button: Button) -> Int {
        presses.withLock { presses in
            presses.last += 1
            presses.down[button] = presses.last
            return presses.last
        }
    }

    /// Ends a press, or the present one. Returns false if it has ended already.
    func release(_ button: Button, _ press: Int? = nil) -> Bool {
        presses.withLock { presses in
            guard let down = presses.down[button], press == nil || press == down else { return false }
            presses.down[button] = nil
            return true
        }
    }
}

/// Waits for this time on a clock that may run fast, and whose speed may change.
private func pass(milliseconds: Int, on clock: SimulatedClock) async {
    let end = clock.reading.uptimeMilliseconds + milliseconds
    do {
        while case let left = end - clock.reading.uptimeMilliseconds, left > 0 {
            // Sleeps for short times, because the speed may change.
            try await Task.sleep(for: .milliseconds(min(Double(left) / clock.speed, speedCheckMilliseconds)))
        }
    } catch {
        // The task was cancelled.
    }
}

/// The interval at which a wait on the simulated clock reads its speed again.
private let speedCheckMilliseconds = 100.0
