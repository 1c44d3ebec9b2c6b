// What stands at the bed.

import Devices

/// The devices of one Rooster, real or simulated.
public struct Bedside: Sendable {
    /// Tells what time it is, and how well that is known.
    public var clock: any WallClock
    /// Calls when it is time.
    public var timer: any WakeTimer
    /// What rings.
    public var speaker: any Speaker
    /// Knows what can be heard by it.
    public var sounds: any SoundCheck
    /// What switches a sleeping machine on; nothing where that is nobody's business.
    public var waker: (any Waker)?
    /// What its clock keeps to, where that may run fast: a disk is as slow as ever.
    public var pace: (any Pace)?
    /// Whether its time, and perhaps more of it, is not that of the world.
    public var isSimulated: Bool

    /// These devices.
    public init(
        clock: any WallClock, timer: any WakeTimer, speaker: any Speaker, sounds: any SoundCheck,
        waker: (any Waker)? = nil, pace: (any Pace)? = nil, isSimulated: Bool = false
    ) {
        self.clock = clock
        self.timer = timer
        self.speaker = speaker
        self.sounds = sounds
        self.waker = waker
        self.pace = pace
        self.isSimulated = isSimulated
    }
}
