// An input device on a loop: buttons, a keypad or a step sensor.

import Devices
import EventLoop

/// A hotplug driver with its stream of reports. Orders are carried out one after the other on the loop.
package final class LoopDriver<Report: Sendable>: SwitchedInput {
    package var reports: AsyncStream<Report> { stream.reports }
    private let stream = ReportStream<Report>()
    private let loop: EventLoop
    private let setOn: @Sendable (Bool) async -> Void
    private let close: @Sendable (@escaping @Sendable () -> Void) async -> Void

    /// A driver that is off. `translate` converts the driver's reports; it returns nil for a report to drop.
    init<Driver: DeviceDriver>(
        _ driver: sending Driver, on loop: EventLoop, _ translate: @escaping @Sendable (Driver.Report) -> Report?
    ) {
        let driver = HotplugDriver(driver, on: loop) { [stream] in if let report = translate($0) { stream.emit(report) }
        }
        self.loop = loop
        setOn = { await driver.order(isOn: $0) }
        close = { await driver.close(then: $0) }
    }

    deinit { end() }

    package func order(isOn: Bool) {
        Task(executorPreference: loop) { [setOn] in await setOn(isOn) }
    }

    package func end() {
        Task(executorPreference: loop) { [close, stream] in await close { stream.finish() } }
    }
}
