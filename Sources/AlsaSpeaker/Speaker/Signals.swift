// The timing of short signals to the person at the bed.

import Sound

/// Decides when a signal may start, and when the buzzer's signal ends.
struct Signals: Sendable {
    private var nextUptime = -Double.infinity
    /// When the buzzer's signal ends; nil while there is none.
    private(set) var buzzEndUptime: Double?

    /// The interval between signals. Without it, pressing a button again and again would mute a ring.
    private static let pauseMilliseconds = 1000.0
    /// The interval between attempts to switch off a buzzer that fails.
    private static let retryMilliseconds = 100.0

    mutating func mayStart(at uptime: Double) -> Bool {
        guard uptime >= nextUptime else { return false }
        nextUptime = uptime + Signals.pauseMilliseconds
        return true
    }

    mutating func buzz(_ signal: PulsePattern, at uptime: Double) {
        buzzEndUptime = uptime + Double(signal.lengthMilliseconds)
    }

    /// Returns true if the buzzer must be switched off now. If that fails, it becomes due again.
    mutating func endBuzz(at uptime: Double) -> Bool {
        guard let end = buzzEndUptime, end <= uptime else { return false }
        buzzEndUptime = uptime + Signals.retryMilliseconds
        return true
    }

    /// Forgets the signal: the buzzer is off, or sounds for a ring.
    mutating func forgetBuzz() { buzzEndUptime = nil }
}
