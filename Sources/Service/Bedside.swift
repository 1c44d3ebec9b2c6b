// The devices of one Rooster.

import Alarms
import Devices
import Engine
import Sound

package struct ChallengeHardware: Hashable, Sendable {
    package var kinds: Set<Challenge.Kind>
    /// Whether there are buttons: without them nobody can press stop, and a challenge begins with its ring.
    package var hasButtons: Bool
    package var symbologies: Set<Symbology>

    /// By default only sums can be met: they are answered in any client.
    package init(
        kinds: Set<Challenge.Kind> = [.math, .roulette], hasButtons: Bool = true, symbologies: Set<Symbology> = [.qr]
    ) {
        (self.kinds, self.hasButtons, self.symbologies) = (kinds, hasButtons, symbologies)
    }
}

package struct Bedside: Sendable {
    package var clock: any WallClock
    package var timer: any WakeTimer
    package var speaker: any Speaker
    package var sounds: any SoundCheck
    /// Wakes a sleeping machine; nil where the service does not do that.
    package var waker: (any Waker)?
    /// The camera; nil where Rooster is set up without one.
    package var camera: (any Camera)?
    /// The buttons; nil where there are none, as for all that follow.
    package var buttons: (any Buttons)?
    package var keypad: (any Keypad)?
    package var stepSensor: (any StepSensor)?
    package var tagReader: (any TagReader)?
    /// The lamps; nil where there is none.
    package var lamps: (any Lamps)?
    /// The time scale of a simulated clock: it is pinned to real time while the service waits for the disk.
    package var timeScale: (any TimeScale)?
    /// Whether the clock, and perhaps other devices, are simulated.
    package var isSimulated: Bool

    package init(
        clock: any WallClock, timer: any WakeTimer, speaker: any Speaker, sounds: any SoundCheck,
        waker: (any Waker)? = nil, camera: (any Camera)? = nil, timeScale: (any TimeScale)? = nil,
        isSimulated: Bool = false
    ) {
        (self.clock, self.timer, self.speaker, self.sounds) = (clock, timer, speaker, sounds)
        (self.waker, self.camera, self.timeScale, self.isSimulated) = (waker, camera, timeScale, isSimulated)
    }

    /// The input devices that are there, beside the buttons and the camera.
    var inputDevices: Set<InputDevice> {
        var devices: Set<InputDevice> = []
        if keypad != nil { devices.insert(.keypad) }
        if stepSensor != nil { devices.insert(.stepSensor) }
        if tagReader != nil { devices.insert(.tagReader) }
        return devices
    }

    /// Lets go of all devices but the timer for good: their reports end.
    func endDevices() {
        speaker.end()
        camera?.end()
        buttons?.end()
        lamps?.end()
        keypad?.end()
        stepSensor?.end()
        tagReader?.end()
    }
}
