// Sets the lines of lamps as they are to shine, and looks for lines that are not there.

import Devices
import EventLoop
import Glibc
import Sound
import System

/// Lives on the loop. A lamp that does not blink wakes nobody.
actor LampWork {
    private struct Lamp {
        let output: LineOutput
        var show = LampState()
        var line: GpioLine?
        var isOn = false
        var failure: LineFailure?
    }

    private var lamps: [LampRole: Lamp]
    private let loop: EventLoop
    private let reporting: AsyncStream<LampReport>.Continuation
    private var timer: LoopTimer?
    private var changes: DeviceChanges?
    private var retry = DeviceRetry()
    private var isOver = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ outputs: [LampRole: LineOutput], on loop: EventLoop, _ reporting: AsyncStream<LampReport>.Continuation
    ) {
        lamps = outputs.mapValues { Lamp(output: $0) }
        (self.loop, self.reporting) = (loop, reporting)
    }

    func start() {
        guard !isOver, !lamps.isEmpty else { return }
        do throws(SystemCallError) {
            timer = try LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.update() } }
        } catch {
            // They shine, but do not blink, and are not looked for again.
            for (role, lamp) in lamps {
                let failure = LineFailure.system(lamp.output.name, doing: "time it", errorNumber: error.errorNumber)
                reporting.yield(.failed(role, failure))
            }
        }
        changes = DeviceChanges(of: "gpio")
        changes?.subscribe(on: loop) { [weak self] in self?.assumeIsolated { $0.chipsChanged() } }
        open()
        update()
    }

    func show(_ light: LampLight, on role: LampRole) {
        lamps[role]?.show.show(light, uptime: Uptime.milliseconds)
        update()
    }

    func flash(_ pulses: PulsePattern, on role: LampRole) {
        lamps[role]?.show.flash(pulses, uptime: Uptime.milliseconds)
        update()
    }

    func end() {
        guard !isOver else { return }
        isOver = true
        for role in lamps.keys {
            set(role, false)
            lamps[role]?.line = nil
        }
        (timer, changes) = (nil, nil)
        reporting.finish()
    }

    // MARK: What happens

    private func chipsChanged() {
        changes?.drain()
        // Set anew, those whose chip is gone are known.
        for (role, lamp) in lamps where lamp.line != nil { set(role, lamp.isOn) }
        retry.reset()
        open()
        update()
    }

    /// Sets all lamps as they are to shine now, and has itself called when that changes.
    private func update() {
        guard !isOver else { return }
        let now = Uptime.milliseconds
        if retry.isDue(at: now) { open() }
        var deadlines: [Int?] = []
        for (role, lamp) in lamps {
            let (isOn, until) = lamp.show.output(at: now)
            deadlines.append(until)
            if lamp.line != nil, isOn != lamp.isOn { set(role, isOn) }
        }
        timer?.set(uptimeMilliseconds: (deadlines + [retry.uptime]).compactMap(\.self).min())
    }

    // MARK: Lines

    private func open() {
        for (role, lamp) in lamps where lamp.line == nil {
            do throws(LineFailure) {
                lamps[role]?.line = try GpioLine(lamp.output)
                lamps[role]?.isOn = false
                lamps[role]?.failure = nil
                reporting.yield(.ready(role))
            } catch {
                fail(role, error)
            }
        }
        if lamps.values.contains(where: { $0.line == nil }) {
            retry.fail(at: Uptime.milliseconds)
        } else {
            retry.reset()
        }
    }

    private func set(_ role: LampRole, _ isOn: Bool) {
        do throws(LineFailure) {
            try lamps[role]?.line?.set(isOn)
            lamps[role]?.isOn = isOn
        } catch {
            lamps[role]?.line = nil
            fail(role, error)
            if retry.uptime == nil { retry.fail(at: Uptime.milliseconds) }
        }
    }

    /// The same is told once.
    private func fail(_ role: LampRole, _ failure: LineFailure) {
        guard lamps[role]?.failure != failure else { return }
        lamps[role]?.failure = failure
        reporting.yield(.failed(role, failure))
    }
}
