// The removal of long silence from a sound. During a long pause the sleeper would sleep on.

import Sound

extension Samples {
    /// The longest pause that remains. The built-in sounds have none that is longer.
    private static let longestPauseSeconds = 1
    /// Samples below this fraction of the peak are silence: 46 dB below it.
    private static let silentPart: Float = 1 / 200
    /// Samples below this value are noise, even in a soft sound.
    private static let noise: Float = 0.0002

    /// Shortens each pause to a second, and removes one at the beginning. Returns texts for the owner.
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
        var texts: [String] = []
        if atBeginning > 0 { texts.append("begins with \(seconds(atBeginning)) s of silence, which are not played") }
        if elsewhere >= rate {
            texts.append("has pauses longer than 1 s: \(seconds(elsewhere)) s of them are not played")
        }
        return texts
    }

    private func seconds(_ frames: Int) -> Int { (frames + rate / 2) / rate }
}
