// The effects: orders of the engine that the service carries out.

import Alarms
import Challenges
import CivilTime
import Health

/// An effect. Effects are carried out in the order in which they are given.
package enum Effect: Hashable, Sendable {
    /// Write these entries in one commit, and report its result with this number.
    case commit([Entry], number: Int)
    /// Send `.timer` by this time. Replaces every earlier wake.
    case wake(Wake)
    /// Open the speaker for this sound, and keep it silent until then; nil if no sound is near.
    case readySpeaker(sound: String?)
    /// Play this sound from now on; nil for silence.
    case sound(SoundOrder?)
    /// Shake the bed from now on; nil to stop.
    case shake(ShakeOrder?)
    /// Light the lamp of the sunrise from now on; nil to switch it off.
    case sunrise(SunriseOrder?)
    /// Read these symbologies with the camera from now on; nil to switch it off.
    case camera(reading: Set<String>?)
    case lamps(LampOrder)
    /// Enable these input devices from now on, and no others, beside the buttons and the camera.
    case enableInputs(Set<InputDevice>)
    case prompt(Prompt)
    case reply(Reply, to: RequestHeader)
    /// Notify the owner in another place.
    case notify(Notification)
    /// Run the preflight, and report the health of each part.
    case preflight
    case statusChanged
}

package struct SoundOrder: Hashable, Sendable {
    package var occurrence: Occurrence
    /// The sound, its volume and its ramp: those of the session, or of a louder one that waits behind it.
    package var ring: RingSettings
    /// The uptime at which the ramp began. It may be before the session.
    package var rampStartUptime: Int
}

package struct ShakeOrder: Hashable, Sendable {
    /// The rise of the pulses: that of the ring.
    package var rampSeconds: Int
    package var rampStartUptime: Int

    package init(rampSeconds: Int, rampStartUptime: Int) {
        (self.rampSeconds, self.rampStartUptime) = (rampSeconds, rampStartUptime)
    }
}

package enum SunriseOrder: Hashable, Sendable {
    /// The perceived brightness rises evenly from darkness to full between these uptimes.
    case rising(fromUptime: Int, untilUptime: Int)
    case full
}

package struct LampOrder: Hashable, Sendable {
    package var isCameraLit = false
    package var status = StatusLight.dark
}

/// The light of the lamp at the bed.
package enum StatusLight: String, Hashable, Sendable, CaseIterable {
    /// No ring is planned.
    case dark
    /// A ring is planned, and every part that it needs is in order.
    case armed
    /// A session rings; a challenge is being done; a session is silent for a while.
    case ringing, asked, snoozed
    /// A wake-up check asks for an answer.
    case checking
    /// A client waits for the presses that pair it.
    case pairing
    /// The emergency exit is held; each stage blinks faster.
    case held, heldLonger = "held longer", heldLongest = "held longest"
    /// A part that ringing needs is broken.
    case notReady = "not ready"
}

/// An input device that is enabled only while it is needed.
package enum InputDevice: String, Hashable, Sendable, CaseIterable {
    case keypad, stepSensor = "step sensor", tagReader = "tag reader"
}

/// A prompt for the person at the clock: by voice, by lamp or by a short signal.
package enum Prompt: Hashable, Sendable {
    case refused(Refusal)
    case challenge(Assignment)
    case wrong(Challenge.Kind)
    case done(Challenge.Kind)
    case ended(Occurrence, Ending)
    /// The session asks whether its owner is awake.
    case check(Occurrence)
    /// The next ring, after a long press of the stop button; nil if no ring is planned.
    case next(PlannedRing?)
    /// A notice of a ring to come. It makes no sound.
    case notice(PlannedRing)
    /// It is this bedtime, or was a moment ago.
    case bedtime(Instant)
    /// The owner goes to bed, and holds snooze or says so by a request.
    case inBed
}

/// A notification for an owner in another place.
package enum Notification: Hashable, Sendable {
    /// A session ended without its challenges.
    case ended(Occurrence, Ending)
    case missed(Occurrence, first: Instant)
    case broken(Part, Health)
}

/// The latest time of the next `.timer` input, on whichever clock reaches its time first; nil for none.
package struct Wake: Hashable, Sendable {
    /// By the system's clock for rings, and by uptime for snoozes and all other timeouts.
    package var next: WakeTimes
    /// The next time at which a sound is heard or readied, or a light begins. A sleeping machine must be
    /// awake by then.
    package var sound: WakeTimes

    package init(next: WakeTimes = WakeTimes(), sound: WakeTimes = WakeTimes()) {
        (self.next, self.sound) = (next, sound)
    }
}
