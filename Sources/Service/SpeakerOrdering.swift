// The speaker's order, as a function of all demands on it.

import Engine
import Sound

/// All demands on the speaker: a ring comes before everything, and everything before silence.
package struct SpeakerDemand: Sendable {
    /// The sound of a ring.
    package var ring: SoundOrder?
    /// The sound that is heard soon.
    package var nearSound: String?
    /// The sound that the preflight tests.
    var testedSound: String?

    /// No demand.
    package init() {}

    /// The order.
    package var order: SpeakerOrder {
        if let ring { return .play(Playback(ring)) }
        if let nearSound { return .ready(sound: nearSound, isNear: true) }
        return testedSound.map { .ready(sound: $0) } ?? .silent
    }
}

extension Playback {
    fileprivate init(_ order: SoundOrder) {
        self.init(
            reason: "\(order.occurrence)", sound: order.ring.sound,
            ramp: Ramp(
                volume: order.ring.volume, seconds: order.ring.rampSeconds, startUptime: order.rampStartUptime))
    }
}
