// The ways in, and what systemd hears: opened when whatever was ringing rings again.

import Control
import LinuxDevices
import Service

/// The doors of a service. One that cannot be opened costs nobody a ring.
actor Doors {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let service: Service
    private let log: Log
    private var socket: ControlSocket?
    private var watchdog: Watchdog?

    init(_ loop: EventLoop, _ service: Service, _ log: @escaping Log) {
        (self.loop, self.service, self.log) = (loop, service, log)
    }

    func open(at path: String, group: String, _ simulation: (any Simulation)?) async {
        do {
            let socket = try ControlSocket(
                at: path, group: group, to: service, on: loop, simulation: simulation, log: log)
            try await socket.open()
            self.socket = socket
        } catch {
            log(LogLine(.error, "Nobody can change alarms: \(error)"))
        }
        do throws(LoopError) {
            watchdog = Watchdog(service, on: loop, log: log)
            try await watchdog?.start()
        } catch {
            log(LogLine(.error, "The system's watchdog is not fed: \(error)"))
        }
    }

    func close() async {
        await socket?.close()
        watchdog = nil
    }
}
