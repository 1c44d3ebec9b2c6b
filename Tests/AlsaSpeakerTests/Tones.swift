// The analysis of the tones in a recording.

import Foundation
import Sound

/// A tone, and the level of everything else in the recording.
struct FoundTone {
    let amplitude: Double
    /// The distance of the rest below the tone, in decibels.
    let purity: Double

    /// Finds tones of these frequencies in the middle of a sound. The amplitude is that of the first.
    init(_ tones: [Double], in samples: Samples, from start: Double = 0.1, seconds: Double = 0.4) {
        let rate = Double(samples.rate)
        let values = samples.values[Int(start * rate)..<Int((start + seconds) * rate)].map { Double($0) }
        let power = { (values: [Double]) in values.reduce(0) { $0 + $1 * $1 } / Double(values.count) }
        var (rest, first) = (values, 0.0)
        // Over many turns sines and cosines of different tones are nearly independent. A few rounds remove
        // the remaining overlap.
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
