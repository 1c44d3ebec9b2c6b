// Takes long silence out of a sound: a ring that pauses lets its sleeper sleep on.

import Sound

extension Samples {
    /// The longest pause that is left, as long as in the built-in sounds.
    private static let longestPauseSeconds = 1
    /// What is so far below the largest value is silence: 46 decibels.
    private static let silentPart: Float = 1 / 200
    /// What is softer than this is the noise of silence, whatever the largest value is.
    private static let noise: Float = 0.0002

    /// Leaves a second of each longer pause, nothing of one at the beginning. Answers what there is to say about that.
    mutating func shortenPauses() -> [String] {
        let bound = max(peak * Samples.silentPart, Samples.noise)
        let longest = rate * Samples.longestPauseSeconds
        var (kept, silent, atBeginning) = (0, 0, 0)
        var isHeard = false
        values.withUnsafeMutableBufferPointer { values in
            for frame in values.indices {
                if abs(values[frame]) < bound {
                    silent += 1
                    if silent > longest { continue }
                } else {
                    if !isHeard, silent > longest { (kept, atBeginning) = (0, silent) }
                    (isHeard, silent) = (true, 0)
                }
                values[kept] = values[frame]
                kept += 1
            }
        }
        let elsewhere = values.count - kept - atBeginning
        values.removeLast(values.count - kept)
        var words: [String] = []
        if atBeginning > 0 { words.append("its first \(seconds(atBeginning)) seconds are silent, and left out") }
        if elsewhere >= rate {
            words.append("\(seconds(elsewhere)) seconds of its pauses are left out: none lasts longer than a second")
        }
        return words
    }

    private func seconds(_ frames: Int) -> Int { (frames + rate / 2) / rate }
}
