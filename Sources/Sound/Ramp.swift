// The rise of a ring's volume over time.

import Glibc

/// A level that rises linearly in decibels. It depends only on the uptime, and not on earlier frames: a card
/// that takes over needs no state of the card before it.
package struct Ramp: Hashable, Sendable {
    /// The level at the start, relative to the full level.
    package static let startDecibels = -40.0

    /// The full level as a linear gain, 0.0 to 1.0.
    package var volume: Double
    package var seconds: Int
    package var startUptime: Int

    /// Creates a rise to that volume. `startUptime` is in milliseconds.
    package init(volume: Double, seconds: Int, startUptime: Int) {
        (self.volume, self.seconds, self.startUptime) = (volume, seconds, startUptime)
    }

    /// Returns the level relative to the full level, from `startDecibels` to 0, at a time after the start.
    package func decibels(afterMilliseconds milliseconds: Double) -> Double {
        guard seconds > 0 else { return 0 }
        let part = milliseconds / (Double(seconds) * 1000)
        return Ramp.startDecibels * (1 - min(max(part, 0), 1))
    }

    /// Returns the factor for the samples that are heard at that uptime.
    package func gain(atUptime uptime: Double) -> Double {
        let volume = volume.isFinite ? min(max(volume, 0), 1) : 1
        return volume * pow(10, decibels(afterMilliseconds: uptime - Double(startUptime)) / 20)
    }

    /// Returns the level at that uptime in decibels relative to the loudest possible, or nil if silent.
    package func level(atUptime uptime: Int) -> Double? {
        let gain = gain(atUptime: Double(uptime))
        return gain > 0 ? 20 * log10(gain) : nil
    }
}
