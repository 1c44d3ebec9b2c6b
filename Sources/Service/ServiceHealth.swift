// How each part is that ringing needs: renewed when it changes, and tried out in the evening.

import Alarms
import Engine

extension Service {
    var clockHealth: Health { isClockTrusted && bedside.clock.trust.isTrusted ? .ok : Health(.clockUnknown) }

    func hearHowItRings() { take(.health(.speaker, speakerHealthInRing)) }

    /// A sound that cannot be played is told for as long as another takes its place.
    var speakerHealthInRing: Health {
        ringHealth.health(bedside.speaker.status).hearing(soundProblems)
    }

    func hear(_ order: SoundOrder) {
        checkSounds([order.ring.sound]) { [weak self] problems in
            self?.task { service in if !problems.isEmpty { service.soundProblems = problems } }
        }
        hearWhetherItRings()
    }

    /// A disk that was broken takes something now: it is tried out how much.
    func renewDiskHealth() async {
        guard engine.status(nextCount: 0).health.contains(where: { $0.part == .disk && $0.health.grade != .ok }) else {
            return
        }
        take(.health(.disk, await store.tryOut()))
    }

    /// Tries out what ringing needs, and calls when the engine has been told of all of it.
    public func tryOut(then done: @escaping @Sendable (isolated Service) -> Void) {
        preflight.waiting.append(done)
        startPreflight()
    }

    func startPreflight() {
        guard !preflight.isRunning else { return }
        preflight.isRunning = true
        // What could not be had at the start may be there by now.
        setAlarmClock()
        readZonesAnew()
        task { service in
            for (part, health) in await service.partsTriedOut() { service.take(.health(part, health)) }
            let waiting = service.preflight.waiting
            service.preflight = Preflight(number: service.preflight.number + 1)
            for done in waiting { done(service) }
        }
    }

    func partsTriedOut() async -> [(Part, Health)] {
        let number = preflight.number
        task { service in
            let disk = await service.store.tryOut()
            if service.preflight.number == number { service.preflight.disk = disk }
        }
        let sounds = Set(engine.alarms.filter(\.isEnabled).map(\.ring.sound)).sorted()
        checkSounds(sounds) { [weak self] problems in
            self?.task { service in
                if service.preflight.number == number { service.preflight.sounds = problems }
            }
        }
        let wasRinging = speaker.ring != nil
        if !wasRinging {
            speaker.triedSound = speaker.nearSound ?? RingSettings().sound
            orderSpeaker()
        }
        beginTryingCamera()
        beginTryingTouch()
        var left = Preflight.cameraLooksMax
        func isWaiting() -> Bool {
            if isTryingCamera { return true }
            guard left > Preflight.cameraLooksMax - Preflight.looksMax else { return false }
            if !preflight.hasAnswers || isTryingTouch { return true }
            return !wasRinging && speaker.ring == nil && !bedside.speaker.status.isReady
        }
        while left > 0, isWaiting() {
            left -= 1
            await executor.wait(milliseconds: Preflight.lookMilliseconds)
        }
        var parts: [(Part, Health)] = [
            (.disk, preflight.disk ?? Health(.diskHangs)), (.clock, clockHealth),
            (.codes, engine.codesHealth),
        ]
        let status = bedside.speaker.status
        // What has begun or ended meanwhile tells by itself how it goes.
        if wasRinging == (speaker.ring != nil) {
            soundProblems = preflight.sounds ?? soundProblems
            let health = wasRinging ? speakerHealthInRing : Health(readying: status).hearing(preflight.sounds)
            parts.append((.speaker, health))
        }
        speaker.triedSound = nil
        orderSpeaker()
        if let health = endTryingCamera() { parts.append((.camera, health)) }
        return parts + endTryingTouch()
    }
}
