// The sound that needs nothing: what is heard when no other is there yet.

import Glibc

extension Samples {
    /// Beeps of 880 Hz, twice a second: made in no time, at any rate.
    package static func plainTone(rate: Int) -> Samples {
        let (period, on) = (rate / 2, rate * 3 / 10)
        let fade = Float(max(1, rate / 200))
        let values = (0..<max(period, 1)).map { frame -> Float in
            guard frame < on else { return 0 }
            let edge = min(Float(frame), Float(on - frame), fade) / fade
            return 0.6 * edge * sin(2 * .pi * 880 * Float(frame) / Float(rate))
        }
        return Samples(values: values, rate: rate)
    }
}
