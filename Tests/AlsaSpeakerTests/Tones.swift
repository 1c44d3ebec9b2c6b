// What tones a recording consists of.

import Foundation
import Sound

/// A tone, and all that is in a recording beside it.
struct FoundTone {
    /// Its amplitude.
    let amplitude: Double
    /// How far the rest is below it, in decibels.
    let purity: Double

    /// Looks for tones of these frequencies in what is well within a sound. The amplitude is that of the first.
    init(_ tones: [Double], in samples: Samples, from start: Double = 0.1, seconds: Double = 0.4) {
        let rate = Double(samples.rate)
        let values = samples.values[Int(start * rate)..<Int((start + seconds) * rate)].map { Double($0) }
        let power = { (values: [Double]) in values.reduce(0) { $0 + $1 * $1 } / Double(values.count) }
        var (rest, first) = (values, 0.0)
        // Over many whole and half turns a sine and a cosine are independent of each other, and of other tones, but for what
        // a few rounds take away.
        for round in 0..<3 {
            for (index, hertz) in tones.enumerated() {
                let turns = (0..<values.count).map { 2 * .pi * hertz * Double($0) / rate }
                let sine = zip(rest, turns).reduce(0) { $0 + $1.0 * sin($1.1) } * 2 / Double(values.count)
                let cosine = zip(rest, turns).reduce(0) { $0 + $1.0 * cos($1.1) } * 2 / Double(values.count)
                for (frame, turn) in turns.enumerated() { rest[frame] -= sine * sin(turn) + cosine * cos(turn) }
                if index == 0, round == 0 { first = (sine * sine + cosine * cosine).squareRoot() }
            }
        }
        amplitude = first
        purity = 10 * log10(power(values) / max(power(rest), 1e-20))
    }
}
