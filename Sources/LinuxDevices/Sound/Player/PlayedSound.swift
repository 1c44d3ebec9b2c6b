// A sound that is to be heard, ready for a card of one rate.

import Sound
import Synchronization

/// When a sound began: set by the card that plays it first, and gone by by all that play it later. So is how far its level has
/// come: the clock of a card may be faster than the machine's.
final class SoundStart: Sendable {
    private static let unset = -1
    /// In microseconds since the machine was started.
    private let microseconds = Atomic(unset)
    private let reachedMicroseconds = Atomic(unset)

    /// The start, in milliseconds: that which was set first.
    func settled(atUptime uptime: Double) -> Double {
        let (_, before) = microseconds.compareExchange(
            expected: SoundStart.unset, desired: Int(uptime * 1000), ordering: .relaxed)
        return before == SoundStart.unset ? uptime : Double(before) / 1000
    }

    /// The level of that time was heard, in milliseconds.
    func reach(_ uptime: Double) { reachedMicroseconds.max(Int(uptime * 1000), ordering: .relaxed) }

    /// That of the latest time that was heard.
    var reachedUptime: Double { Double(reachedMicroseconds.load(ordering: .relaxed)) / 1000 }
}

final class PlayedSound: Sendable {
    let samples: Samples
    let ramp: Ramp
    let start: SoundStart

    init(_ samples: Samples, ramp: Ramp, start: SoundStart) {
        self.samples = samples
        self.ramp = ramp
        self.start = start
    }
}
