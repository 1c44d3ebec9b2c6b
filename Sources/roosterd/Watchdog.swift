// Sends heartbeats to systemd while Rooster is alive.

import EventLoop
import Glibc
import Service
import System

/// Feeds systemd's watchdog while loop, engine and speaker respond. After a hang systemd restarts the
/// service, which then rings again.
actor Watchdog {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private let log: Log
    private let heartbeat: @Sendable () -> Void
    private let intervalMilliseconds: Int
    private var timer: LoopTimer?

    /// The interval of heartbeats, half of systemd's limit. Nil if systemd expects none from this process.
    static var intervalMilliseconds: Int? {
        func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
        guard let microseconds = number("WATCHDOG_USEC"), microseconds > 0,
            getenv("WATCHDOG_PID") == nil || number("WATCHDOG_PID") == Int(getpid())
        else { return nil }
        return max(1, microseconds / 2000)
    }

    init(
        _ service: Service, everyMilliseconds intervalMilliseconds: Int, on loop: EventLoop, log: @escaping Log,
        feeding heartbeat: @escaping @Sendable () -> Void
    ) {
        (self.service, self.loop, self.log, self.heartbeat) = (service, loop, log, heartbeat)
        self.intervalMilliseconds = intervalMilliseconds
    }

    func start() throws(SystemCallError) {
        timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.check() } }
        check()
    }

    /// Sends a heartbeat if the speaker is alive. The loop and the engine are, since this runs on the loop.
    private func check() {
        if service.bedside.speaker.isAlive() {
            heartbeat()
        } else {
            log(LogLine(.error, "The speaker does not respond. If that continues, systemd restarts roosterd."))
        }
        timer?.set(uptimeMilliseconds: EventLoop.uptimeMilliseconds + intervalMilliseconds)
    }
}
