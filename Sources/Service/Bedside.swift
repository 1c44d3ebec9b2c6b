// The devices of one Rooster.

import Alarms
import Devices
import Sound

/// The hardware that challenges can be met with.
public struct ChallengeHardware: Hashable, Sendable {
    /// The kinds of challenge that can be met.
    public var kinds: Set<Challenge.Kind>
    /// Whether there are buttons: without them nobody can press stop, and a challenge begins with its ring.
    public var hasButtons: Bool
    /// The symbologies in which codes may be enrolled.
    public var symbologies: Set<Symbology>

    /// By default only sums can be met: they are answered in any client.
    public init(
        kinds: Set<Challenge.Kind> = [.math, .roulette], hasButtons: Bool = true, symbologies: Set<Symbology> = [.qr]
    ) {
        (self.kinds, self.hasButtons, self.symbologies) = (kinds, hasButtons, symbologies)
    }
}

/// The devices of one Rooster, real or simulated.
public struct Bedside: Sendable {
    /// The clock, and how far it can be trusted.
    public var clock: any WallClock
    /// Calls when one of the clocks shows a time.
    public var timer: any WakeTimer
    /// What rings.
    public var speaker: any Speaker
    /// Checks which sounds the speaker can play.
    public var sounds: any SoundCheck
    /// Wakes a sleeping machine; nil where the service does not do that.
    public var waker: (any Waker)?
    /// The camera; nil where Rooster is set up without one.
    public var camera: (any Camera)?
    /// The buttons; nil where there are none, as for all that follow.
    public var buttons: (any Buttons)?
    /// The keypad.
    public var keypad: (any Keypad)?
    /// The step sensor.
    public var stepSensor: (any StepSensor)?
    /// The reader of tags.
    public var tagReader: (any TagReader)?
    /// The lamps; nil where there is none.
    public var lamps: (any Lamps)?
    /// The time scale of a simulated clock: it is pinned to real time while the service waits for the disk.
    public var pace: (any TimeScale)?
    /// Whether the clock, and perhaps other devices, are simulated.
    public var isSimulated: Bool
    /// Whether it is there for a moment, for somebody who tries sounds and speakers: it opens no card unasked.
    public var isForSoundOnly = false

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
