// The health of inputs and lamps, from their reports.

import Engine
import Health

/// The reported state of the buttons, keypad, step sensor, tag reader and lamps.
struct PeripheralState: Hashable, Sendable {
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

    /// Records that the device is absent, and does not have to be present.
    mutating func misses(_ part: Part) {
        works(part)
        missing.insert(part)
    }

    mutating func fails(_ part: Part, named name: String = "", _ reason: String) {
        answered.insert(part)
        missing.remove(part)
        failures[part, default: [:]][name] = reason
    }

    mutating func warns(_ part: Part, named name: String = "", _ text: String) {
        answered.insert(part)
        warnings[part, default: [:]][name] = text
    }

    /// Forgets the answers of the input devices, so that a test waits for new ones.
    mutating func forgetAnswers() { answered.subtract(InputDevice.allCases.map(\.part)) }

    func hasAnswered(_ part: Part) -> Bool { answered.contains(part) }

    /// Returns the part's health; nil if it has reported nothing, or is absent and does not have to be
    /// present.
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
    var part: Part {
        switch self {
        case .keypad: .keypad
        case .stepSensor: .steps
        case .tagReader: .tags
        }
    }
}
