// The lamps that shine at the bed, and what each shows at a time.

import Sound

package protocol Lamps: Sendable {
    /// Says what a lamp shows from now on, in the place of all before. It returns at once.
    func show(_ light: LampLight, on lamp: LampRole)
    /// Has a lamp flash once in that rhythm, beside what it shows. It returns at once.
    func flash(_ pulses: PulsePattern, on lamp: LampRole)
    /// Puts them out and lets go of them for good; the reports end.
    func end()
    /// What becomes of them, for one listener.
    var reports: AsyncStream<LampReport> { get }
}

package enum LampRole: String, Hashable, Sendable, CaseIterable {
    /// It tells how Rooster is.
    case status
    /// It lights up what is held before the camera.
    case camera
}

package enum LampLight: Hashable, Sendable {
    case off, on
    /// Light and darkness in turns.
    case blinking(PulsePattern)
}

package enum LampReport: Hashable, Sendable {
    /// The lamp does as it is told: from the start, or again.
    case ready(LampRole)
    /// The lamp cannot be set, and why. It is tried again.
    case failed(LampRole, LineFailure)
}

/// What a lamp was told, and since when, in milliseconds since the machine was started.
package struct LampState: Hashable, Sendable {
    private var light = LampLight.off
    private var lightUptime = 0
    private var flashing: Flashing?

    private struct Flashing: Hashable, Sendable {
        var pulses: PulsePattern
        var uptime: Int
    }

    /// A flash is seen as one only if it is dark before it.
    static let darkMilliseconds = 150

    package init() {}

    /// It shows that from now on. A blinking that goes on is not begun anew.
    package mutating func show(_ light: LampLight, uptime: Int) {
        if light != self.light { (self.light, lightUptime) = (light, uptime) }
    }

    /// It flashes once, in the place of a flash before.
    package mutating func flash(_ pulses: PulsePattern, uptime: Int) {
        flashing = Flashing(pulses: pulses, uptime: uptime)
    }

    /// Whether it is on at that time, and when that is to be asked again; nil for never.
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
