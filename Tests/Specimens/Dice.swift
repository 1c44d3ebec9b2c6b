// The random numbers of a specimen, the same in every run.

/// SplitMix64, seeded by a name.
struct Dice: RandomNumberGenerator {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(seed: String) {
        for byte in seed.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(UInt64(1) << 53)
    }

    mutating func below(_ end: Int) -> Int { Int(next() % UInt64(end)) }

    /// Returns a value near a normal distribution of deviation 1: the sum of four uniform ones.
    mutating func normal() -> Float {
        let bits = next()
        let sum = (0..<4).reduce(Float(0)) { $0 + Float((bits >> (16 * UInt64($1))) & 0xFFFF) / 65_536 }
        return (sum - 2) * 1.732_050_8
    }
}
