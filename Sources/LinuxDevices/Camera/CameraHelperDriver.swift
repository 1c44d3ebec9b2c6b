// The driver of the helper process that reads the camera.

import Devices
import EventLoop
import Glibc
import System

/// Carries out the actions that `HelperSupervisor` decides, on the loop. No method blocks.
actor CameraHelperDriver {
    private let settings: CameraSettings
    private let stream: ReportStream<CameraReport>
    private let loop: EventLoop
    private var supervisor: HelperSupervisor
    private var timer: LoopTimer?
    private var process: HelperProcess?
    private var socket: HelperSocket?
    private var monitor: UdevMonitor?
    private var isOver = false
    /// A reference to itself while the helper runs, so that even a released camera handles its helper's end.
    private var itself: CameraHelperDriver?
    /// The number of the current start. Callbacks of an earlier helper have another number and are dropped.
    private var startCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ settings: CameraSettings, _ stream: ReportStream<CameraReport>, _ loop: EventLoop) {
        (self.settings, self.stream, self.loop) = (settings, stream, loop)
        supervisor = HelperSupervisor(settings.timeouts)
    }

    // MARK: Events

    /// Turns the camera off for good. The stream of reports ends when the helper has exited.
    func end() {
        order(.off)
        isOver = true
        finishIfOver()
    }

    func order(_ order: CameraOrder) {
        guard !isOver else { return }
        do throws(SystemCallError) {
            if timer == nil {
                timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.tick() } }
            }
        } catch {
            // Without a timer a silent helper could not be killed in time. The next order tries again.
            return stream.emit(.failed(.reader(reason: "does not start (\(error))")))
        }
        subscribeToCameras()
        perform(supervisor.order(order, at: Uptime.milliseconds))
    }

    private func tick() { perform(supervisor.tick(at: Uptime.milliseconds)) }

    private func receive(_ start: Int) {
        guard start == startCount else { return }
        for _ in 0..<HelperSocket.turnMax { guard receiveNext() else { return } }
    }

    /// Handles one packet. Returns false if none is waiting.
    private func receiveNext() -> Bool {
        switch socket?.receive() {
        case .packet(let packet)?:
            perform(supervisor.receive(packet, at: Uptime.milliseconds))
            return true
        case .closed?:
            // The reason follows in `processEnded`. Until then the closed socket would wake the loop at each
            // turn.
            socket?.ignore()
            return false
        case .nothing?, nil: return false
        }
    }

    private func processEnded(_ start: Int, _ reason: String) {
        guard start == startCount else { return }
        // Packets that were sent before the end are handled first, up to the limit of a flood.
        for _ in 0..<HelperProtocolCheck.floodCount { guard receiveNext() else { break } }
        process = nil
        perform(supervisor.processEnded(reason, at: Uptime.milliseconds))
    }

    private func camerasChanged() {
        monitor?.drain()
        if supervisor.isOff { return stream.emit(.camerasChanged) }
        perform(supervisor.camerasChanged(at: Uptime.milliseconds))
    }

    // MARK: Actions

    private func perform(_ actions: [HelperSupervisor.HelperAction]) {
        for action in actions {
            switch action {
            case .start: start()
            case .send(let message): socket?.send(message)
            case .hangUp: socket = nil
            case .kill: process?.kill()
            case .report(let report): stream.emit(report)
            }
        }
        timer?.set(uptimeMilliseconds: supervisor.deadline)
        itself = supervisor.isOff ? nil : self
        finishIfOver()
    }

    private func start() {
        startCount += 1
        let count = startCount
        guard haveNodes else { return perform(supervisor.cameraMissing(at: Uptime.milliseconds)) }
        do throws(SystemCallError) {
            let (socket, other) = try HelperSocket.make()
            process = HelperProcess.start(settings.program, settings.arguments, socket: other, on: loop) {
                [weak self] reason in self?.assumeIsolated { $0.processEnded(count, reason) }
            }
            self.socket = socket
            try socket.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.receive(count) } }
        } catch {
            socket = nil
            // If the process was started, `processEnded` reports its end.
            guard process == nil else { return }
            perform(supervisor.processEnded("does not start (\(error))", at: Uptime.milliseconds))
        }
    }

    /// True if a node that may be a camera exists, or if the folder cannot be read.
    private var haveNodes: Bool {
        do throws(FileError) {
            return try Folder.names(in: settings.nodes).contains { $0.hasPrefix("video") }
        } catch {
            return true
        }
    }

    /// Subscribes to udev. If udev cannot be reached, only the backoff brings new attempts.
    private func subscribeToCameras() {
        guard monitor == nil else { return }
        monitor = UdevMonitor(of: "video4linux")
        monitor?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.camerasChanged() } }
    }

    private func finishIfOver() {
        if isOver, supervisor.isOff { stream.finish() }
    }
}
