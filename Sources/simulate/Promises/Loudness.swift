// How loud a session was, and why.

import Alarms
import Devices
import Engine

/// A level, and the sessions that rang then: those that wait make the one that is heard louder.
struct Loudness {
    private var decibels = -Double.infinity
    private var ringing: Set<Occurrence> = []

    /// Notes how loud it is. Answers what is wrong with it: it is softer than before, though all that rang then rings still.
    mutating func note(_ decibels: Double, among ringing: Set<Occurrence>) -> String? {
        defer { (self.decibels, self.ringing) = (decibels, ringing) }
        guard self.ringing.isSubset(of: ringing), decibels < self.decibels - 1e-9 else { return nil }
        return "it was \(self.decibels) dB loud, and is \(decibels)"
    }
}

extension SoundOrder {
    var ramp: Ramp { Ramp(volume: ring.volume, seconds: ring.rampSeconds, startUptime: rampStartUptime) }
}
