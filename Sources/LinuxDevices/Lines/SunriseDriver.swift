// The lamp of the sunrise, dimmed by time.

import Devices
import EventLoop
import System

/// Sets the lamp whenever its value changes, at most ten times a second. A constant light needs no timer.
struct SunriseDriver: DeviceDriver {
    static let subsystem = "leds"
    private let output: SunriseOutput
    private let root: String
    private var lamp: DimmableLamp?
    private var value = 0
    private var light: SunriseLight?
    /// The time of the attempt that follows an export.
    private var exportedUptime: Int?

    /// The time in which udev gives access to the files of an exported channel.
    private static let udevMilliseconds = 500

    init(_ output: SunriseOutput, root: String) { (self.output, self.root) = (output, root) }

    static func report(_ failure: SunriseFailure, of id: AllDevices) -> SunriseReport { .failed(failure) }

    func failures(of error: SystemCallError) -> [AllDevices: SunriseFailure] {
        [AllDevices(): .system(path: "\(output)", doing: "start a timer for", errorNumber: error.errorNumber)]
    }

    mutating func open(_ port: inout Port) {
        guard lamp == nil, exportedUptime == nil else { return }
        do throws(SunriseFailure) {
            switch try DimmableLamp.open(output, root: root) {
            case .exported: exportedUptime = Uptime.milliseconds + SunriseDriver.udevMilliseconds
            case .opened(let opened):
                (lamp, value) = (opened, 0)
                port.succeed(AllDevices())
                port.emit(.ready)
            }
        } catch {
            port.fail(AllDevices(), error)
        }
    }

    /// Sets the lamp again, which fails if it was removed.
    mutating func test(_ port: inout Port) { if lamp != nil { set(value, &port) } }

    mutating func handle(_ order: SunriseLight?, _ port: inout Port) {
        light = order
        test(&port)
    }

    mutating func update(_ port: inout Port) -> Int? {
        let now = Uptime.milliseconds
        if let exported = exportedUptime, exported <= now {
            exportedUptime = nil
            open(&port)
            if lamp == nil, exportedUptime == nil { port.retrySoon() }
        }
        guard let lamp else { return exportedUptime }
        let output = light?.output(at: now, max: lamp.max)
        if output?.value ?? 0 != value { set(output?.value ?? 0, &port) }
        return output?.untilUptime
    }

    mutating func close(then callback: @escaping @Sendable () -> Void) {
        // A lamp that cannot be set was removed.
        do throws(SunriseFailure) { try lamp?.set(0) } catch { lamp = nil }
        (lamp, exportedUptime) = (nil, nil)
        callback()
    }

    private mutating func set(_ value: Int, _ port: inout Port) {
        do throws(SunriseFailure) {
            try lamp?.set(value)
            self.value = value
        } catch {
            lamp = nil
            port.lose(AllDevices(), error)
        }
    }
}

/// The lamp of the sunrise on a PWM channel or of the LED class.
package final class LinuxSunriseLamp: SunriseLamp {
    package var reports: AsyncStream<SunriseReport> { stream.reports }
    private let stream = ReportStream<SunriseReport>()
    private let driver: HotplugDriver<SunriseDriver>
    private let loop: EventLoop

    /// `root` is the folder of `/sys`.
    package init(_ output: SunriseOutput, root: String = "", on loop: EventLoop) {
        driver = HotplugDriver(SunriseDriver(output, root: root), on: loop, emit: stream.emit)
        self.loop = loop
        enqueue { $0.order(isOn: true) }
    }

    deinit { end() }

    package func show(_ light: SunriseLight?) { enqueue { $0.post(light) } }

    package func end() { enqueue { [stream] in $0.close { stream.finish() } } }

    private func enqueue(_ act: @escaping @Sendable (isolated HotplugDriver<SunriseDriver>) -> Void) {
        Task(executorPreference: loop) { [driver] in await act(driver) }
    }
}
