// Tells systemd that Rooster is alive, for as long as it is.

import CSystemd
import LinuxDevices
import Service

/// Feeds systemd's watchdog while the loop, the engine and the speaker move. A part that hangs gets the service restarted, and
/// a ring goes on after that.
actor Watchdog {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private let log: Log
    private let intervalMilliseconds: Int
    private var timer: LoopTimer?

    /// Nothing where nobody wants to be told.
    init?(_ service: Service, on loop: EventLoop, log: @escaping Log) {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        (self.service, self.loop, self.log) = (service, loop, log)
        // Twice as often as it must be.
        intervalMilliseconds = max(1, Int(microseconds / 2000))
    }

    func start() throws(LoopError) {
        timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.feed() } }
        feed()
    }

    /// That this runs shows that the loop does, and whoever is on it with this.
    private func feed() {
        if service.bedside.speaker.isAlive() {
            sd_notify(0, "WATCHDOG=1")
        } else {
            log(LogLine(.error, "The speaker does not move: if that goes on, the system starts roosterd anew"))
        }
        timer?.set(uptimeMilliseconds: EventLoop.uptimeMilliseconds + intervalMilliseconds)
    }
}
