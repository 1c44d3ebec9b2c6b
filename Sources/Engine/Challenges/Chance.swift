// Chance that a seed decides: the same everywhere, for ever.

import Alarms

/// Numbers that look drawn by lot (SplitMix64).
package struct Chance: Hashable, Sendable {
    fileprivate var state: UInt64

    /// The numbers of a seed.
    package init(seed: UInt64) {
        state = seed
    }

    /// Another chance for each thing that one seed decides.
    package init(seed: UInt64, _ parts: Int...) {
        self.init(seed: seed)
        for part in parts { state = bits() ^ UInt64(truncatingIfNeeded: part) }
    }

    /// Any bits.
    package mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A number of a range. What the standard library would draw may differ between its versions.
    package mutating func number(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(bits() % UInt64(range.count))
    }
}

extension PlannedRing {
    /// What is drawn for it: always the same on a day, so that nobody who pulls the plug before anything could be written down,
    /// or lets it ring a second earlier, is given something easier.
    var seed: UInt64 {
        occurrence.alarm.utf8.reduce(Chance(seed: 0, date.dayNumber)) { Chance(seed: $0.state, Int($1)) }.state
    }
}

extension Challenge {
    /// What a roulette comes to; any other challenge is what it is. `index` is its place in the alarm's list.
    func drawn(seed: UInt64, index: Int) -> Challenge {
        guard case .roulette(let choices) = task, !choices.isEmpty else { return self }
        var chance = Chance(seed: seed, index)
        return choices[chance.number(in: 0...choices.count - 1)]
    }
}
