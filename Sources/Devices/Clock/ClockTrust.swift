// Who has set the clock.

/// Why the system's clock may be believed, or that it may not.
public enum ClockTrust: Hashable, Sendable, CaseIterable {
    /// It has been compared with clocks that are right, since the machine was started.
    case synchronised
    /// A clock with a battery has set it when the machine was started.
    case hardwareClock
    /// It shows what somebody wrote down some time ago, or worse.
    case nobody

    /// Whether it shows the time, as far as anybody can know.
    public var isTrusted: Bool { self != .nobody }
}

extension ClockTrust: CustomStringConvertible {
    /// In the owner's words.
    public var description: String {
        switch self {
        case .synchronised: "set by the network"
        case .hardwareClock: "set by the hardware clock"
        case .nobody: "not set"
        }
    }
}
