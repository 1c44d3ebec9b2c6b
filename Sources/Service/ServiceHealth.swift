// The health of the parts: reported when it changes, and tested by the preflight.

import Alarms
import Engine

/// A preflight under way, with the callbacks that wait for its end.
struct PreflightRun {
    /// Its number: an answer that comes after its end does not count for the next one.
    var number = 0
    var isRunning = false
    var waiting: [@Sendable (isolated Service) -> Void] = []
    /// The disk's health; nil until it has answered.
    var disk: Health?
    /// Problems with the alarms' sounds; nil until their disk has answered.
    var sounds: [String]?

    var hasAnswers: Bool { disk != nil && sounds != nil }

    /// The timeout of cards and the disk, in polls.
    static let pollsMax = 60
    /// The timeout of the camera, in polls. It is longer: its program starts, and its first pictures are black.
    static let cameraPollsMax = 160
    static let pollMilliseconds = 50
}

extension Service {
    var clockHealth: Health { isClockTrusted && bedside.clock.trust.isTrusted ? .ok : Health(.clockUnknown) }

    func reportSpeakerHealth() { enqueue(.health(.speaker, speakerHealthInRing)) }

    /// The speaker's health during a ring, with sounds that cannot be played.
    var speakerHealthInRing: Health {
        ringHealth.health(bedside.speaker.status).addingSoundProblems(soundProblems)
    }

    func ringBegan(_ order: SoundOrder) {
        checkSounds([order.ring.sound]) { [weak self] problems in
            self?.task { service in if !problems.isEmpty { service.soundProblems = problems } }
        }
        pollSpeakerHealth()
    }

    /// How many bytes the disk had left when it was tested last; nil where that is not known.
    package var diskFreeBytes: Int? { store.freeBytes }

    /// A disk that was broken takes writes again: tests how much it takes.
    func probeFailedDisk() async {
        guard engine.status(nextCount: 0).health.contains(where: { $0.part == .disk && $0.health.grade != .ok }) else {
            return
        }
        enqueue(.health(.disk, await store.probe()))
    }

    /// Runs the preflight. The callback is called when the engine has got every part's health.
    package func runPreflight(then done: @escaping @Sendable (isolated Service) -> Void) {
        preflight.waiting.append(done)
        startPreflight()
    }

    func startPreflight() {
        guard !preflight.isRunning else { return }
        preflight.isRunning = true
        // The hardware's alarm clock may work by now.
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
        // A card that is being tried is busy for everything else.
        await poll(max: PreflightRun.pollsMax) { $0.speakerProbe.isRunning }
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
        // A ring that has begun or ended meanwhile reports the speaker's health by itself.
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
