// The synthesis of a score.

import Glibc

/// Returns the frequency of a piano key. Key 69 is 440 Hz.
func hertz(ofKey key: Int) -> Double { 440 * pow(2, Double(key - 69) / 12) }

extension Score {
    /// Renders the score. The last notes decay into the beginning, so that the loop has no audible seam.
    func rendered(rate: Int) -> Samples {
        let count = Int((seconds * Double(rate)).rounded())
        var loop = LoopedSamples(values: [Double](repeating: 0, count: count), rate: Double(rate))
        for note in notes {
            for partial in note.timbre.partials { loop.add(partial, of: note, secondsPerBeat: secondsPerBeat) }
        }
        return Samples(values: loop.values.map { Float($0) }, rate: rate)
    }
}

/// A loop to which tones are added.
private struct LoopedSamples {
    var values: [Double]
    let rate: Double

    /// The natural logarithm of 1000: a decay by 60 dB.
    private static let decay60 = 6.907_755
    /// Tones above this fraction of the sample rate are left out, because they would alias.
    private static let toneMax = 0.4

    mutating func add(_ partial: Timbre.Partial, of note: Score.Note, secondsPerBeat: Double) {
        let hertz = note.hertz * partial.ratio
        guard hertz * (note.glide.max() ?? 1) < LoopedSamples.toneMax * rate else { return }
        let timbre = note.timbre
        let heldSeconds = note.beats * secondsPerBeat
        let seconds = partial.decaySeconds ?? heldSeconds + timbre.releaseSeconds
        let start = Int((note.beat * secondsPerBeat * rate).rounded())
        let amplitude = partial.amplitude * note.velocity
        let count = Int(seconds * rate)
        let attack = timbre.attackSeconds * rate
        // The end of a decaying tone fades out, so that it does not click.
        let release = partial.decaySeconds == nil ? timbre.releaseSeconds * rate : 0.01 * rate
        let fading = partial.decaySeconds.map { exp(-LoopedSamples.decay60 / ($0 * rate)) } ?? 1
        // The tone is the height of a rotating vector, which is cheaper than a sine for every sample.
        var (height, width) = (0.0, 1.0)
        var turn = 2 * .pi * hertz * (note.glide.first ?? 1) / rate
        var (rise, run) = (sin(turn), cos(turn))
        var level = amplitude
        for index in 0..<count {
            let edge = min(1, Double(index) / attack, Double(count - index) / release)
            values[(start + index) % values.count] += level * edge * height
            level *= fading
            if !note.glide.isEmpty {
                turn = 2 * .pi * hertz * note.bend(at: Double(index) / Double(count)) / rate
                (rise, run) = (sin(turn), cos(turn))
            }
            (height, width) = (height * run + width * rise, width * run - height * rise)
        }
    }
}

extension Score.Note {
    /// Returns the factor for the frequency after this part of the note.
    fileprivate func bend(at part: Double) -> Double {
        guard let last = glide.last, glide.count > 1 else { return glide.first ?? 1 }
        let position = part * Double(glide.count - 1)
        let index = Int(position)
        guard index < glide.count - 1 else { return last }
        let rest = position - Double(index)
        return glide[index] * (1 - rest) + glide[index + 1] * rest
    }
}
