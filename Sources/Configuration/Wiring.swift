// The configured GPIO lines and step counter, in the types of `Devices`.

import Alarms
import Devices

extension Configuration {
    /// All output lines. Some kernels keep them driven after roosterd is killed.
    package var outputs: [LineOutput] { [buzzer.output, shaker.output].compactMap(\.self) + lamps.outputs.values }
}

extension Configuration {
    /// Returns another option that names the same line, or nil.
    func otherUse(of key: String) -> String? {
        let lines: [(key: String, line: LineName?)] = [
            ("buttons.snooze", buttons.snooze), ("buttons.stop", buttons.stop), ("lamps.status", lamps.status),
            ("lamps.camera", lamps.camera), ("buzzer.line", buzzer.line),
            ("shaker.line", shaker.line), ("steps.line", steps.line),
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
    /// The buzzer's line, if there is a buzzer.
    package var output: LineOutput? { line.map { LineOutput($0, active: active) } }
}

extension Configuration.ShakerOptions {
    /// The shaker's line, if there is a shaker.
    package var output: LineOutput? { line.map { LineOutput($0, active: active) } }
}

extension Configuration.StepOptions {
    package enum Source: Hashable, Sendable {
        /// A mat, a beam or a motion detector.
        case line(LineInput)
        /// A step counter by name; nil for any.
        case counter(name: String?)
    }

    /// The configured source of steps, if there is one.
    package var source: Source? {
        guard counter.isEmpty else { return .counter(name: counter == "any" ? nil : counter) }
        return line.map { .line(LineInput($0, pull: pull, active: active)) }
    }
}
