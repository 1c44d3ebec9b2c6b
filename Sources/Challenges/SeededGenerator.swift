// Random numbers from a seed: the same on every machine and in every version of Rooster.

import Alarms

/// A deterministic random number generator (SplitMix64).
package struct SeededGenerator: Hashable, Sendable {
    fileprivate var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// A generator of its own for each combination of a seed and some numbers.
    package init(seed: UInt64, _ parts: Int...) {
        self.init(seed: seed)
        for part in parts { state = bits() ^ UInt64(truncatingIfNeeded: part) }
    }

    package mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// Returns a random number in a range. The standard library's algorithm may differ between versions.
    package mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(bits() % UInt64(range.count))
    }
}

extension PlannedRing {
    /// The seed of a ring's draws, from its alarm and date. The owner draws nothing easier by pulling the
    /// plug before anything is recorded, or by moving the ring by a second.
    package var seed: UInt64 {
        occurrence.alarm.utf8.reduce(SeededGenerator(seed: 0, date.dayNumber)) {
            SeededGenerator(seed: $0.state, Int($1))
        }.state
    }
}

extension Challenge {
    /// Returns the challenge that a roulette draws; any other unchanged. `index` is its place in the list.
    package func drawn(seed: UInt64, index: Int) -> Challenge {
        guard case .roulette(let choices) = task, !choices.isEmpty else { return self }
        var chance = SeededGenerator(seed: seed, index)
        return choices[chance.number(in: 0...choices.count - 1)]
    }
}
