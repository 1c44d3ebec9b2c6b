// A mat, a beam or a motion detector on a GPIO line.

import Devices
import Loop

/// Feels steps while it is asked to; nobody else may use its line meanwhile.
public final class LinuxStepSensor: StepSensor {
    /// What it feels, for one listener: whoever listens late gets the newest of what was told.
    public let reports: AsyncStream<StepReport>
    private let reporting: AsyncStream<StepReport>.Continuation
    private let work: LineWork
    private let loop: EventLoop

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 256

    /// A sensor that is off, on that loop.
    public init(_ input: LineInput, on loop: EventLoop) {
        let (reports, reporting) = AsyncStream.makeStream(
            of: StepReport.self, bufferingPolicy: .bufferingNewest(LinuxStepSensor.reportsMax))
        (self.reports, self.reporting, self.loop) = (reports, reporting, loop)
        work = LineWork([input], on: loop) { event in
            switch event {
            case .found(_, let isDown): reporting.yield(.ready(isActive: isDown))
            case .moved(_, isDown: true, let uptime): reporting.yield(.step(uptime: uptime))
            // The foot was lifted.
            case .moved(_, isDown: false, _): break
            case .failed(_, let failure): reporting.yield(.failed(.line(failure)))
            case .warning(_, let words): reporting.yield(.warning(words))
            }
        }
    }

    deinit {
        end()
    }

    /// Whether it tells steps from now on.
    public func order(isOn: Bool) {
        Task(executorPreference: loop) { [work] in await isOn ? work.start() : work.stop() }
    }

    /// Lets go of its line for good.
    public func end() {
        Task(executorPreference: loop) { [work, reporting] in
            await work.stop()
            reporting.finish()
        }
    }
}
