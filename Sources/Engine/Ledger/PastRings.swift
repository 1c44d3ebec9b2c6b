// What is over: how each ring went.

import Alarms

/// The past rings, the oldest first.
struct PastRings: Sendable {
    private(set) var rings: [PastRing] = []

    /// So long they are kept.
    private static let milliseconds = 400 * 86_400_000
    /// A hostel's year has fewer; more are let go, the oldest first.
    static let countMax = 20_000

    mutating func add(_ ring: PastRing) {
        rings.append(ring)
        let oldest = ring.endedMilliseconds - PastRings.milliseconds
        guard rings.count > PastRings.countMax || rings[0].endedMilliseconds < oldest else { return }
        // Many at once: each removal moves all the rest.
        let tooMany = rings.count > PastRings.countMax ? rings.count - PastRings.countMax * 9 / 10 : 0
        let tooOld = rings.prefix { $0.endedMilliseconds < oldest }.count
        rings.removeFirst(max(tooMany, tooOld))
    }

    /// Changes how a session went that has just ended: what was asked for before was written down after.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        guard let index = rings.lastIndex(where: { $0.occurrence == occurrence && $0.session != nil }) else { return }
        if var session = rings[index].session {
            change(&session)
            rings[index].session = session
        }
    }
}
