// What is over: how each ring went.

import Alarms
import CivilTime

/// The past rings, the oldest first.
struct PastRings: Sendable {
    private(set) var rings: [PastRing] = []

    /// So many rings agree that time has gone by.
    private static let witnesses = 200
    /// So long they are kept, and until so many have come since.
    private static let milliseconds = 400 * 86_400_000
    /// A hostel's year has fewer; more are let go, the oldest first.
    static let countMax = 20_000
    private static let countMin = countMax * 9 / 10

    mutating func add(_ ring: PastRing) {
        rings.append(ring)
        guard
            rings.count > PastRings.countMax
                || rings[0].endedMilliseconds < ring.endedMilliseconds - PastRings.milliseconds
        else { return }
        let oldest = now - PastRings.milliseconds
        // Many at once: each removal moves all the rest.
        let tooMany = rings.count > PastRings.countMax ? rings.count - PastRings.countMin : 0
        let tooOld = rings.prefix { $0.endedMilliseconds < oldest }.count
        rings.removeFirst(max(tooMany, tooOld))
    }

    /// The time, by the earliest end of the last rings: a clock that was ahead for a moment must not take the history with it.
    private var now: Int {
        rings.count < PastRings.witnesses
            ? .min / 2 : rings.suffix(PastRings.witnesses).map(\.endedMilliseconds).min() ?? 0
    }

    /// The clock was set back: what was missed and is still to come by it, or late and not too old, was not missed. Of several
    /// that were missed as one, those that are too old all the same are told anew. Answers with what is taken back.
    mutating func takeBackMissed(at now: Instant) -> [MissedRings] {
        func isTakenBack(_ missed: MissedRings) -> Bool {
            missed.occurrence.at >= now.advanced(by: -max(missed.lateWindowSeconds, Agenda.lateSecondsMin))
        }
        let taken = rings.compactMap(\.missed).filter(isTakenBack)
        rings.removeAll { $0.missed.map(isTakenBack) ?? false }
        return taken
    }

    /// Whether a revision of an alarm was switched off by a ring that was missed.
    func isMissed(_ id: Alarm.ID, revision: Int) -> Bool {
        rings.contains { ring in
            ring.missed.map { $0.occurrence.alarm == id && $0.revision == revision && $0.switchesOff } ?? false
        }
    }

    /// Changes how a session went that has just ended: what was asked for before was written down after.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        guard let index = rings.lastIndex(where: { $0.session?.occurrence == occurrence }),
            var session = rings[index].session
        else { return }
        change(&session)
        session.end(rings[index].ending)
        rings[index].session = session
    }
}
