// The devices of one Rooster.

import Alarms
import Devices
import Engine
import Health
import Sound

package struct ChallengeHardware: Hashable, Sendable {
    package var kinds: Set<Challenge.Kind>
    /// True if there is a stop button. Without one, a challenge begins with its ring rather than at a press.
    package var hasButtons: Bool
    package var hasShaker: Bool
    package var symbologies: Set<Symbology>

    /// By default only sums are possible, which any client can answer.
    package init(
        kinds: Set<Challenge.Kind> = [.math, .roulette], hasButtons: Bool = true, hasShaker: Bool = false,
        symbologies: Set<Symbology> = [.qr]
    ) {
        (self.kinds, self.hasButtons, self.hasShaker) = (kinds, hasButtons, hasShaker)
        self.symbologies = symbologies
    }
}

package struct Bedside: Sendable {
    package var clock: any WallClock
    package var timer: any WakeTimer
    package var speaker: any Speaker
    package var sounds: any SoundLibrary
    /// The hardware's alarm clock, which wakes a sleeping machine; nil if Rooster does not use one.
    package var waker: (any Waker)?
    /// The camera; nil if Rooster is configured without one.
    package var camera: (any Camera)?
    /// The buttons; nil if there are none. The same holds for the devices below.
    package var buttons: (any Buttons)?
    package var keypad: (any Keypad)?
    package var stepSensor: (any StepSensor)?
    package var tagReader: (any TagReader)?
    package var lamps: (any Lamps)?
    package var sunrise: (any SunriseLamp)?
    package var shaker: (any Shaker)?
    /// The time scale of a simulated clock, which is pinned while the service waits for the disk.
    package var timeScale: (any TimeScale)?
    /// True if the clock is simulated. Other devices may be simulated as well.
    package var isSimulated: Bool

    package init(
        clock: any WallClock, timer: any WakeTimer, speaker: any Speaker, sounds: any SoundLibrary,
        waker: (any Waker)? = nil, camera: (any Camera)? = nil, timeScale: (any TimeScale)? = nil,
        isSimulated: Bool = false
    ) {
        (self.clock, self.timer, self.speaker, self.sounds) = (clock, timer, speaker, sounds)
        (self.waker, self.camera, self.timeScale, self.isSimulated) = (waker, camera, timeScale, isSimulated)
    }

    /// The input devices that are present, besides the buttons and the camera.
    var inputDevices: Set<InputDevice> {
        var devices: Set<InputDevice> = []
        if keypad != nil { devices.insert(.keypad) }
        if stepSensor != nil { devices.insert(.stepSensor) }
        if tagReader != nil { devices.insert(.tagReader) }
        return devices
    }

    /// The parts that are configured.
    var parts: Set<Part> {
        var parts = Set(Part.allCases)
        if camera == nil { parts.remove(.camera) }
        if buttons == nil { parts.remove(.buttons) }
        if keypad == nil { parts.remove(.keypad) }
        if stepSensor == nil { parts.remove(.steps) }
        if tagReader == nil { parts.remove(.tags) }
        if lamps == nil, sunrise == nil { parts.remove(.lamps) }
        return parts
    }

    /// Ends all devices except the timer. Their reports end, and no device can be used again.
    func endDevices() {
        speaker.end()
        camera?.end()
        buttons?.end()
        lamps?.end()
        sunrise?.end()
        shaker?.end()
        keypad?.end()
        stepSensor?.end()
        tagReader?.end()
    }
}
