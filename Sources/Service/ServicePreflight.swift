// The preflight and the try of all speakers, as tasks that poll their machines.

import Alarms
import Engine
import Sound

extension Service {
    /// Runs the preflight, and calls back after the engine has received the health of every part.
    package func runPreflight(then callback: @escaping @Sendable (isolated Service) -> Void) {
        callbacks.preflights.append(callback)
        startPreflight()
    }

    func startPreflight() {
        guard machines.preflight.begin() else { return }
        // The hardware's alarm clock may work now, even if it failed before.
        setAlarmClock()
        reloadZones()
        let number = machines.preflight.number
        task { service in
            let health = await service.store.probe(isSimulated: service.bedside.isSimulated)
            service.machines.preflight.diskAnswered(health, number: number)
        }
        let sounds = Set(engine.alarms.filter(\.isEnabled).flatMap(\.sounds).map(\.sound)).sorted()
        soundChecks.check(sounds) { [weak self] problems in
            self?.task { service in service.machines.preflight.soundsAnswered(problems, number: number) }
        }
        task { service in await service.pollPreflight() }
    }

    private func pollPreflight() async {
        while true {
            switch machines.pollPreflight(bedside.speaker.status, bedside.clock.trust, in: engine) {
            case .wait(let orders):
                for order in orders { carryOut(order) }
                await executor.wait(milliseconds: PreflightMachine.pollMilliseconds)
            case .done(let orders, let inputs):
                for order in orders { carryOut(order) }
                for input in inputs { enqueue(input) }
                let isOutdated = machines.preflight.isOutdated
                machines.preflight.end()
                let waiting = callbacks.preflights
                callbacks.preflights = []
                for callback in waiting { callback(self) }
                if isOutdated { startPreflight() }
                return
            }
        }
    }

    /// Tries all speakers, and calls back with their status. If a speaker is in use or a ring is near, the
    /// callback gets the present status without a try.
    package func trySpeakers(then callback: @escaping @Sendable (SpeakerStatus, isolated Service) -> Void) {
        callbacks.speakerTries.append(callback)
        guard machines.speakerProbe.begin() else { return }
        task { service in
            let status = await service.probedSpeakers()
            let callbacks = service.callbacks.speakerTries
            service.callbacks.speakerTries = []
            for callback in callbacks { callback(status, service) }
        }
    }

    private func probedSpeakers() async -> SpeakerStatus {
        while true {
            let step = machines.speakerProbe.poll(
                bedside.speaker.status, isPreflightRunning: machines.preflight.isRunning, isRingNear: isRingNear)
            switch step {
            case .done(let status): return status
            case .tryCards:
                bedside.speaker.tryCards { [weak self] found in
                    self?.task { $0.machines.speakerProbe.cardsFound(found) }
                }
            case .wait: break
            }
            await executor.wait(milliseconds: PreflightMachine.pollMilliseconds)
        }
    }

    private var isRingNear: Bool {
        let status = engineNow.status(nextCount: 1)
        let near = status.nowMilliseconds + SpeakerProbe.nearMilliseconds
        return !status.sessions.isEmpty || machines.speaker.ring != nil || machines.speaker.nearSound != nil
            || status.next.contains { $0.at.secondsSince1970 * 1000 < near }
    }
}
