// A buzzer on a GPIO line.

import Devices
import Glibc
import Sound
import Synchronization
import System

/// A buzzer with its own thread, so that it sounds even if all other threads are stuck.
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

    /// The pause between two attempts to request a line that was lost while the buzzer sounds.
    private static let retryMilliseconds = 1000

    private init(_ output: LineOutput, _ wakeUp: WakeUp) {
        (self.output, self.wakeUp) = (output, wakeUp)
    }

    /// Starts a silent buzzer. Its line is requested now if possible, so that no other program takes it.
    package static func start(_ output: LineOutput) throws(LineFailure) -> LinuxBuzzer {
        do throws(SystemCallError) {
            let buzzer = LinuxBuzzer(output, try WakeUp())
            try startThread(named: "buzzer") { buzzer.run() }
            buzzer.state.withLock { state in
                // `check` reports the reason.
                do throws(LineFailure) { state.line = try GpioLine(output) } catch { state.line = nil }
            }
            return buzzer
        } catch {
            throw .system(output.name, doing: "start a thread for it", errorNumber: error.errorNumber)
        }
    }

    /// Throws if the line of a silent buzzer cannot be set. The buzzer stays silent.
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
                // Without its chip the buzzer is silent.
                guard pulses == nil, error.isAbsence else { throw error }
            }
            (state.pulses, state.startUptime) = (pulses, Uptime.milliseconds)
        }
    }

    /// Silences the buzzer and releases its line for good. Its thread ends.
    package func end() {
        state.withLock { state in
            if state.line != nil {
                // If the line cannot be set, its chip was removed.
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

    /// Sets the line for this moment of the pattern. Returns the milliseconds until its next change; nil if
    /// no change is due.
    private func pulse(_ state: inout State) -> Int? {
        let now = Uptime.milliseconds
        guard let pulses = state.pulses else { return nil }
        let phase = pulses.phase(after: now - state.startUptime)
        guard state.line != nil || state.retryUptime <= now else { return phase.leftMilliseconds }
        do throws(LineFailure) {
            try set(phase.isOn, &state)
        } catch {
            // The buzzer gives no feedback, so setting it is retried while it should sound.
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
    /// True if there is no line that could be driven.
    fileprivate var isAbsence: Bool {
        switch self {
        case .noChip, .missingChip, .missing, .gone: true
        case .ambiguous, .busy, .noAccess, .system: false
        }
    }
}
