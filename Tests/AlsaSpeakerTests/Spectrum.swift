// What can be heard in a stretch of sound, found without anything that made it.

import Foundation

/// How strong each tone is in a stretch of sound.
struct Spectrum {
    /// Of each place on a line of even steps.
    var amplitudes: [Double]
    let hertzPerStep: Double

    /// How many steps there are up to a rate: fine enough to tell low tones from their neighbours.
    private static let steps = 16_384

    /// A stretch of no more values than there are steps.
    init(_ values: some Collection<Float>, rate: Int) {
        hertzPerStep = Double(rate) / Double(Spectrum.steps)
        var real = [Double](repeating: 0, count: Spectrum.steps)
        // Its edges are no sound.
        for (index, value) in values.enumerated() {
            real[index] = Double(value) * (1 - cos(2 * .pi * (Double(index) + 0.5) / Double(values.count)))
        }
        let share = 2 / Double(max(values.count, 1))
        amplitudes = Spectrum.transformed(real).map { share * $0 }
    }

    /// Fourier's transform, by halves: the size of what comes of each frequency below half the rate.
    private static func transformed(_ values: [Double]) -> [Double] {
        let count = values.count
        var (real, imaginary) = ([Double](repeating: 0, count: count), [Double](repeating: 0, count: count))
        var place = 0
        for index in 0..<count {
            real[place] = values[index]
            // The places count up from their other end.
            var bit = count / 2
            while bit > 0, place & bit != 0 { (place, bit) = (place ^ bit, bit / 2) }
            place |= bit
        }
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                var half = 1
                while half < count {
                    for turn in 0..<half {
                        let angle = -Double.pi * Double(turn) / Double(half)
                        let (c, s) = (cos(angle), sin(angle))
                        var low = turn
                        while low < count {
                            let high = low + half
                            let a = real[high] * c - imaginary[high] * s
                            let b = real[high] * s + imaginary[high] * c
                            (real[high], imaginary[high]) = (real[low] - a, imaginary[low] - b)
                            (real[low], imaginary[low]) = (real[low] + a, imaginary[low] + b)
                            low += 2 * half
                        }
                    }
                    half *= 2
                }
            }
        }
        return zip(real, imaginary).prefix(count / 2).map { (real: Double, imaginary: Double) -> Double in
            (real * real + imaginary * imaginary).squareRoot()
        }
    }

    /// What is new against the stretch before: that which dies away is not.
    func risen(above before: Spectrum) -> Spectrum {
        var risen = self
        risen.amplitudes = zip(amplitudes, before.amplitudes).map { max(0, $0 - $1) }
        return risen
    }

    /// All tones that are at most so much softer than the loudest, the lowest first.
    func tones(within decibels: Double) -> [Double] {
        let least = (amplitudes.max() ?? 0) * pow(10, -decibels / 20)
        return (1..<amplitudes.count - 1).filter { place in
            let amplitude = amplitudes[place]
            return amplitude >= least && amplitude > amplitudes[place - 1] && amplitude >= amplitudes[place + 1]
        }.map { Double($0) * hertzPerStep }
    }
}
