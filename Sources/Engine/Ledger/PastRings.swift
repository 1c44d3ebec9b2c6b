// What is over: how each ring went.

import Alarms
import CivilTime

/// The past rings, the oldest first.
struct PastRings: Sendable {
    private(set) var rings: [PastRing] = []
    /// Those of alarms that are gone; some may be forgotten.
    private var orphans: Set<Occurrence> = []

    /// So many moments agree that time has gone by, of those of the last rings.
    private static let witnesses = 50
    private static let witnessesAmong = 2000
    /// So long they are kept, and until so many have come since.
    private static let milliseconds = 400 * 86_400_000
    /// A hostel's year has fewer; more are let go, the oldest first.
    static let countMax = 20_000
    private static let countMin = countMax * 9 / 10

    /// One that was kept before, perhaps of an alarm that was gone meanwhile and is back.
    mutating func keep(_ ring: PastRing) {
        var orphan = ring
        orphan.isOrphan = true
        if !ring.isOrphan, orphans.contains(ring.occurrence), let index = rings.lastIndex(of: orphan) {
            rings[index] = ring
        } else {
            add(ring)
        }
    }

    mutating func add(_ ring: PastRing) {
        if ring.isOrphan { orphans.insert(ring.occurrence) }
        rings.append(ring)
        guard
            rings.count > PastRings.countMax
                || rings[0].endedMilliseconds < ring.endedMilliseconds - PastRings.milliseconds
        else { return }
        let oldest = now - PastRings.milliseconds
        // Many at once: each removal moves all the rest.
        let tooMany = rings.count > PastRings.countMax ? rings.count - PastRings.countMin : 0
        let tooOld = rings.prefix { $0.endedMilliseconds < oldest }.count
        guard max(tooMany, tooOld) > 0 else { return }
        rings.removeFirst(max(tooMany, tooOld))
        orphans = Set(rings.lazy.filter(\.isOrphan).map(\.occurrence))
    }

    /// When it is, by the earliest of the last few moments at which something was over: a clock that was ahead for a moment must
    /// not take the history with it, however much it has missed in that moment.
    private var now: Int {
        var moments: Set<Int> = []
        for ring in rings.suffix(PastRings.witnessesAmong).reversed() where moments.count < PastRings.witnesses {
            moments.insert(ring.endedMilliseconds)
        }
        return moments.count < PastRings.witnesses ? .min / 2 : moments.min() ?? 0
    }

    /// Since when all of them are there, where there are so many that some may have been let go.
    var remembersSince: Instant? {
        guard rings.count >= PastRings.countMax / 2, let first = rings.first else { return nil }
        return max(first.occurrence.at, Instant(secondsSince1970: first.endedMilliseconds.dividedDown(by: 1000)))
    }

    /// The clock was set back: what is said to have been missed was not, unless it is too late by that clock as well. How late is
    /// written down with it; records that do not say so yet go by the alarm as it is. Answers with what that changes.
    mutating func takeBackMissed(at now: Instant, windowSeconds: (Alarm.ID) -> Int?) -> [PastRing] {
        var changed: [PastRing] = []
        rings = rings.compactMap { ring in
            guard ring.session == nil else { return ring }
            let window = ring.lateWindowSeconds ?? windowSeconds(ring.occurrence.alarm) ?? 0
            let left = ring.missed(until: now.advanced(by: -1 - max(window, Engine.lateSecondsMin)))
            if left != ring { changed.append(ring) }
            return left
        }
        return changed
    }

    /// What was missed of each alarm that is there still.
    var missed: [Alarm.ID: [ClosedRange<Instant>]] {
        rings.reduce(into: [:]) { missed, ring in
            guard ring.session == nil, !ring.isOrphan else { return }
            let first = ring.firstMissed ?? ring.occurrence.at
            missed[ring.occurrence.alarm, default: []].append(first...max(first, ring.occurrence.at))
        }
    }

    /// Whether a version of an alarm was switched off by a ring that was missed.
    func isMissed(_ id: Alarm.ID, version: Instant) -> Bool {
        rings.contains { $0.session == nil && $0.occurrence.alarm == id && $0.switchedOff == version }
    }

    /// An alarm is gone.
    mutating func orphan(_ id: Alarm.ID) {
        for index in rings.indices where rings[index].occurrence.alarm == id {
            rings[index].isOrphan = true
            orphans.insert(rings[index].occurrence)
        }
    }

    /// Changes how a session went that has just ended: what was asked for before was written down after.
    mutating func change(_ occurrence: Occurrence, _ change: (inout Session) -> Void) {
        guard let index = rings.lastIndex(where: { $0.occurrence == occurrence && $0.session != nil }) else { return }
        if var session = rings[index].session {
            change(&session)
            session.pause = nil
            rings[index].session = session
        }
    }
}
