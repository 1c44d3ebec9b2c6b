// When something that knows but on and off makes a noise, so that it is known for the alarm that it is.

/// Noise and silence in turns, over and over.
package struct PulsePattern: Hashable, Sendable {
    /// How long each lasts, in milliseconds: noise, silence, noise, and so on; it ends with a silence.
    package let milliseconds: [Int]

    /// Half a second each: what wakes somebody, whatever the sound was to be.
    package static let standard = PulsePattern(milliseconds: [500, 500])

    private init(milliseconds: [Int]) {
        self.milliseconds = milliseconds
    }

    /// Noise, silence, and so on, in milliseconds; nil where it does not end with a silence or a part of it is over at once.
    package init?(_ milliseconds: [Int]) {
        guard !milliseconds.isEmpty, milliseconds.count % 2 == 0, milliseconds.allSatisfy({ PulsePattern.parts ~= $0 })
        else {
            return nil
        }
        self.milliseconds = milliseconds
    }

    private static let parts = 10...60_000

    package var lengthMilliseconds: Int { milliseconds.reduce(0, +) }

    /// Whether there is noise so long after its beginning, and for how long that stays so.
    package func phase(after elapsedMilliseconds: Int) -> (isOn: Bool, leftMilliseconds: Int) {
        var left = max(0, elapsedMilliseconds) % max(1, lengthMilliseconds)
        for (index, part) in milliseconds.enumerated() {
            if left < part { return (index % 2 == 0, part - left) }
            left -= part
        }
        // Not one of these is empty.
        return (false, 1)
    }

    /// The rhythm of a sound: noise where that is loud. What has none, is noise or silence for too long, or is nothing but
    /// clicks, is given the standard one.
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
        // It goes round: its end and its beginning may be one, and silence is put at the end.
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
    /// Noise is what has more than this part of the power of the loudest: 9 decibels below it.
    private static let loudPart: Float = 0.125
    /// Of a long sound, the beginning will do.
    private static let secondsMax = 10
    private static let runMax = 2000
}
