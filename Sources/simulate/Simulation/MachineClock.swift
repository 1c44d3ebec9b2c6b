// A simulated machine's wall clock and monotonic clock, and its camera.

import CivilTime
import Devices
import Engine

/// The machine's clocks by the night's time. All times are milliseconds since 1970.
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

    /// The power goes, and there is nothing that keeps the clock going.
    mutating func stop(at now: Int) { standsSince = standsSince ?? now }

    /// The power is back. The service takes its time to start.
    mutating func boot(at now: Int, _ chance: inout SeededGenerator) {
        bootedAt = now - MachineClock.bootMilliseconds
        guard let since = standsSince else { return }
        // The clock has stood still, or shows what somebody wrote down a while before, until it is told the time.
        errorMilliseconds -= now - since + chance.pick([0, 0, 60_000, 3_600_000])
        (isTrusted, standsSince) = (false, nil)
    }
}

/// A camera: it gives frames while it is on and plugged in. They have a code only when somebody shows one.
struct NightCamera {
    private(set) var view = NightEvent.View.room
    private var isOn = false
    /// When it gives its next frame. A real camera gives ten a second; more frames would not test more.
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

    /// The report when the sleeper shows a code; nil if the camera gives no frame.
    mutating func report(of code: String, at now: Int, uptime: Int) -> CameraReport? {
        switch view {
        case .room: .frame(CameraFrame(takenUptime: uptime, codes: [ReadCode(.qr, payload: Array(code.utf8))]))
        case .sock: report(at: now, uptime: uptime)
        case .nothing: nil
        }
    }
}
