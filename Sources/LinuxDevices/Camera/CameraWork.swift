// Does what is decided about the camera's program.

import Glibc
import Loop

/// Lives on the loop, and does nothing there that waits.
actor CameraWork {
    private let settings: CameraSettings
    private let orders: CameraOrders
    private let loop: EventLoop
    private var life: SightLife
    private var timer: LoopTimer?
    private var process: SightProcess?
    private var line: SightLine?
    private var cameras: DeviceChanges?
    private var isOver = false
    /// While there is a program, somebody has to see it end, whoever has let go of the camera.
    private var itself: CameraWork?
    /// Told with each start, so that what is heard of an earlier one is known as such.
    private var startCount = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ settings: CameraSettings, _ orders: CameraOrders, _ loop: EventLoop) {
        (self.settings, self.orders, self.loop) = (settings, orders, loop)
        life = SightLife(settings.patience)
    }

    // MARK: What happens

    func takeOrder() {
        let (order, isOver) = orders.take()
        self.isOver = isOver
        guard let order else { return finishIfOver() }
        do throws(LoopError) {
            if timer == nil {
                timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.look() } }
            }
        } catch {
            // Nothing runs that could not be ended in time. The next order tries again.
            orders.report(.failed(.reader(reason: "could not be started: \(error)")))
            return finishIfOver()
        }
        listenForCameras()
        act(life.order(order, at: Uptime.milliseconds))
    }

    private func look() { act(life.look(at: Uptime.milliseconds)) }

    private func hear(_ start: Int) {
        guard start == startCount else { return }
        for _ in 0..<SightLine.turnMax { guard hearNext() else { return } }
    }

    /// False when there is nothing more to hear.
    private func hearNext() -> Bool {
        switch line?.take() {
        case .packet(let packet)?:
            act(life.hear(packet, at: Uptime.milliseconds))
            return true
        case .closed?:
            // Why is known when the process has been waited for: it says nothing more until then.
            line?.ignore()
            return false
        case .nothing?, nil: return false
        }
    }

    private func hearEnd(_ start: Int, _ words: String) {
        guard start == startCount else { return }
        // What it has said before its end comes first.
        for _ in 0..<SightRun.floodCount { guard hearNext() else { break } }
        process = nil
        act(life.hearEnd(words, at: Uptime.milliseconds))
    }

    private func hearChange() {
        cameras?.note()
        if life.isOff { return orders.report(.camerasChanged) }
        act(life.hearChange(at: Uptime.milliseconds))
    }

    // MARK: What is done

    private func act(_ acts: [SightLife.Act]) {
        for act in acts {
            switch act {
            case .start: start()
            case .tell(let message): line?.send(message)
            case .hangUp: line = nil
            case .kill: process?.kill()
            case .report(let report): orders.report(report)
            }
        }
        timer?.set(uptimeMilliseconds: life.deadline)
        itself = life.isOff ? nil : self
        finishIfOver()
    }

    private func start() {
        startCount += 1
        let count = startCount
        guard haveNodes else { return act(life.hearNoCamera(at: Uptime.milliseconds)) }
        do throws(LoopError) {
            let (line, other) = try SightLine.make()
            process = SightProcess.start(settings.program, settings.arguments, line: other, on: loop) {
                [weak self] words in self?.assumeIsolated { $0.hearEnd(count, words) }
            }
            self.line = line
            try line.listen(on: loop) { [weak self] in self?.assumeIsolated { $0.hear(count) } }
        } catch {
            line = nil
            // Where a process was started, its end is heard.
            guard process == nil else { return }
            act(life.hearEnd("could not be started: \(error)", at: Uptime.milliseconds))
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
    private func listenForCameras() {
        guard cameras == nil else { return }
        cameras = DeviceChanges(of: "video4linux")
        cameras?.listen(on: loop) { [weak self] in self?.assumeIsolated { $0.hearChange() } }
    }

    private func finishIfOver() {
        if isOver, life.isOff { orders.finish() }
    }
}
