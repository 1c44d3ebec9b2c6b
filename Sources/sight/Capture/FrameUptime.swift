// Frames' times as uptimes.

import Glibc
import Loop

extension Uptime {
    /// A frame's time by the clock that stands still while the machine sleeps, by this one. What a driver does not say, or says
    /// of the future, is now. An old one stays old: a frame that has waited while this program stood still is no new one.
    static func milliseconds(ofMonotonic taken: Double?) -> Int {
        let (now, monotonic) = (now, Double(kernelNanoseconds(CLOCK_MONOTONIC)) / 1_000_000)
        guard let taken, taken > 0, taken <= monotonic else { return Int(now) }
        return Int(now - (monotonic - taken))
    }
}
