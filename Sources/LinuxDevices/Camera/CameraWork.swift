// Does what is decided about the camera's program.

import EventLoop
import Glibc
import System

/// Lives on the loop, and does nothing there that waits.
actor CameraWork {
    private let settings: CameraSettings
    private let mailbox: CameraMailbox
    private let loop: EventLoop
    private var lifecycle: HelperSupervisor
    private var timer: LoopTimer?
    private var process: HelperProcess?
    private var line: HelperSocket?
    private var cameras: DeviceChanges?
    private var isOver = false
    /// While there is a program, somebody has to see it end, whoever has let go of the camera.
    private var itself: CameraWork?
    /// Told with each start, so that what is heard of an earlier one is known as such.
    private var startCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ settings: CameraSettings, _ mailbox: CameraMailbox, _ loop: EventLoop) {
        (self.settings, self.mailbox, self.loop) = (settings, mailbox, loop)
        lifecycle = HelperSupervisor(settings.timeouts)
    }

    // MARK: What happens

    func applyOrder() {
        let (order, isOver) = mailbox.take()
        self.isOver = isOver
        guard let order else { return finishIfOver() }
        do throws(SystemCallError) {
            if timer == nil {
                timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.tick() } }
            }
        } catch {
            // Nothing runs that could not be ended in time. The next order tries again.
            mailbox.report(.failed(.reader(reason: "could not be started: \(error)")))
            return finishIfOver()
        }
        subscribeToCameras()
        perform(lifecycle.order(order, at: Uptime.milliseconds))
    }

    private func tick() { perform(lifecycle.tick(at: Uptime.milliseconds)) }

    private func receive(_ start: Int) {
        guard start == startCount else { return }
        for _ in 0..<HelperSocket.turnMax { guard receiveNext() else { return } }
    }

    /// False when there is nothing more to hear.
    private func receiveNext() -> Bool {
        switch line?.receive() {
        case .packet(let packet)?:
            perform(lifecycle.receive(packet, at: Uptime.milliseconds))
            return true
        case .closed?:
            // Why is known when the process has been waited for: it says nothing more until then.
            line?.ignore()
            return false
        case .nothing?, nil: return false
        }
    }

    private func processEnded(_ start: Int, _ words: String) {
        guard start == startCount else { return }
        // What it has said before its end comes first.
        for _ in 0..<HelperProtocolCheck.floodCount { guard receiveNext() else { break } }
        process = nil
        perform(lifecycle.processEnded(words, at: Uptime.milliseconds))
    }

    private func camerasChanged() {
        cameras?.drain()
        if lifecycle.isOff { return mailbox.report(.camerasChanged) }
        perform(lifecycle.camerasChanged(at: Uptime.milliseconds))
    }

    // MARK: What is done

    private func perform(_ acts: [HelperSupervisor.HelperAction]) {
        for act in acts {
            switch act {
            case .start: start()
            case .send(let message): line?.send(message)
            case .hangUp: line = nil
            case .kill: process?.kill()
            case .report(let report): mailbox.report(report)
            }
        }
        timer?.set(uptimeMilliseconds: lifecycle.deadline)
        itself = lifecycle.isOff ? nil : self
        finishIfOver()
    }

    private func start() {
        startCount += 1
        let count = startCount
        guard haveNodes else { return perform(lifecycle.cameraMissing(at: Uptime.milliseconds)) }
        do throws(SystemCallError) {
            let (line, other) = try HelperSocket.make()
            process = HelperProcess.start(settings.program, settings.arguments, line: other, on: loop) {
                [weak self] words in self?.assumeIsolated { $0.processEnded(count, words) }
            }
            self.line = line
            try line.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.receive(count) } }
        } catch {
            line = nil
            // Where a process was started, its end is heard.
            guard process == nil else { return }
            perform(lifecycle.processEnded("could not be started: \(error)", at: Uptime.milliseconds))
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
        guard cameras == nil else { return }
        cameras = DeviceChanges(of: "video4linux")
        cameras?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.camerasChanged() } }
    }

    private func finishIfOver() {
        if isOver, lifecycle.isOff { mailbox.finish() }
    }
}
