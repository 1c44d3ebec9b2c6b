// What the speaker is to do, as a function of what the engine wants.

import Engine
import Sound

/// All that anybody wants of the speaker: a ring comes before everything, and everything before silence.
package struct SpeakerDemand: Sendable {
    /// What is to be heard.
    package var ring: SoundOrder?
    /// What will be heard in a moment.
    package var nearSound: String?
    /// What is prepared for nothing but to see whether it can be.
    var testedSound: String?

    /// Nothing is wanted.
    package init() {}

    /// What it is told.
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
