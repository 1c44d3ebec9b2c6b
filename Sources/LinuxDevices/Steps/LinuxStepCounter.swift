// A step counter that the kernel has a driver for, such as the one in a motion sensor.

import Devices
import Loop

/// Counts steps while it is asked to; it is switched off otherwise.
public final class LinuxStepCounter: StepSensor {
    /// What it counts, for one listener: whoever listens late gets the newest of what was told.
    public let reports: AsyncStream<StepReport>
    private let work: StepCounterWork
    private let loop: EventLoop

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 256

    /// The counter of that name, or the first that there is; it is off, and told of on that loop.
    public convenience init(name: String?, on loop: EventLoop) {
        self.init(StepCounters(wanted: name), on: loop)
    }

    init(_ counters: StepCounters, on loop: EventLoop) {
        let (reports, reporting) = AsyncStream.makeStream(
            of: StepReport.self, bufferingPolicy: .bufferingNewest(LinuxStepCounter.reportsMax))
        (self.reports, self.loop) = (reports, loop)
        work = StepCounterWork(counters, on: loop, reporting)
    }

    deinit {
        end()
    }

    /// Whether it tells steps from now on.
    public func order(isOn: Bool) {
        Task(executorPreference: loop) { [work] in await work.order(isOn: isOn) }
    }

    /// Switches it off for good; the reports end when it is.
    public func end() {
        Task(executorPreference: loop) { [work] in await work.end() }
    }
}
