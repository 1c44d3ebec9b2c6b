// How each part is that ringing needs: renewed when it changes, and tried out in the evening.

import Alarms
import Engine

extension Service {
    var clockHealth: Health { isClockTrusted && bedside.clock.trust.isTrusted ? .ok : Health(.clockUnknown) }

    func reportSpeakerHealth() { enqueue(.health(.speaker, speakerHealthInRing)) }

    /// A sound that cannot be played is told for as long as another takes its place.
    var speakerHealthInRing: Health {
        ringHealth.health(bedside.speaker.status).addingSoundProblems(soundProblems)
    }

    func ringBegan(_ order: SoundOrder) {
        checkSounds([order.ring.sound]) { [weak self] problems in
            self?.task { service in if !problems.isEmpty { service.soundProblems = problems } }
        }
        pollSpeakerHealth()
    }

    /// A disk that was broken takes something now: it is tried out how much.
    func probeFailedDisk() async {
        guard engine.status(nextCount: 0).health.contains(where: { $0.part == .disk && $0.health.grade != .ok }) else {
            return
        }
        enqueue(.health(.disk, await store.probe()))
    }

    /// Tries out what ringing needs, and calls when the engine has been told of all of it.
    public func runPreflight(then done: @escaping @Sendable (isolated Service) -> Void) {
        preflight.waiting.append(done)
        startPreflight()
    }

    func startPreflight() {
        guard !preflight.isRunning else { return }
        preflight.isRunning = true
        // What could not be had at the start may be there by now.
        setAlarmClock()
        reloadZones()
        task { service in
            for (part, health) in await service.testedParts() { service.enqueue(.health(part, health)) }
            let waiting = service.preflight.waiting
            service.preflight = PreflightRun(number: service.preflight.number + 1)
            for done in waiting { done(service) }
        }
    }

    func testedParts() async -> [(Part, Health)] {
        let number = preflight.number
        task { service in
            let disk = await service.store.probe()
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
            speaker.testedSound = speaker.nearSound ?? RingSettings().sound
            orderSpeaker()
        }
        beginCameraTest()
        beginTouchTest()
        var left = PreflightRun.cameraPollsMax
        func isWaiting() -> Bool {
            if isTestingCamera { return true }
            guard left > PreflightRun.cameraPollsMax - PreflightRun.pollsMax else { return false }
            if !preflight.hasAnswers || isTestingTouch { return true }
            return !wasRinging && speaker.ring == nil && !bedside.speaker.status.isReady
        }
        while left > 0, isWaiting() {
            left -= 1
            await executor.wait(milliseconds: PreflightRun.pollMilliseconds)
        }
        var parts: [(Part, Health)] = [
            (.disk, preflight.disk ?? Health(.diskHangs)), (.clock, clockHealth),
            (.codes, engine.codesHealth),
        ]
        let status = bedside.speaker.status
        // What has begun or ended meanwhile tells by itself how it goes.
        if wasRinging == (speaker.ring != nil) {
            soundProblems = preflight.sounds ?? soundProblems
            let health =
                wasRinging ? speakerHealthInRing : Health(readying: status).addingSoundProblems(preflight.sounds)
            parts.append((.speaker, health))
        }
        speaker.testedSound = nil
        orderSpeaker()
        if let health = endCameraTest() { parts.append((.camera, health)) }
        return parts + endTouchTest()
    }
}
