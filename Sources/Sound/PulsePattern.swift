// The on/off patterns of the buzzer and the lamps, and how a sound is turned into one.

/// An on/off pattern that repeats.
package struct PulsePattern: Hashable, Sendable {
    /// The durations in milliseconds, alternating on and off. The last one is off.
    package let milliseconds: [Int]

    /// Half a second on, half a second off. Wakes a sleeper if no pattern can be derived from the sound.
    package static let standard = PulsePattern(milliseconds: [500, 500])

    private init(milliseconds: [Int]) {
        self.milliseconds = milliseconds
    }

    /// Creates a pattern from alternating durations. Returns nil if it does not end with an off phase, or
    /// if a duration is outside 10 ms to 60 s.
    package init?(_ milliseconds: [Int]) {
        guard !milliseconds.isEmpty, milliseconds.count % 2 == 0, milliseconds.allSatisfy({ PulsePattern.parts ~= $0 })
        else {
            return nil
        }
        self.milliseconds = milliseconds
    }

    private static let parts = 10...60_000

    package var lengthMilliseconds: Int { milliseconds.reduce(0, +) }

    /// Returns the state of the output at a time after the start, and for how long it stays that way.
    package func phase(after elapsedMilliseconds: Int) -> (isOn: Bool, leftMilliseconds: Int) {
        var left = max(0, elapsedMilliseconds) % max(1, lengthMilliseconds)
        for (index, part) in milliseconds.enumerated() {
            if left < part { return (index % 2 == 0, part - left) }
            left -= part
        }
        // Not reached: every duration is at least 10 ms.
        return (false, 1)
    }

    /// Derives the pattern of a sound: on where the sound is loud. Falls back to `standard` if the sound
    /// never alternates, has an on phase shorter than 50 ms, or has a phase longer than 2 s.
    package init(of samples: Samples) {
        let step = max(1, samples.rate * PulsePattern.stepMilliseconds / 1000)
        let length = min(samples.values.count, samples.rate * PulsePattern.secondsMax)
        let powers = stride(from: 0, to: length - step + 1, by: step).map { start in
            samples.values[start..<start + step].reduce(Float(0)) { $0 + $1 * $1 }
        }
        let loud = (powers.max() ?? 0) * PulsePattern.loudPart
        var runs: [(isOn: Bool, milliseconds: Int)] = []
        for power in powers {
            let isOn = power > loud
            if runs.last?.isOn == isOn {
                runs[runs.count - 1].milliseconds += PulsePattern.stepMilliseconds
            } else {
                runs.append((isOn, PulsePattern.stepMilliseconds))
            }
        }
        // The pattern is cyclic. If it starts and ends in the same state, both runs are one. A leading
        // silence moves to the end.
        if runs.count > 2, runs.first?.isOn == runs.last?.isOn {
            runs[0].milliseconds += runs.removeLast().milliseconds
        }
        if let first = runs.first, !first.isOn { runs.append(runs.removeFirst()) }
        let (noise, silence) = (runs.filter(\.isOn), runs.filter { !$0.isOn })
        let isPulsePattern =
            runs.count % 2 == 0 && !runs.isEmpty
            && noise.allSatisfy { 2 * PulsePattern.stepMilliseconds...PulsePattern.runMax ~= $0.milliseconds }
            && silence.allSatisfy { $0.milliseconds <= PulsePattern.runMax }
        self = isPulsePattern ? PulsePattern(milliseconds: runs.map(\.milliseconds)) : .standard
    }

    private static let stepMilliseconds = 25
    /// A block is on if its power exceeds this fraction of the loudest block's: 9 dB below it.
    private static let loudPart: Float = 0.125
    /// Only the first seconds of a long sound are examined.
    private static let secondsMax = 10
    private static let runMax = 2000
}
