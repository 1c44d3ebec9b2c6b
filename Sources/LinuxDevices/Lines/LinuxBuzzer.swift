// A buzzer on a GPIO line.

import Devices
import Glibc
import Sound
import Synchronization
import System

/// Pulses on a thread of its own: whoever is stuck elsewhere, it goes on.
package final class LinuxBuzzer: Buzzer {
    private struct State {
        var line: GpioLine?
        var pulses: PulsePattern?
        var startUptime = 0
        var retryUptime = 0
        var isOver = false
    }

    private let output: LineOutput
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// A line that has gone while it sounds is looked for so often.
    private static let retryMilliseconds = 1000

    private init(_ output: LineOutput, _ wakeUp: WakeUp) {
        (self.output, self.wakeUp) = (output, wakeUp)
    }

    /// A buzzer that is silent. Its line is taken now, if that can be, so that nobody else takes it.
    package static func start(_ output: LineOutput) throws(LineFailure) -> LinuxBuzzer {
        do throws(SystemCallError) {
            let buzzer = LinuxBuzzer(output, try WakeUp())
            try startThread(named: "buzzer") { buzzer.run() }
            buzzer.state.withLock { state in
                // Whoever wants to know what is wrong with it asks `check`.
                do throws(LineFailure) { state.line = try GpioLine(output) } catch { state.line = nil }
            }
            return buzzer
        } catch {
            throw .system(output.name, doing: "start its thread", errorNumber: error.errorNumber)
        }
    }

    /// Whether its line can be set; nothing is heard.
    package func check() throws(LineFailure) {
        try state.withLock { state throws(LineFailure) in
            if state.pulses == nil { try set(false, &state) }
        }
    }

    package func buzz(_ pulses: PulsePattern?) throws(LineFailure) {
        defer { wakeUp.signal() }
        try state.withLock { state throws(LineFailure) in
            guard !state.isOver else { return }
            do throws(LineFailure) {
                try set(pulses != nil, &state)
            } catch {
                // Without its chip it is silent.
                guard pulses == nil, error.isAbsence else { throw error }
            }
            (state.pulses, state.startUptime) = (pulses, Uptime.milliseconds)
        }
    }

    /// Is silent and lets go of its line for good; its thread ends.
    package func end() {
        state.withLock { state in
            if state.line != nil {
                // A line that cannot be set has lost its chip.
                do throws(LineFailure) { try set(false, &state) } catch { state.line = nil }
            }
            (state.pulses, state.line, state.isOver) = (nil, nil, true)
        }
        wakeUp.signal()
    }

    // MARK: Its thread

    private func run() {
        while true {
            let (left, isOver) = state.withLock { ($0.isOver ? nil : pulse(&$0), $0.isOver) }
            if isOver { return }
            wakeUp.wait(milliseconds: left.map(Double.init))
        }
    }

    /// Sets the line as it is to be now, and answers for how long; nil for until it is told something else.
    private func pulse(_ state: inout State) -> Int? {
        let now = Uptime.milliseconds
        guard let pulses = state.pulses else { return nil }
        let phase = pulses.phase(after: now - state.startUptime)
        guard state.line != nil || state.retryUptime <= now else { return phase.leftMilliseconds }
        do throws(LineFailure) {
            try set(phase.isOn, &state)
        } catch {
            // Nothing comes back from a buzzer: it is tried again for as long as it is to sound.
            state.retryUptime = now + LinuxBuzzer.retryMilliseconds
        }
        return phase.leftMilliseconds
    }

    private func set(_ isOn: Bool, _ state: inout State) throws(LineFailure) {
        do throws(LineFailure) {
            let line = if let line = state.line { line } else { try GpioLine(output) }
            try line.set(isOn)
            state.line = line
        } catch {
            state.line = nil
            throw error
        }
    }
}

extension LineFailure {
    /// Whether there is nothing that could be driven.
    fileprivate var isAbsence: Bool {
        switch self {
        case .noChip, .missingChip, .missing, .gone: true
        case .ambiguous, .busy, .noAccess, .system: false
        }
    }
}
