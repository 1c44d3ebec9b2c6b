// What the configuration says of GPIO lines and of step counters, as their devices take it.

import Alarms
import Devices

extension Configuration {
    /// All output lines. The kernel may keep them driven when roosterd is killed.
    package var outputs: [LineOutput] { [buzzer.output].compactMap(\.self) + lamps.outputs.values }
}

extension Configuration {
    /// Another option that names the line of this one.
    func otherUse(of key: String) -> String? {
        let lines: [(key: String, line: LineName?)] = [
            ("buttons.snooze", buttons.snooze), ("buttons.stop", buttons.stop), ("lamps.status", lamps.status),
            ("lamps.camera", lamps.camera), ("buzzer.line", buzzer.line), ("steps.line", steps.line),
        ]
        guard let line = lines.first(where: { $0.key == key })?.line else { return nil }
        return lines.first { $0.key != key && $0.line == line }?.key
    }
}

extension Configuration.ButtonOptions {
    package var inputs: [Button: LineInput] {
        let lines: [Button: LineName?] = [.snooze: snooze, .stop: stop]
        return lines.compactMapValues { line in line.map { LineInput($0, pull: pull, active: active) } }
    }
}

extension Configuration.LampOptions {
    package var outputs: [LampRole: LineOutput] {
        let lines: [LampRole: LineName?] = [.status: status, .camera: camera]
        return lines.compactMapValues { line in line.map { LineOutput($0, active: active) } }
    }
}

extension Configuration.BuzzerOptions {
    /// The buzzer, if there is one.
    package var output: LineOutput? { line.map { LineOutput($0, active: active) } }
}

extension Configuration.StepOptions {
    package enum Source: Hashable, Sendable {
        /// A mat, a beam or a motion detector.
        case line(LineInput)
        /// A step counter by its name; nil for whichever there is.
        case counter(name: String?)
    }

    /// What is used, if there is anything.
    package var source: Source? {
        guard counter.isEmpty else { return .counter(name: counter == "any" ? nil : counter) }
        return line.map { .line(LineInput($0, pull: pull, active: active)) }
    }
}
