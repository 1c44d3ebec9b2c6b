// Lamps on GPIO lines.

import Devices
import EventLoop
import Sound
import System

/// Sets the lines of lamps. A lamp that does not blink needs no timer.
struct LampDriver: DeviceDriver {
    enum LampOrder: Sendable {
        case show(LampLight, LampRole)
        case flash(PulsePattern, LampRole)
    }

    private struct Lamp {
        let output: LineOutput
        var state = LampState()
        var line: GpioLine?
        var isOn = false
    }

    static let subsystem = "gpio"
    private var lamps: [LampRole: Lamp]

    init(_ outputs: [LampRole: LineOutput]) { lamps = outputs.mapValues { Lamp(output: $0) } }

    static func report(_ failure: LineFailure, of role: LampRole) -> LampReport { .failed(role, failure) }

    func failures(of error: SystemCallError) -> [LampRole: LineFailure] {
        lamps.mapValues { .system($0.output.name, doing: "start a timer for it", errorNumber: error.errorNumber) }
    }

    mutating func open(_ port: inout Port) {
        for (role, lamp) in lamps where lamp.line == nil {
            do throws(LineFailure) {
                lamps[role]?.line = try GpioLine(lamp.output)
                lamps[role]?.isOn = false
                port.succeed(role)
                port.emit(.ready(role))
            } catch {
                port.fail(role, error)
            }
        }
    }

    /// Sets each lamp again, which fails if its chip was removed.
    mutating func test(_ port: inout Port) {
        for (role, lamp) in lamps where lamp.line != nil { set(role, lamp.isOn, &port) }
    }

    mutating func handle(_ order: LampOrder, _ port: inout Port) {
        switch order {
        case .show(let light, let role): lamps[role]?.state.show(light, uptime: Uptime.milliseconds)
        case .flash(let pulses, let role): lamps[role]?.state.flash(pulses, uptime: Uptime.milliseconds)
        }
    }

    mutating func update(_ port: inout Port) -> Int? {
        var deadlines: [Int] = []
        for (role, lamp) in lamps {
            let (isOn, until) = lamp.state.output(at: Uptime.milliseconds)
            if let until { deadlines.append(until) }
            if lamp.line != nil, isOn != lamp.isOn { set(role, isOn, &port) }
        }
        return deadlines.min()
    }

    mutating func close(then callback: @escaping @Sendable () -> Void) {
        for role in lamps.keys {
            // If the line cannot be set, its chip was removed.
            do throws(LineFailure) { try lamps[role]?.line?.set(false) } catch { lamps[role]?.line = nil }
            lamps[role]?.line = nil
        }
        callback()
    }

    private mutating func set(_ role: LampRole, _ isOn: Bool, _ port: inout Port) {
        do throws(LineFailure) {
            try lamps[role]?.line?.set(isOn)
            lamps[role]?.isOn = isOn
        } catch {
            lamps[role]?.line = nil
            port.lose(role, error)
        }
    }
}

/// Lamps that are on while their lines are active.
package final class LinuxLamps: Lamps {
    package var reports: AsyncStream<LampReport> { stream.reports }
    private let stream = ReportStream<LampReport>()
    private let driver: HotplugDriver<LampDriver>
    private let loop: EventLoop

    package init(_ outputs: [LampRole: LineOutput], on loop: EventLoop) {
        driver = HotplugDriver(LampDriver(outputs), on: loop, emit: stream.emit)
        self.loop = loop
        enqueue { $0.order(isOn: true) }
    }

    deinit { end() }

    package func show(_ light: LampLight, on lamp: LampRole) { enqueue { $0.post(.show(light, lamp)) } }

    package func flash(_ pulses: PulsePattern, on lamp: LampRole) { enqueue { $0.post(.flash(pulses, lamp)) } }

    package func end() { enqueue { [stream] in $0.close { stream.finish() } } }

    private func enqueue(_ act: @escaping @Sendable (isolated HotplugDriver<LampDriver>) -> Void) {
        Task(executorPreference: loop) { [driver] in await act(driver) }
    }
}
