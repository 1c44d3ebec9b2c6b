// A scan: the owner holds a code in front of the camera, to enrol or to test it.

import Alarms

/// The purpose of a scan while no session is open.
package enum ScanPurpose: Hashable, Sendable {
    case enrol(label: String, kind: Challenge.Kind = .qr)
    /// Report whether a code can be read and is enrolled.
    case test

    var kinds: Set<Challenge.Kind> {
        switch self {
        case .enrol(_, let kind): [kind]
        case .test: [.qr, .tag]
        }
    }
}

/// A scan for one code or tag, and the request that waits for its result. It has a timeout.
package struct CodeScan: Hashable, Sendable {
    package let purpose: ScanPurpose
    let context: CommandContext
    let timeoutUptime: Int
    /// The only code in view, and the time since which it has been in view.
    private var held: CodeDigest?
    private var heldSinceUptime = 0

    /// The time for which the code must be held. By then the camera has read a second code, even a blurred
    /// one.
    private static let holdMilliseconds = 1000
    private static let timeoutMilliseconds = 60_000

    init(_ purpose: ScanPurpose, _ context: CommandContext) {
        (self.purpose, self.context) = (purpose, context)
        timeoutUptime = context.uptime + CodeScan.timeoutMilliseconds
    }

    /// Records the only code in view. Returns whether it has been held long enough to be the intended one.
    mutating func isHeld(_ digest: CodeDigest, at takenUptime: Int) -> Bool {
        if held != digest { (held, heldSinceUptime) = (digest, takenUptime) }
        return takenUptime - heldSinceUptime >= CodeScan.holdMilliseconds
    }
}
