// A simulated machine's wall clock and monotonic clock, and its camera.

import Challenges
import CivilTime
import Devices
import Engine

/// The clocks of a machine, derived from the night's time. All times are milliseconds since 1970.
struct MachineClock {
    private(set) var bootedAt: Int
    var errorMilliseconds = 0
    var isTrusted = true
    private var standsSince: Int?

    private static let bootMilliseconds = 3000

    init(bootedAt: Int) {
        self.bootedAt = bootedAt
    }

    func moment(at now: Int) -> Moment {
        Moment(wallMilliseconds: now + errorMilliseconds, uptimeMilliseconds: now - bootedAt)
    }

    /// Stops the wall clock in a power cut: the machine has no hardware clock.
    mutating func stop(at now: Int) { standsSince = standsSince ?? now }

    /// Restarts the machine. It boots for three seconds before the service starts.
    mutating func boot(at now: Int, _ chance: inout SeededGenerator) {
        bootedAt = now - MachineClock.bootMilliseconds
        guard let since = standsSince else { return }
        // Until the network sets it, the clock continues from the power cut or from an older saved time.
        errorMilliseconds -= now - since + chance.pick([0, 0, 60_000, 3_600_000])
        (isTrusted, standsSince) = (false, nil)
    }
}

/// A camera that delivers frames while it is on and plugged in, with a code if the sleeper shows one.
struct NightCamera {
    private(set) var view = NightEvent.View.room
    private var isOn = false
    /// The time of the next frame. A real camera delivers ten frames a second, but more would not test more.
    private(set) var nextFrameAt: Int?

    private static let frameMilliseconds = 20_000
    private static let startMilliseconds = 700

    mutating func change(isOn: Bool? = nil, view: NightEvent.View? = nil, at now: Int) {
        (self.isOn, self.view) = (isOn ?? self.isOn, view ?? self.view)
        nextFrameAt = self.isOn && self.view != .nothing ? now + NightCamera.startMilliseconds : nil
    }

    mutating func report(at now: Int, uptime: Int) -> CameraReport {
        nextFrameAt = now + NightCamera.frameMilliseconds
        return .frame(CameraFrame(takenUptime: uptime, isDark: view == .sock))
    }

    /// Returns the report if the sleeper shows a code (empty: takes it away), or nil if the camera delivers no
    /// frame.
    mutating func report(of code: String, at now: Int, uptime: Int) -> CameraReport? {
        switch view {
        case .room:
            .frame(
                CameraFrame(
                    takenUptime: uptime, codes: code.isEmpty ? [] : [ReadCode(.qr, payload: Array(code.utf8))]))
        case .sock: report(at: now, uptime: uptime)
        case .nothing: nil
        }
    }
}
