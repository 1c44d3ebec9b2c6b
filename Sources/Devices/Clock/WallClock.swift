// The clocks of a machine, how far they can be trusted, and the time scale of a simulated one.

import CivilTime

package protocol WallClock: Sendable {
    var reading: Moment { get }
    /// How far the time can be believed, now.
    var trust: ClockTrust { get }
    /// The name of the zone that the machine is set to, now.
    var zoneName: String { get }
}

/// Why the system's clock may be believed, or that it may not.
package enum ClockTrust: Hashable, Sendable, CaseIterable {
    /// It has been compared with clocks that are right, since the machine was started.
    case synchronised
    /// A clock with a battery has set it when the machine was started.
    case hardwareClock
    /// It shows what somebody wrote down some time ago, or worse.
    case nobody

    /// Whether it shows the time, as far as anybody can know.
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

/// The time scale of a clock that may run fast. While it is pinned, its seconds are real ones: a wait for real hardware, such
/// as a disk, then has as much time as with a real clock.
package protocol TimeScale: Sendable {
    /// A wait begins: until it ends, no second is shorter than a real one.
    func pin()
    /// One of these waits has ended.
    func unpin()
}
