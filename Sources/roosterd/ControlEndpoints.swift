// The control socket and the watchdog of the service.

import ControlServer
import EventLoop
import Service
import System

/// Opens the control socket and starts the watchdog. If either fails, alarms still ring.
actor ControlEndpoints {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private let path: String
    private let group: String?
    private let simulation: (any SimulationControl)?
    private let supervisor: Supervisor
    private let log: Log
    private var socket: ControlSocket?
    /// The logged reason why there is no socket.
    private var problem: String?
    /// The retry timer, while there is no socket.
    private var retry: LoopTimer?
    private var watchdog: Watchdog?

    private static let retryMilliseconds = 3000

    init(
        to service: Service, at path: String, group: String?, _ simulation: (any SimulationControl)?,
        on loop: EventLoop,
        telling supervisor: Supervisor, _ log: @escaping Log
    ) {
        (self.service, self.path, self.group, self.simulation) = (service, path, group, simulation)
        (self.loop, self.supervisor, self.log) = (loop, supervisor, log)
    }

    func open() async {
        openSocket()
        guard let interval = Watchdog.intervalMilliseconds else { return }
        do throws(SystemCallError) {
            let watchdog = Watchdog(
                service, everyMilliseconds: interval, on: loop, log: log, feeding: supervisor.feedWatchdog)
            try await watchdog.start()
            self.watchdog = watchdog
        } catch {
            log(LogLine(.error, "systemd gets no heartbeats, and may restart roosterd (\(error))"))
        }
    }

    /// Opens the socket, and retries until that succeeds. Without it no client can answer a sum.
    private func openSocket() {
        do {
            let socket = try ControlSocket(
                at: path, group: group, to: service, on: loop, simulation: simulation, log: log)
            try socket.assumeIsolated { try $0.open() }
            self.socket = socket
            if problem != nil {
                log(LogLine(.info, "Alarms can be changed: the socket \(path) is open"))
                supervisor.notify(["STATUS": statusText])
            }
            (problem, retry) = (nil, nil)
        } catch {
            let text = "\(error)"
            if problem != text { log(LogLine(.error, "Alarms cannot be changed (\(text)). roosterd tries again.")) }
            problem = text
            scheduleRetry()
        }
    }

    /// The status line for systemd and the log.
    var statusText: String {
        socket == nil
            ? "Ready to ring, but alarms cannot be changed until the socket \(path) is open"
            : "Ready: 'rooster --socket \(path) status' shows the state"
    }

    private func scheduleRetry() {
        do throws(SystemCallError) {
            let timer = if let retry { retry } else { try retryTimer() }
            timer.set(uptimeMilliseconds: EventLoop.uptimeMilliseconds + ControlEndpoints.retryMilliseconds)
            retry = timer
        } catch {
            log(LogLine(.error, "Alarms cannot be changed until roosterd is restarted (\(error))"))
        }
    }

    private func retryTimer() throws(SystemCallError) -> LoopTimer {
        try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.openSocket() } }
    }

    func close() async {
        retry = nil
        await socket?.close()
        watchdog = nil
    }
}
