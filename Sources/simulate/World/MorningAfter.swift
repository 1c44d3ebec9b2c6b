// The morning after: every fault is over, and promise 7 says that all is well again.

import Alarms
import CivilTime
import Engine
import Service
import SimulatedDevices

extension World {
    /// What there is rings, and so does what is made then.
    func settleDown() {
        for step in [mend, waitForNext, probe] where watcher.violation == nil { step() }
    }

    /// Every fault is over.
    private func mend() {
        queue = NightEventQueue()
        store.fail(nil)
        store.latencyMilliseconds = SimulatedStore.quickMilliseconds
        // Whoever sleeps is woken first: what happens to a machine that sleeps waits until it wakes.
        if asleepUntil != nil { asleepUntil = now }
        if upAgainAt != nil { upAgainAt = now }
        pass(to: now)
        camera.change(view: .room, at: now)
        for index in 0..<Bedroom.cardCount { apply(.card(index, isPlugged: true, nil)) }
        for button in Button.allCases { queue.plan(.button(button, isDown: false, bounces: 0), at: now) }
        // A disk that has failed is tried again only in a while.
        pass(to: now + World.timeoutMilliseconds)
    }

    /// Nobody helps: the next alarm that there is rings, or whoever watches says that it did not.
    private func waitForNext() {
        guard clock.isTrusted, let due = watcher.announced.nextDue else { return }
        let milliseconds = due - watcher.bestNow(self)
        if milliseconds < Night.dayMilliseconds { pass(to: now + milliseconds + World.timeoutMilliseconds) }
    }

    /// Whoever makes a new alarm then can count on it.
    private func probe() {
        var settings = published.file.settings
        if !settings.isEnabled {
            settings.isEnabled = true
            send(.saveSettings(settings))
            pass(to: now + World.probeMilliseconds)
        }
        guard watcher.violation == nil else { return }
        let at = watcher.bestNow(self) / 60_000 * 60 + 120
        guard let alarm = Alarm(probingAt: Instant(secondsSince1970: at), in: published.status.zoneName) else { return }
        send(.save(alarm))
        let occurrence = Occurrence(alarm.id, at)
        for _ in 0..<20 where !watcher.sessions.hasRung(occurrence) { pass(to: now + World.timeoutMilliseconds / 10) }
        if !watcher.sessions.hasRung(occurrence) {
            watcher.report(.recovery, "a new alarm did not ring when every fault was over")
        }
    }

    private static let timeoutMilliseconds = 100_000
    private static let probeMilliseconds = 1000
}

extension Alarm {
    /// An alarm that rings then, in a zone of that name; nothing where the clocks show that time twice.
    init?(probingAt instant: Instant, in zoneName: String) {
        guard let zone = SimulatedZones.all.first(where: { $0.name == zoneName }) else { return nil }
        let local = zone.local(instant)
        guard case .once = zone.instants(of: local) else { return nil }
        self.init(id: "probe")
        (time, recurrence) = (local.time, Recurrence(.daily))
    }
}
