// Short signals to whoever is at the bed, by a speaker that rings or by the buzzer beside it.

import Sound

/// When a signal may be given, and when the buzzer has given it.
struct Signals: Sendable {
    private var nextUptime = -Double.infinity
    /// When the buzzer is to be silent again; nil while it gives no signal.
    private(set) var buzzEndUptime: Double?

    /// Whoever presses again and again must not make a ring silent.
    private static let pauseMilliseconds = 1000.0
    /// Until a buzzer that cannot be switched off is told again.
    private static let retryMilliseconds = 100.0

    mutating func mayStart(at uptime: Double) -> Bool {
        guard uptime >= nextUptime else { return false }
        nextUptime = uptime + Signals.pauseMilliseconds
        return true
    }

    mutating func buzz(_ signal: PulsePattern, at uptime: Double) {
        buzzEndUptime = uptime + Double(signal.lengthMilliseconds)
    }

    /// Whether the buzzer is to be silent from now on. One that refuses is told again.
    mutating func endBuzz(at uptime: Double) -> Bool {
        guard let end = buzzEndUptime, end <= uptime else { return false }
        buzzEndUptime = uptime + Signals.retryMilliseconds
        return true
    }

    /// The buzzer is silent, or rings.
    mutating func forgetBuzz() { buzzEndUptime = nil }
}
