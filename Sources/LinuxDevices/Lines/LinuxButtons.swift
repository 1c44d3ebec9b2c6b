// Buttons on GPIO lines.

import Alarms
import Devices
import EventLoop

/// Buttons that are contacts between a GPIO line and ground, or as they are wired.
package final class LinuxButtons: Buttons {
    /// What happens to them, for one listener: whoever listens late gets the newest of what was told.
    package let reports: AsyncStream<ButtonReport>
    private let reporting: AsyncStream<ButtonReport>.Continuation
    private let work: LineWork
    private let loop: EventLoop

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 256

    private init(_ inputs: [Button: LineInput], on loop: EventLoop) {
        let (reports, reporting) = AsyncStream.makeStream(
            of: ButtonReport.self, bufferingPolicy: .bufferingNewest(LinuxButtons.reportsMax))
        let roles = Button.allCases.filter { inputs[$0] != nil }
        (self.reports, self.reporting, self.loop) = (reports, reporting, loop)
        work = LineWork(roles.compactMap { inputs[$0] }, on: loop) { event in
            reporting.yield(ButtonReport(event, roles))
        }
    }

    package static func start(_ inputs: [Button: LineInput], on loop: EventLoop) -> LinuxButtons {
        let buttons = LinuxButtons(inputs, on: loop)
        Task(executorPreference: loop) { [work = buttons.work] in await work.start() }
        return buttons
    }

    deinit {
        end()
    }

    package func end() {
        Task(executorPreference: loop) { [work, reporting] in
            await work.stop()
            reporting.finish()
        }
    }
}

extension ButtonReport {
    fileprivate init(_ event: ContactEvent, _ roles: [Button]) {
        switch event {
        case .found(let index, let isDown): self = .found(roles[index], isDown: isDown)
        case .moved(let index, let isDown, let uptime): self = .moved(roles[index], isDown: isDown, uptime: uptime)
        case .failed(let index, let failure): self = .failed(roles[index], failure)
        case .warning(let index, let words): self = .warning(roles[index], words)
        }
    }
}
