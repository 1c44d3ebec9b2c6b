// The state of the buzzer, as routing sees it.

/// The buzzer's state, by its acknowledgements.
///
/// ```
///  off ──► starting ──► heard ──► stopping ──► off
///             │ ▲                   │ ▲
///             ▼ │                   ▼ │
///            failed                stuck
/// ```
enum BuzzerState: Hashable, Sendable {
    case off
    /// The order to sound was sent and is not acknowledged yet.
    case starting
    case heard
    /// The buzzer is silent although it should sound.
    case failed(retryUptime: Int)
    /// The order to stop was sent and is not acknowledged yet.
    case stopping
    /// The buzzer probably sounds although it should not.
    case stuck(retryUptime: Int)

    /// Applies the buzzer's answer to its last order. An answer to an earlier order is ignored.
    mutating func acknowledge(isOn: Bool, isDone: Bool, at uptime: Int) {
        switch (self, isOn) {
        case (.starting, true): self = isDone ? .heard : .failed(retryUptime: uptime + RoutingTimes.buzzerBackoff)
        case (.stopping, false): self = isDone ? .off : .stuck(retryUptime: uptime + RoutingTimes.buzzerBackoff)
        default: break
        }
    }

    /// The uptime at which the order is repeated.
    var retryUptime: Int? {
        switch self {
        case .failed(let retry), .stuck(let retry): retry
        case .off, .starting, .heard, .stopping: nil
        }
    }
}
