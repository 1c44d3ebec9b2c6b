// The morning after a night: every fault ends, and promise 7 is checked.

import Alarms
import CivilTime
import Engine
import Service
import SimulatedDevices

extension Simulation {
    /// Checks that the present alarms ring, and that a new one does.
    func settleDown() {
        for step in [endFaults, waitForNext, probe] where checker.violation == nil { step() }
    }

    private func endFaults() {
        queue = NightEventQueue()
        store.fail(nil)
        store.latencyMilliseconds = SimulatedStore.quickMilliseconds
        // A sleeping machine wakes first, because events wait until it is awake.
        if asleepUntil != nil { asleepUntil = now }
        if upAgainAt != nil { upAgainAt = now }
        pass(to: now)
        camera.change(view: .room, at: now)
        for index in 0..<MachineSpeakers.cardCount { apply(.card(index, isPlugged: true, nil)) }
        for button in Button.allCases { queue.plan(.button(button, isDown: false, bounces: 0), at: now) }
        // The engine retries a failed disk with backoff.
        pass(to: now + Simulation.timeoutMilliseconds)
    }

    /// Waits for the next planned ring. The checker reports a violation if it does not come.
    private func waitForNext() {
        guard clock.isTrusted, let due = checker.rings.nextDue else { return }
        let milliseconds = due - checker.bestNow(self)
        if milliseconds < Night.dayMilliseconds { pass(to: now + milliseconds + Simulation.timeoutMilliseconds) }
    }

    private func probe() {
        var settings = published.file.settings
        if !settings.isEnabled {
            settings.isEnabled = true
            send(.saveSettings(settings))
            pass(to: now + Simulation.probeMilliseconds)
        }
        guard checker.violation == nil else { return }
        let at = checker.bestNow(self) / 60_000 * 60 + 120
        guard let alarm = Alarm(probingAt: Instant(secondsSince1970: at), in: published.status.zoneName) else { return }
        send(.save(alarm))
        let occurrence = Occurrence(alarm.id, at)
        for _ in 0..<20 where !checker.sessions.hasRung(occurrence) {
            pass(to: now + Simulation.timeoutMilliseconds / 10)
        }
        if !checker.sessions.hasRung(occurrence) {
            checker.report(.recovery, "a new alarm did not ring after all faults had ended")
        }
    }

    private static let timeoutMilliseconds = 100_000
    private static let probeMilliseconds = 1000
}

extension Alarm {
    /// Creates an alarm that rings at that instant. Nil if the zone is unknown or has that time twice.
    init?(probingAt instant: Instant, in zoneName: String) {
        guard let zone = SimulatedZones.all.first(where: { $0.name == zoneName }) else { return nil }
        let local = zone.local(instant)
        guard case .once = zone.instants(of: local) else { return nil }
        self.init(id: "probe")
        (time, recurrence) = (local.time, Recurrence(.daily))
    }
}
