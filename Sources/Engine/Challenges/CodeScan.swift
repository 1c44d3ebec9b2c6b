// Holding a code before the camera to enrol it, or to see whether it can be read and is known.

import Alarms

/// Why a code is scanned while no session is open.
package enum ScanPurpose: Hashable, Sendable {
    case enrol(label: String, kind: Challenge.Kind = .qr)
    /// Tell the owner whether a code can be read, and whether it is enrolled.
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
    /// The only code in view, and since when it has been.
    private var held: CodeDigest?
    private var heldSinceUptime = 0

    /// So long the owner holds the code that is meant. Another code in the room has been read by then, even a blurred one.
    private static let holdMilliseconds = 1000
    private static let timeoutMilliseconds = 60_000

    init(_ purpose: ScanPurpose, _ context: CommandContext) {
        (self.purpose, self.context) = (purpose, context)
        timeoutUptime = context.uptime + CodeScan.timeoutMilliseconds
    }

    /// Notes the only code in view. Returns whether it has been held long enough to be the one that is meant.
    mutating func isHeld(_ digest: CodeDigest, at takenUptime: Int) -> Bool {
        if held != digest { (held, heldSinceUptime) = (digest, takenUptime) }
        return takenUptime - heldSinceUptime >= CodeScan.holdMilliseconds
    }
}
