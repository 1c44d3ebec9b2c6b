// A bed shaker on a GPIO line.

import Devices
import EventLoop
import System

/// Sets the line of the shaker. The kernel releases the line when the process ends.
struct ShakerDriver: DeviceDriver {
    static let subsystem = "gpio"
    private let output: LineOutput
    private var line: GpioLine?
    private var isOn = false
    private var shaking: Shaking?

    init(_ output: LineOutput) { self.output = output }

    static func report(_ failure: LineFailure, of id: AllDevices) -> ShakerReport { .failed(failure) }

    func failures(of error: SystemCallError) -> [AllDevices: LineFailure] {
        [AllDevices(): .system(output.name, doing: "start a timer for it", errorNumber: error.errorNumber)]
    }

    mutating func open(_ port: inout Port) {
        guard line == nil else { return }
        do throws(LineFailure) {
            line = try GpioLine(output)
            isOn = false
            port.succeed(AllDevices())
            port.emit(.ready)
        } catch {
            port.fail(AllDevices(), error)
        }
    }

    /// Sets the line again, which fails if its chip was removed.
    mutating func test(_ port: inout Port) { if line != nil { set(isOn, &port) } }

    mutating func handle(_ order: Shaking?, _ port: inout Port) { shaking = order }

    mutating func update(_ port: inout Port) -> Int? {
        let output = shaking?.output(at: Uptime.milliseconds)
        let wanted = output?.isOn ?? false
        if line != nil, wanted != isOn { set(wanted, &port) }
        return output?.untilUptime
    }

    mutating func close(then callback: @escaping @Sendable () -> Void) {
        // If the line cannot be set, its chip was removed.
        do throws(LineFailure) { try line?.set(false) } catch { line = nil }
        line = nil
        callback()
    }

    private mutating func set(_ isOn: Bool, _ port: inout Port) {
        do throws(LineFailure) {
            try line?.set(isOn)
            self.isOn = isOn
        } catch {
            line = nil
            port.lose(AllDevices(), error)
        }
    }
}

/// A shaker that pulses while its line is active.
package final class LinuxShaker: Shaker {
    package var reports: AsyncStream<ShakerReport> { stream.reports }
    private let stream = ReportStream<ShakerReport>()
    private let driver: HotplugDriver<ShakerDriver>
    private let loop: EventLoop

    package init(_ output: LineOutput, on loop: EventLoop) {
        driver = HotplugDriver(ShakerDriver(output), on: loop, emit: stream.emit)
        self.loop = loop
        enqueue { $0.order(isOn: true) }
    }

    deinit { end() }

    package func shake(_ shaking: Shaking?) { enqueue { $0.post(shaking) } }

    package func end() { enqueue { [stream] in $0.close { stream.finish() } } }

    private func enqueue(_ act: @escaping @Sendable (isolated HotplugDriver<ShakerDriver>) -> Void) {
        Task(executorPreference: loop) { [driver] in await act(driver) }
    }
}
