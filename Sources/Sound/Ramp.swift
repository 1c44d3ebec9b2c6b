// How loud a ring is at what time.

import Glibc

/// A level that rises evenly in decibels, by the time since the machine was started: whoever looks when it should be how
/// loud needs to know nothing of what was played before, on which card, or whether at all.
package struct Ramp: Hashable, Sendable {
    /// How far below its full level it begins.
    package static let startDecibels = -40.0

    /// The full level: 0.0 to 1.0.
    package var volume: Double
    package var seconds: Int
    package var startUptime: Int

    /// A rise to that volume, from that many milliseconds since the machine was started.
    package init(volume: Double, seconds: Int, startUptime: Int) {
        (self.volume, self.seconds, self.startUptime) = (volume, seconds, startUptime)
    }

    /// How far it is below its full level, so many milliseconds after its start: never above, and never below the first.
    package func decibels(afterMilliseconds milliseconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let part = milliseconds / (Double(seconds) * 1000)
        return Ramp.startDecibels * (1 - min(max(part, 0), 1))
    }

    /// What the sound's values are to be multiplied with at that time.
    package func gain(atUptime uptime: Double) -> Double {
        let volume = volume.isFinite ? min(max(volume, 0), 1) : 1
        return volume * pow(10, decibels(afterMilliseconds: uptime - Double(startUptime)) / 20)
    }

    /// How far what is heard at that time is below the loudest that there is; nothing where it is not heard.
    package func level(atUptime uptime: Int) -> Double? {
        let gain = gain(atUptime: Double(uptime))
        return gain > 0 ? 20 * log10(gain) : nil
    }
}
