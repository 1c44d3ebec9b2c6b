// The effects of a night's events on the machine, its devices and its clock.

import Alarms
import Engine
import Health
import SimulatedDevices

extension Simulation {
    func apply(_ event: NightEvent) {
        // While the machine sleeps, every event except a power cut waits.
        let isCut = if case .powerCut = event { true } else { false }
        if let asleepUntil, !isCut { return queue.plan(event, at: asleepUntil + 1) }
        if let until = spacing.postponement(of: event, at: now, awakeSince: awakeSince, isClockTrusted: clock.isTrusted)
        {
            return queue.plan(event, at: until)
        }
        logEvent("\(event)")
        // The sounds until now are checked first.
        observeSpeakers()
        switch event {
        case .during(let stage, let event): queue.arm(event, for: stage)
        case .powerCut(let milliseconds, let hasClock, let known):
            asleepUntil = nil
            store.cutPower(&chance)
            isPowerOff = true
            die(for: milliseconds)
            if !hasClock { clock.stop(at: now) }
            queue.plan(.clockSet, at: now + known)
        case .crash(let milliseconds):
            guard isRunning else { return }
            store.crash(&chance)
            die(for: milliseconds)
        case .suspend(let milliseconds):
            guard isRunning else { return }
            asleepUntil = now + milliseconds
        case .clockStep(let milliseconds):
            setClock(to: clock.errorMilliseconds + milliseconds)
        case .clockSet:
            setClock(to: 0)
            observeSpeakers()
            if !clock.isTrusted { clockSetCount += 1 }
            clock.isTrusted = true
            feed(.clockTrusted(true))
        case .zone(let index):
            zoneIndex = index
            feed(.zoneChanged(SimulatedZones.all[index]))
        case .disk(let fault): store.fail(fault)
        case .diskSpeed(let milliseconds): store.latencyMilliseconds = milliseconds
        case .camera(let view): camera.change(view: view, at: now)
        case .configuration(let missing):
            self.missing = missing
            guard isRunning else { return }
            store.crash(&chance)
            die(for: Simulation.startAgainMilliseconds)
        case .card(let index, let isPlugged, let fault):
            speakers.change(index, isPlugged: isPlugged, fault)
            observeSpeakers()
        case .health(let part, let grade) where !missing.contains(part):
            feed(.health(part, grade == .ok ? .ok : Health(.described(grade, ""))))
        case .health: break
        case .button(let button, let isDown, let bounces):
            move(button, isDown: isDown)
            // An even number of bounces leaves the contact where it was moved to.
            for bounce in 0..<bounces + bounces % 2 {
                now += 3
                move(button, isDown: isDown == (bounce % 2 == 1))
            }
        case .movement:
            let expected = checker.ringsAtMovement(self)
            takeStep()
            checker.moved(expected)
        case .hold(let milliseconds):
            for button in Button.allCases {
                move(button, isDown: true)
                queue.plan(.button(button, isDown: false, bounces: 0), at: now + milliseconds)
            }
        case .touch(let tag): touch(tag)
        case .ask(let command): ask(command)
        case .burst(let count): for _ in 0..<count { ask(night.drawCommand(at: now - night.start, &chance)) }
        }
    }

    private func setClock(to error: Int) {
        if error != clock.errorMilliseconds { clockSetCount += 1 }
        clock.errorMilliseconds = error
        isClockSet = true
        feed(.timer)
    }

    private func die(for milliseconds: Int) {
        camera.change(isOn: false, at: now)
        speakers.stop()
        if upAgainAt == nil { checker.died(self) }
        upAgainAt = now + milliseconds
    }
}
