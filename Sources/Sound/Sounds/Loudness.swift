// How loud people hear a sound, which is not how large its numbers are.

import Glibc

extension Samples {
    /// The loudness in LUFS by ITU-R BS.1770, as of one channel that is played over and over; nil for silence.
    package var loudness: Double? { loudness(ofFirst: values.count) }

    /// The loudness of its beginning, of so many values, taken for all that is played.
    package func loudness(ofFirst most: Int) -> Double? {
        let powers = weightedPowers(ofFirst: min(most, values.count), each: rate / 10)
        // Each block is four tenths of a second, and the next begins after one.
        guard powers.count >= 4 else { return nil }
        let blocks = (0...powers.count - 4).map { powers[$0..<$0 + 4].reduce(0, +) / 4 }
        let audible = blocks.filter { loudness(ofPower: $0) > -70 }
        guard !audible.isEmpty else { return nil }
        let gate = loudness(ofPower: audible.reduce(0, +) / Double(audible.count)) - 10
        let counted = audible.filter { loudness(ofPower: $0) > gate }
        return loudness(ofPower: counted.reduce(0, +) / Double(counted.count))
    }

    /// What ears hear of each so many values: of a long sound no more than that has to be kept.
    private func weightedPowers(ofFirst count: Int, each step: Int) -> [Double] {
        guard step > 0 else { return [] }
        var shelf = Biquad.shelf(rate: Double(rate))
        var pass = Biquad.highPass(rate: Double(rate))
        // Heard once before, so that the filters have swung in.
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

/// A filter of the second order.
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

    /// What a head does to high tones. The standard gives the numbers for 48 kHz; these come to them there.
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

    /// Ears do not hear very low tones.
    static func highPass(rate: Double) -> Biquad {
        let k = tan(.pi * 38.13547087602444 / rate)
        let q = 0.5003270373238773
        let scale = 1 + k / q + k * k
        return Biquad(b: (1, -2, 1), a: (2 * (k * k - 1) / scale, (1 - k / q + k * k) / scale))
    }

    init(b: (Double, Double, Double), a: (Double, Double)) {
        self.b = b
        self.a = a
    }
}

extension Samples {
    /// As loud as that. Where its largest values would not fit, they are bent rather than cut, which nobody hears.
    func levelled(to loudnessTarget: Double, peakMax: Float) -> Samples {
        var levelled = self
        var gain = 1.0
        // Bending takes a little away each time: a few rounds come close enough.
        for _ in 0..<8 {
            guard let loudness = levelled.loudness, abs(loudness - loudnessTarget) > 0.05 else { break }
            gain *= pow(10, (loudnessTarget - loudness) / 20)
            levelled = Samples(values: values.map { ($0 * Float(gain)).bent(below: peakMax) }, rate: rate)
        }
        return levelled
    }
}

extension Float {
    /// As it is up to a half of the largest that there may be; beyond, it comes ever closer to that.
    fileprivate func bent(below most: Float) -> Float {
        let knee = most / 2
        guard abs(self) > knee else { return self }
        let bent = knee + (most - knee) * tanh((abs(self) - knee) / (most - knee))
        return self < 0 ? -bent : bent
    }
}
