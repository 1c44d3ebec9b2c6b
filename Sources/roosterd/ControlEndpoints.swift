// The sockets and the watchdog of the service.

import ControlServer
import EventLoop
import Service
import System

/// A socket of the service: its place, its clients, and the group that may connect.
struct ControlEndpoint: Sendable {
    let path: String
    let group: String
    let audience: Audience
    fileprivate var socket: ControlSocket?
    /// The logged reason why there is no socket.
    fileprivate var problem: String?

    init(at path: String, group: String, for audience: Audience) {
        (self.path, self.group, self.audience) = (path, group, audience)
    }

    /// The consequence while the socket is closed, and the good news once it is open.
    fileprivate var texts: (closed: String, open: String) {
        switch audience {
        case .programs: ("Alarms cannot be changed", "Alarms can be changed")
        case .clients: ("No client can use HTTP", "Clients can use HTTP")
        }
    }
}

/// Opens the sockets and starts the watchdog. If any of them fails, alarms still ring.
actor ControlEndpoints {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    /// The control socket, and the socket for the clients over HTTP.
    private var endpoints: [ControlEndpoint]
    private let simulation: (any SimulationControl)?
    private let supervisor: Supervisor
    private let log: Log
    /// The retry timer, while a socket is missing.
    private var retry: LoopTimer?
    private var watchdog: Watchdog?

    private static let retryMilliseconds = 3000

    init(
        to service: Service, _ endpoints: [ControlEndpoint], _ simulation: (any SimulationControl)?, on loop: EventLoop,
        telling supervisor: Supervisor, _ log: @escaping Log
    ) {
        (self.service, self.endpoints, self.simulation) = (service, endpoints, simulation)
        (self.loop, self.supervisor, self.log) = (loop, supervisor, log)
    }

    func open() async {
        openSockets()
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

    /// Opens the sockets, and retries until that succeeds. Without them no client can answer a sum.
    private func openSockets() {
        for index in endpoints.indices where endpoints[index].socket == nil { openSocket(index) }
        if endpoints.contains(where: { $0.socket == nil }) {
            scheduleRetry()
        } else {
            retry = nil
        }
    }

    private func openSocket(_ index: Int) {
        let endpoint = endpoints[index]
        do {
            let socket = try ControlSocket(
                at: endpoint.path, group: endpoint.group, for: endpoint.audience, to: service, on: loop,
                simulation: simulation, log: log)
            try socket.assumeIsolated { try $0.open() }
            (endpoints[index].socket, endpoints[index].problem) = (socket, nil)
            guard endpoint.problem != nil else { return }
            log(LogLine(.info, "\(endpoint.texts.open): the socket \(endpoint.path) is open"))
            supervisor.notify(["STATUS": statusText])
        } catch {
            let text = "\(error)"
            if endpoint.problem != text {
                log(LogLine(.error, "\(endpoint.texts.closed) (\(text)). roosterd tries again."))
            }
            endpoints[index].problem = text
        }
    }

    /// The status line for systemd and the log.
    var statusText: String {
        guard let control = endpoints.first else { return "Ready to ring" }
        return control.socket == nil
            ? "Ready to ring, but alarms cannot be changed until the socket \(control.path) is open"
            : "Ready: 'rooster --socket \(control.path) status' shows the state"
    }

    private func scheduleRetry() {
        do throws(SystemCallError) {
            let timer = if let retry { retry } else { try retryTimer() }
            timer.set(uptimeMilliseconds: EventLoop.uptimeMilliseconds + ControlEndpoints.retryMilliseconds)
            retry = timer
        } catch {
            log(
                LogLine(
                    .error,
                    "Alarms cannot be changed, or no client can use HTTP, until roosterd is restarted (\(error))"))
        }
    }

    private func retryTimer() throws(SystemCallError) -> LoopTimer {
        try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.openSockets() } }
    }

    func close() async {
        retry = nil
        for endpoint in endpoints { await endpoint.socket?.close() }
        watchdog = nil
    }
}
