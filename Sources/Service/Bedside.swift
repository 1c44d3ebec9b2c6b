// What stands at the bed.

import Alarms
import Devices
import Sound

/// What there is to meet challenges with.
public struct ChallengeHardware: Hashable, Sendable {
    /// The kinds of challenge that can be met.
    public var kinds: Set<Challenge.Kind>
    /// Whether there are buttons: without them nobody can press stop, and a challenge begins with its ring.
    public var hasButtons: Bool
    /// The kinds of code that may be enrolled.
    public var symbologies: Set<Symbology>

    /// Sums can be answered everywhere.
    public init(
        kinds: Set<Challenge.Kind> = [.math, .roulette], hasButtons: Bool = true, symbologies: Set<Symbology> = [.qr]
    ) {
        (self.kinds, self.hasButtons, self.symbologies) = (kinds, hasButtons, symbologies)
    }
}

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
    /// What reads codes; nil where Rooster is set up without one.
    public var camera: (any Camera)?
    /// What is pressed from bed; nil where there is none, as of all that follow.
    public var buttons: (any Buttons)?
    /// What is typed on.
    public var keypad: (any Keypad)?
    /// What feels steps.
    public var stepSensor: (any StepSensor)?
    /// What reads tags.
    public var tagReader: (any TagReader)?
    /// The lamps; nil where there is none.
    public var lamps: (any Lamps)?
    /// What its clock keeps to, where that may run fast: a disk is as slow as ever.
    public var pace: (any TimeScale)?
    /// Whether its time, and perhaps more of it, is not that of the world.
    public var isSimulated: Bool

    /// These devices.
    public init(
        clock: any WallClock, timer: any WakeTimer, speaker: any Speaker, sounds: any SoundCheck,
        waker: (any Waker)? = nil, camera: (any Camera)? = nil, pace: (any TimeScale)? = nil, isSimulated: Bool = false
    ) {
        self.clock = clock
        self.timer = timer
        self.speaker = speaker
        self.sounds = sounds
        self.waker = waker
        self.camera = camera
        self.pace = pace
        self.isSimulated = isSimulated
    }
}
