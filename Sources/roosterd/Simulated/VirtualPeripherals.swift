// The simulated buttons, keypad, step sensor, tag reader, lamps, sunrise and shaker.

import Alarms
import Configuration
import Devices
import Service
import SimulatedDevices
import Text

struct Impossible: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The simulated inputs and lamps that the configuration names.
struct VirtualPeripherals {
    private let clock: SimulatedClock
    private let buttons: VirtualButtons?
    private let keypad: VirtualInput<KeypadReport>?
    private let stepSensor: VirtualInput<StepReport>?
    private let tagReader: VirtualInput<TagReport>?

    private let lamps: LoggedLamps?
    private let sunrise: LoggedSunriseLamp?
    private let shaker: LoggedShaker?

    init(_ configuration: Configuration, _ clock: SimulatedClock, log: @escaping Log) {
        self.clock = clock
        let roles = configuration.buttons.inputs.keys
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

    /// A press of one button or both, held for this long by the simulated clock.
    func press(_ text: String, milliseconds: Int) throws(Impossible) -> () -> Void {
        guard let buttons else { throw Impossible("needs buttons (the configuration names no lines for them)") }
        guard let roles = text == "both" ? Button.allCases : Button(rawValue: text).map({ [$0] }) else {
            throw Impossible("must be one of snooze, stop, both, not \(text.quoted)")
        }
        let (clock, uptime) = (clock, clock.reading.uptimeMilliseconds)
        return {
            for role in roles { buttons.report(.moved(role, isDown: true, uptime: uptime)) }
            Task {
                await pass(milliseconds: milliseconds, on: clock)
                for role in roles { buttons.report(.moved(role, isDown: false, uptime: uptime + milliseconds)) }
            }
        }
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
