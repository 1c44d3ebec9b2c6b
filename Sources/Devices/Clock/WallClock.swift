// The machine's clocks, how far they are trusted, and the time scale of a simulated clock.

import CivilTime

package protocol WallClock: Sendable {
    var reading: Moment { get }
    /// How far the system's clock is trusted now.
    var trust: ClockTrust { get }
    /// The name of the machine's zone, as set now.
    var zoneName: String { get }
}

/// The reason to trust the system's clock, if there is one.
package enum ClockTrust: Hashable, Sendable, CaseIterable {
    /// The network has synchronised the clock since the machine was started.
    case synchronised
    /// A hardware clock with a battery set the clock at the start.
    case hardwareClock
    /// No source has set the clock: it shows a time that was saved earlier, or worse.
    case nobody

    /// True if the clock presumably shows the right time.
    package var isTrusted: Bool { self != .nobody }
}

extension ClockTrust: CustomStringConvertible {
    package var description: String {
        switch self {
        case .synchronised: "set by the network"
        case .hardwareClock: "set by the hardware clock"
        case .nobody: "not set"
        }
    }
}

/// The time scale of a clock that may run fast. While it is pinned, its seconds last real seconds. A wait
/// for real hardware, such as a disk, then has as much time as with a real clock.
package protocol TimeScale: Sendable {
    /// Begins a wait. Until it ends, no second is shorter than a real one.
    func pin()
    /// Ends one wait.
    func unpin()
}
