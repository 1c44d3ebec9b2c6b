// Makes sound of a score.

import Glibc

/// The tone of a piano's key, of which the 69th swings 440 times a second.
func hertz(ofKey key: Int) -> Double { 440 * pow(2, Double(key - 69) / 12) }

extension Score {
    /// The score as sound. What is still heard when the last bar is over is heard at its beginning, so nobody can tell
    /// where it begins anew.
    func rendered(rate: Int) -> Samples {
        let count = Int((seconds * Double(rate)).rounded())
        var loop = Loop(values: [Double](repeating: 0, count: count), rate: Double(rate))
        for note in notes {
            for partial in note.timbre.partials { loop.add(partial, of: note, secondsPerBeat: secondsPerBeat) }
        }
        return Samples(values: loop.values.map { Float($0) }, rate: rate)
    }
}

/// A loop that tones are added to.
private struct Loop {
    var values: [Double]
    let rate: Double

    /// What is softer than this is not heard.
    private static let decay60 = 6.907_755
    private static let audibleMax = 0.4

    mutating func add(_ partial: Timbre.Partial, of note: Score.Note, secondsPerBeat: Double) {
        let hertz = note.hertz * partial.ratio
        // Above the half of the rate a tone would be heard as another one.
        guard hertz * (note.glide.max() ?? 1) < Loop.audibleMax * rate else { return }
        let timbre = note.timbre
        let heldSeconds = note.beats * secondsPerBeat
        let seconds = partial.decaySeconds ?? heldSeconds + timbre.releaseSeconds
        let start = Int((note.beat * secondsPerBeat * rate).rounded())
        let amplitude = partial.amplitude * note.velocity
        var phase = 0.0
        for index in 0..<Int(seconds * rate) {
            let time = Double(index) / rate
            var level = amplitude * min(1, time / timbre.attackSeconds)
            if let decay = partial.decaySeconds {
                // The very end fades, so that it does not click.
                level *= exp(-Loop.decay60 * time / decay) * min(1, (seconds - time) / 0.01)
            } else {
                level *= min(1, (seconds - time) / timbre.releaseSeconds)
            }
            values[(start + index) % values.count] += level * sin(phase)
            phase += 2 * .pi * hertz * note.bend(at: time / seconds) / rate
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
