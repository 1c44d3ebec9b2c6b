// Starts, hears and ends the helper process that reads the camera.

import Devices
import EventLoop
import Glibc
import System

/// Carries out on the loop what `HelperSupervisor` decides. Nothing here blocks.
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
    /// While there is a program, somebody has to see it end, whoever has let go of the camera.
    private var itself: CameraHelperDriver?
    /// Told with each start, so that what is heard of an earlier one is known as such.
    private var startCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ settings: CameraSettings, _ stream: ReportStream<CameraReport>, _ loop: EventLoop) {
        (self.settings, self.stream, self.loop) = (settings, stream, loop)
        supervisor = HelperSupervisor(settings.timeouts)
    }

    // MARK: What happens

    /// Turns the camera off for good: the stream ends when the program has ended.
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
            // Without a timer a program could not be ended in time. The next order tries again.
            return stream.emit(.failed(.reader(reason: "could not be started: \(error)")))
        }
        subscribeToCameras()
        perform(supervisor.order(order, at: Uptime.milliseconds))
    }

    private func tick() { perform(supervisor.tick(at: Uptime.milliseconds)) }

    private func receive(_ start: Int) {
        guard start == startCount else { return }
        for _ in 0..<HelperSocket.turnMax { guard receiveNext() else { return } }
    }

    /// False when there is nothing more to hear.
    private func receiveNext() -> Bool {
        switch socket?.receive() {
        case .packet(let packet)?:
            perform(supervisor.receive(packet, at: Uptime.milliseconds))
            return true
        case .closed?:
            // Why is known when the process has been waited for: it says nothing more until then.
            socket?.ignore()
            return false
        case .nothing?, nil: return false
        }
    }

    private func processEnded(_ start: Int, _ words: String) {
        guard start == startCount else { return }
        // What it has said before its end comes first.
        for _ in 0..<HelperProtocolCheck.floodCount { guard receiveNext() else { break } }
        process = nil
        perform(supervisor.processEnded(words, at: Uptime.milliseconds))
    }

    private func camerasChanged() {
        monitor?.drain()
        if supervisor.isOff { return stream.emit(.camerasChanged) }
        perform(supervisor.camerasChanged(at: Uptime.milliseconds))
    }

    // MARK: What is done

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
                [weak self] words in self?.assumeIsolated { $0.processEnded(count, words) }
            }
            self.socket = socket
            try socket.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.receive(count) } }
        } catch {
            socket = nil
            // Where a process was started, its end is heard.
            guard process == nil else { return }
            perform(supervisor.processEnded("could not be started: \(error)", at: Uptime.milliseconds))
        }
    }

    /// Whether there is a node that may be a camera's. Where nobody can tell, there may be.
    private var haveNodes: Bool {
        do throws(FolderError) {
            return try Folder.names(in: settings.nodes).contains { $0.hasPrefix("video") }
        } catch {
            return true
        }
    }

    /// Where the system does not tell of any, a new try is made every few seconds.
    private func subscribeToCameras() {
        guard monitor == nil else { return }
        monitor = UdevMonitor(of: "video4linux")
        monitor?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.camerasChanged() } }
    }

    private func finishIfOver() {
        if isOver, supervisor.isOff { stream.finish() }
    }
}
