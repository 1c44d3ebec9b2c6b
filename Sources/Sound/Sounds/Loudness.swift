// The loudness of a sound, as people hear it (ITU-R BS.1770), and its adjustment.

import Glibc

extension Samples {
    /// The loudness in LUFS by ITU-R BS.1770 of one channel that loops; nil for silence.
    package var loudness: Double? { loudness(ofFirst: values.count) }

    /// Returns the loudness of the first `most` values, measured as if they alone looped.
    package func loudness(ofFirst most: Int) -> Double? {
        let powers = weightedPowers(ofFirst: min(most, values.count), each: rate / 10)
        // A block is 400 ms long, and the next one begins 100 ms later.
        guard powers.count >= 4 else { return nil }
        let blocks = (0...powers.count - 4).map { powers[$0..<$0 + 4].reduce(0, +) / 4 }
        let audible = blocks.filter { loudness(ofPower: $0) > -70 }
        guard !audible.isEmpty else { return nil }
        let gate = loudness(ofPower: audible.reduce(0, +) / Double(audible.count)) - 10
        let counted = audible.filter { loudness(ofPower: $0) > gate }
        return loudness(ofPower: counted.reduce(0, +) / Double(counted.count))
    }

    /// Returns the weighted power of each `step` values. Memory holds nothing else.
    private func weightedPowers(ofFirst count: Int, each step: Int) -> [Double] {
        guard step > 0 else { return [] }
        var shelf = Biquad.shelf(rate: Double(rate))
        var pass = Biquad.highPass(rate: Double(rate))
        // The last second goes through the filters first, so that they have settled as in a loop.
        for value in values[..<count].suffix(rate) { _ = pass.filtered(shelf.filtered(Double(value))) }
        return values.withUnsafeBufferPointer { values in
            stride(from: 0, through: count - step, by: step).map { start in
                var sum = 0.0
                for index in start..<start + step {
                    let weighted = pass.filtered(shelf.filtered(Double(values[index])))
                    sum += weighted * weighted
                }
                return sum / Double(step)
            }
        }
    }

    private func loudness(ofPower power: Double) -> Double { -0.691 + 10 * log10(power) }
}

/// A second-order filter.
private struct Biquad {
    var b: (Double, Double, Double)
    var a: (Double, Double)
    private var x: (Double, Double) = (0, 0)
    private var y: (Double, Double) = (0, 0)

    mutating func filtered(_ value: Double) -> Double {
        let result = b.0 * value + b.1 * x.0 + b.2 * x.1 - a.0 * y.0 - a.1 * y.1
        x = (value, x.0)
        y = (result, y.0)
        return result
    }

    /// The gain of the head at high frequencies. The standard has coefficients for 48 kHz only; these
    /// formulas yield them there.
    static func shelf(rate: Double) -> Biquad {
        let k = tan(.pi * 1681.974450955533 / rate)
        let q = 0.7071752369554196
        let high = pow(10, 3.999843853973347 / 20)
        let middle = pow(high, 0.4996667741545416)
        let scale = 1 + k / q + k * k
        return Biquad(
            b: (
                (high + middle * k / q + k * k) / scale, 2 * (k * k - high) / scale,
                (high - middle * k / q + k * k) / scale
            ),
            a: (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale))
    }

    /// The ear's loss of sensitivity at very low frequencies.
    static func highPass(rate: Double) -> Biquad {
        let k = tan(.pi * 38.13547087602444 / rate)
        let q = 0.5003270373238773
        let scale = 1 + k / q + k * k
        return Biquad(b: (1, -2, 1), a: (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale))
    }
}

extension Samples {
    /// Returns the sound at that loudness. Peaks are compressed rather than clipped, which is not audible.
    func levelled(to loudnessTarget: Double, peakMax: Float) -> Samples {
        var levelled = self
        var gain = 1.0
        // Compression lowers the loudness a little each time. A few rounds come close enough.
        for _ in 0..<8 {
            guard let loudness = levelled.loudness, abs(loudness - loudnessTarget) > 0.05 else { break }
            gain *= pow(10, (loudnessTarget - loudness) / 20)
            levelled = Samples(values: values.map { ($0 * Float(gain)).bent(below: peakMax) }, rate: rate)
        }
        return levelled
    }
}

extension Float {
    /// Returns values up to half of the limit unchanged. Larger ones approach the limit.
    fileprivate func bent(below most: Float) -> Float {
        let knee = most / 2
        guard abs(self) > knee else { return self }
        let bent = knee + (most - knee) * tanh((abs(self) - knee) / (most - knee))
        return self < 0 ? -bent : bent
    }
}
