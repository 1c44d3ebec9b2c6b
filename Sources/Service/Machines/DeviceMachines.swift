// The machines between the engine and the devices.
//
// The engine has no reference to devices, and devices have none to alarms. A machine for each group of
// devices translates. It turns the engine's effects into orders, and reports into inputs. It drops reports
// that the engine does not need and orders that change nothing, and it decides the health of its devices.
// The machines are values without clock, thread or device. `Service` carries their orders out on real
// devices, and `simulate` on simulated ones.

import Alarms
import CivilTime
import Devices
import Engine
import Sound

/// An order from a machine to a device or to the service.
package enum DeviceOrder: Hashable, Sendable {
    case speaker(SpeakerOrder)
    /// A short signal by the speaker or the buzzer.
    case signal(PulsePattern)
    case camera(CameraOrder)
    case input(InputDevice, isOn: Bool)
    case lamp(LampRole, LampLight)
    /// Shake the bed with this rise; nil to stop.
    case shake(Shaking?)
    /// The light of the sunrise; nil for darkness.
    case sunrise(SunriseLight?)
    /// A flash of the lamp at the bed.
    case flash(PulsePattern)
    /// Repeat the flash at this interval while the pattern is the current challenge.
    case repeatFlash(PulsePattern, of: [Button], intervalMilliseconds: Int)
    case timer(WakeTimes)
    /// Set the hardware's alarm clock.
    case alarmClock
    /// Check whether the sound of a ring can be played.
    case checkRingSound(String)
    /// Poll the speaker each second until `SpeakerMachine.poll` returns nil.
    case pollSpeaker
}

/// The consequences of a report.
package struct Reaction: Hashable, Sendable {
    package var lines: [LogLine] = []
    package var inputs: [Input] = []
    package var orders: [DeviceOrder] = []
    /// True if the report calls for a preflight.
    package var startsPreflight = false
}

/// Returns the keyed hashes of a payload, one for each key in force.
package typealias PayloadHasher = @Sendable (CodePayload, Challenge.Kind) -> [CodeDigest]

package struct DeviceMachines: Sendable {
    package var speaker = SpeakerMachine()
    var camera: CameraMachine
    package var peripherals: PeripheralsMachine
    var clock = ClockMachine()
    var preflight = PreflightMachine()
    var speakerProbe = SpeakerProbe()

    package init(hasCamera: Bool, inputDevices: Set<InputDevice>, hasSunrise: Bool = false) {
        camera = CameraMachine(isPresent: hasCamera)
        peripherals = PeripheralsMachine(devices: inputDevices, hasSunrise: hasSunrise)
    }

    /// Returns the orders that carry an effect out, in sequence.
    package mutating func orders(for effect: Effect, in engine: Engine) -> [DeviceOrder] {
        switch effect {
        case .sound, .readySpeaker: return speaker.orders(for: effect)
        case .wake(let wake): return clock.orders(for: wake)
        case .camera(let symbologies): return camera.search(symbologies)
        case .shake: return speaker.orders(for: effect) + peripherals.orders(for: effect, in: engine)
        case .lamps, .sunrise, .enableInputs: return peripherals.orders(for: effect, in: engine)
        case .prompt(let prompt):
            if prompt == .wrong(.qr) { camera.refuseCodes() }
            return peripherals.orders(for: effect, in: engine)
        case .commit, .reply, .notify, .preflight, .statusChanged: return []
        }
    }

    /// `uptime` is the present time, in milliseconds since the machine started.
    package mutating func handle(
        _ report: CameraReport, in engine: Engine, at uptime: Int, hash: PayloadHasher
    ) -> Reaction {
        let reaction = camera.handle(report, in: engine, at: uptime, hash: hash)
        if reaction.startsPreflight { preflight.cameraChanged() }
        return reaction
    }
}
