// Makes sound of a score.

import Glibc

/// The tone of a piano's key, of which the 69th swings 440 times a second.
func hertz(ofKey key: Int) -> Double { 440 * pow(2, Double(key - 69) / 12) }

extension Score {
    /// The score as sound. The last bar sounds on into the beginning: nobody can tell where it begins anew.
    func rendered(rate: Int) -> Samples {
        let count = Int((seconds * Double(rate)).rounded())
        var loop = LoopedSamples(values: [Double](repeating: 0, count: count), rate: Double(rate))
        for note in notes {
            for partial in note.timbre.partials { loop.add(partial, of: note, secondsPerBeat: secondsPerBeat) }
        }
        return Samples(values: loop.values.map { Float($0) }, rate: rate)
    }
}

/// A loop that tones are added to.
private struct LoopedSamples {
    var values: [Double]
    let rate: Double

    /// What is softer by 60 dB has become a thousandth: the natural logarithm of that.
    private static let decay60 = 6.907_755
    /// Above this part of the rate a tone would be heard as another one.
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
        // The very end of what dies away fades, so that it does not click.
        let release = partial.decaySeconds == nil ? timbre.releaseSeconds * rate : 0.01 * rate
        let fading = partial.decaySeconds.map { exp(-LoopedSamples.decay60 / ($0 * rate)) } ?? 1
        // A pointer that turns: its height is the tone.
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
    /// By how much its tone is higher when so much of it is over.
    fileprivate func bend(at part: Double) -> Double {
        guard let last = glide.last, glide.count > 1 else { return glide.first ?? 1 }
        let position = part * Double(glide.count - 1)
        let index = Int(position)
        guard index < glide.count - 1 else { return last }
        let rest = position - Double(index)
        return glide[index] * (1 - rest) + glide[index + 1] * rest
    }
}
