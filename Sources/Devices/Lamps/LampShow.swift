// What a lamp shows at a time.

import Sound

/// What a lamp was told, and since when, in milliseconds since the machine was started.
package struct LampState: Hashable, Sendable {
    private var light = LampLight.off
    private var lightUptime = 0
    private var flashing: Flashing?

    private struct Flashing: Hashable, Sendable {
        var rhythm: Rhythm
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
    package mutating func flash(_ rhythm: Rhythm, uptime: Int) {
        flashing = Flashing(rhythm: rhythm, uptime: uptime)
    }

    /// Whether it is on at that time, and when that is to be asked again; nil for never.
    package func output(at uptime: Int) -> (isOn: Bool, untilUptime: Int?) {
        if let flashing {
            let elapsed = uptime - flashing.uptime
            let rest = elapsed - LampState.darkMilliseconds
            if rest < 0 { return (false, flashing.uptime + LampState.darkMilliseconds) }
            if rest < flashing.rhythm.lengthMilliseconds {
                let phase = flashing.rhythm.phase(after: rest)
                return (phase.isOn, uptime + phase.leftMilliseconds)
            }
        }
        switch light {
        case .off: return (false, nil)
        case .on: return (true, nil)
        case .blinking(let rhythm):
            let phase = rhythm.phase(after: uptime - lightUptime)
            return (phase.isOn, uptime + phase.leftMilliseconds)
        }
    }
}
