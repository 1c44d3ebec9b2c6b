// The protocol of the lamps at the bed, and the state of one lamp.

import Sound

package protocol Lamps: Sendable {
    /// Sets a lamp's light, in place of the one before. Returns at once.
    func show(_ light: LampLight, on lamp: LampRole)
    /// Flashes a lamp once with this pattern, then shows its light again. Returns at once.
    func flash(_ pulses: PulsePattern, on lamp: LampRole)
    /// Turns the lamps off, releases them for good and ends the reports.
    func end()
    /// The lamps' reports, for one listener.
    var reports: AsyncStream<LampReport> { get }
}

package enum LampRole: String, Hashable, Sendable, CaseIterable {
    /// Shows the state of Rooster.
    case status
    /// Lights up a code held in front of the camera.
    case camera
}

package enum LampLight: Hashable, Sendable {
    case off, on
    /// On and off in turns.
    case blinking(PulsePattern)
}

package enum LampReport: Hashable, Sendable {
    /// The lamp can be set, at the start or after a failure.
    case ready(LampRole)
    /// The lamp cannot be set. The driver keeps trying.
    case failed(LampRole, LineFailure)
}

/// The light and the flash of one lamp, with their uptimes in milliseconds.
package struct LampState: Hashable, Sendable {
    private var light = LampLight.off
    private var lightUptime = 0
    private var flashing: Flashing?

    private struct Flashing: Hashable, Sendable {
        var pulses: PulsePattern
        var uptime: Int
    }

    /// A flash is visible only if the lamp is dark before.
    static let darkMilliseconds = 150

    package init() {}

    /// Shows this light from now on. If the light is unchanged, its blinking does not restart.
    package mutating func show(_ light: LampLight, uptime: Int) {
        if light != self.light { (self.light, lightUptime) = (light, uptime) }
    }

    /// Flashes once, in place of an earlier flash.
    package mutating func flash(_ pulses: PulsePattern, uptime: Int) {
        flashing = Flashing(pulses: pulses, uptime: uptime)
    }

    /// Returns whether the lamp is on at that time, and the time of its next change, nil for never.
    package func output(at uptime: Int) -> (isOn: Bool, untilUptime: Int?) {
        if let flashing {
            let elapsed = uptime - flashing.uptime
            let rest = elapsed - LampState.darkMilliseconds
            if rest < 0 { return (false, flashing.uptime + LampState.darkMilliseconds) }
            if rest < flashing.pulses.lengthMilliseconds {
                let phase = flashing.pulses.phase(after: rest)
                return (phase.isOn, uptime + phase.leftMilliseconds)
            }
        }
        switch light {
        case .off: return (false, nil)
        case .on: return (true, nil)
        case .blinking(let pulses):
            let phase = pulses.phase(after: uptime - lightUptime)
            return (phase.isOn, uptime + phase.leftMilliseconds)
        }
    }
}
