// The preflight: it tests all parts, and the engine gets the health of each.

import Devices
import Engine
import Health
import Sound

/// The progress and the results of a preflight. Cards, camera and disk may answer late, or never.
struct PreflightMachine: Sendable {
    enum Stage: Hashable, Sendable {
        /// The speaker try must end first: a card that it has open is busy.
        case waitingForProbe
        /// `wasRinging` is true if a ring used the speaker when the tests began.
        case testing(wasRinging: Bool)
    }

    /// The stage; nil while no preflight runs.
    fileprivate(set) var stage: Stage?
    /// The number of polls left in this stage.
    fileprivate var pollsLeft = 0
    /// The number of this preflight, or of the next one. An answer with an older number came late, and is
    /// ignored.
    private(set) var number = 0
    /// True if a camera came or went since this preflight began, so that another one must follow.
    private(set) var isOutdated = false
    /// The disk's health; nil until the disk has answered.
    private(set) var disk: Health?
    /// Problems with the alarms' sounds; nil until their disk has answered.
    private(set) var sounds: [String]?

    static let pollMilliseconds = 50
    /// The timeout of cards and the disk, in polls.
    static let pollsMax = 60
    /// The timeout of the camera, in polls. It is longer, because a program starts and the first pictures
    /// are black.
    static let cameraPollsMax = 160

    var isRunning: Bool { stage != nil }

    /// Begins a preflight. Returns false if one is running.
    mutating func begin() -> Bool {
        guard stage == nil else { return false }
        stage = .waitingForProbe
        pollsLeft = PreflightMachine.pollsMax
        return true
    }

    /// Notes that a camera came or went: a running preflight may have tested the old state. Changed cards do
    /// not count, because the test of a card can itself report a changed route.
    mutating func cameraChanged() { isOutdated = isRunning }

    mutating func diskAnswered(_ health: Health, number: Int) {
        if number == self.number { disk = health }
    }

    mutating func soundsAnswered(_ problems: [String], number: Int) {
        if number == self.number { sounds = problems }
    }

    /// Ends the preflight, after the engine has received the health of each part.
    mutating func end() { self = PreflightMachine(number: number + 1) }

    init(number: Int = 0) { self.number = number }
}

enum PreflightStep: Hashable, Sendable {
    /// Carry these orders out, and poll again.
    case wait([DeviceOrder])
    /// Carry these orders out. The preflight is over, and the inputs are the health of each part.
    case done([DeviceOrder], [Input])
}

extension DeviceMachines {
    /// Advances the preflight by one poll.
    mutating func pollPreflight(_ status: SpeakerStatus, _ trust: ClockTrust, in engine: Engine) -> PreflightStep {
        if preflight.stage == .waitingForProbe, !speakerProbe.isTryingCards || preflight.pollsLeft == 0 {
            return .wait(beginTests())
        }
        if isPreflightWaiting(status) {
            preflight.pollsLeft -= 1
            return .wait([])
        }
        return endPreflight(status, trust, in: engine)
    }

    private mutating func beginTests() -> [DeviceOrder] {
        let isRinging = speaker.ring != nil
        preflight.stage = .testing(wasRinging: isRinging)
        preflight.pollsLeft = PreflightMachine.cameraPollsMax
        return (isRinging ? [] : speaker.beginTest()) + camera.beginTest() + peripherals.beginTest()
    }

    private func isPreflightWaiting(_ status: SpeakerStatus) -> Bool {
        guard case .testing(let wasRinging) = preflight.stage else { return true }
        let left = preflight.pollsLeft
        if left > 0, camera.isBeingTested { return true }
        guard left > PreflightMachine.cameraPollsMax - PreflightMachine.pollsMax else { return false }
        if preflight.disk == nil || preflight.sounds == nil || peripherals.isBeingTested { return true }
        return !wasRinging && speaker.ring == nil && !status.isReady
    }

    private mutating func endPreflight(
        _ status: SpeakerStatus, _ trust: ClockTrust, in engine: Engine
    ) -> PreflightStep {
        var healths: [Input] = [
            .health(.disk, preflight.disk ?? Health(.diskHangs)), .health(.clock, clock.health(trust)),
            .health(.codes, engine.codesHealth),
        ]
        // If a ring began or ended meanwhile, the ring itself reports the speaker's health.
        let isRinging = speaker.ring != nil
        if preflight.stage == .testing(wasRinging: isRinging) {
            speaker.soundProblems = preflight.sounds ?? speaker.soundProblems
            let health =
                isRinging
                ? speaker.health(status) : Health(readying: status).addingSoundProblems(preflight.sounds)
            healths.append(.health(.speaker, health))
        }
        let silent = speaker.endTest()
        let (off, cameraHealth) = camera.endTest(in: engine)
        let (disabled, others) = peripherals.endTest()
        if let cameraHealth { healths.append(.health(.camera, cameraHealth)) }
        return .done(silent + off + disabled, healths + others)
    }
}
