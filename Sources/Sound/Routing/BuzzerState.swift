// What routing knows of the last resort.

/// Whether the buzzer sounds, as far as it has answered.
///
/// ```
///  off ──► starting ──► heard ──► stopping ──► off
///             │ ▲                   │ ▲
///             ▼ │                   ▼ │
///            failed                stuck
/// ```
enum BuzzerState: Hashable, Sendable {
    case off
    /// It was told to sound, and has not answered.
    case starting
    case heard
    /// It does not sound, and should.
    case failed(retryUptime: Int)
    /// It was told to be silent, and has not answered.
    case stopping
    /// It sounds, for all that is known, and should not.
    case stuck(retryUptime: Int)

    /// Applies the buzzer's answer to its last order. An answer to an earlier order is ignored.
    mutating func acknowledge(isOn: Bool, isDone: Bool, at uptime: Int) {
        switch (self, isOn) {
        case (.starting, true): self = isDone ? .heard : .failed(retryUptime: uptime + RoutingTimes.buzzerBackoff)
        case (.stopping, false): self = isDone ? .off : .stuck(retryUptime: uptime + RoutingTimes.buzzerBackoff)
        default: break
        }
    }

    /// When it is to be told again.
    var retryUptime: Int? {
        switch self {
        case .failed(let retry), .stuck(let retry): retry
        case .off, .starting, .heard, .stopping: nil
        }
    }
}
