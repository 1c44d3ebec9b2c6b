// Lamps on GPIO lines.

import Devices
import EventLoop
import Sound

/// Lamps that are on while their line is high, or as they are wired.
package final class LinuxLamps: Lamps {
    /// What becomes of them, for one listener: whoever listens late gets the newest of what was told.
    package let reports: AsyncStream<LampReport>
    private let work: LampWork
    private let loop: EventLoop

    /// Whoever does not listen loses the oldest.
    private static let reportsMax = 64

    private init(_ outputs: [LampRole: LineOutput], on loop: EventLoop) {
        let (reports, reporting) = AsyncStream.makeStream(
            of: LampReport.self, bufferingPolicy: .bufferingNewest(LinuxLamps.reportsMax))
        (self.reports, self.loop) = (reports, loop)
        work = LampWork(outputs, on: loop, reporting)
    }

    package static func start(_ outputs: [LampRole: LineOutput], on loop: EventLoop) -> LinuxLamps {
        let lamps = LinuxLamps(outputs, on: loop)
        lamps.enqueue { $0.start() }
        return lamps
    }

    deinit {
        end()
    }

    package func show(_ light: LampLight, on lamp: LampRole) { enqueue { $0.show(light, on: lamp) } }

    package func flash(_ pulses: PulsePattern, on lamp: LampRole) { enqueue { $0.flash(pulses, on: lamp) } }

    package func end() { enqueue { $0.end() } }

    private func enqueue(_ act: @escaping @Sendable (isolated LampWork) -> Void) {
        Task(executorPreference: loop) { [work] in await act(work) }
    }
}
