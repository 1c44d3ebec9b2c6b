// The next ring of each alarm, of which the earliest is wanted.

import Alarms
import CivilTime

/// What is to ring. Changing one alarm's ring takes no longer than the logarithm of how many alarms there are.
struct DueList: Sendable {
    private var next: [Alarm.ID: PlannedRing] = [:]
    /// All of `next`, and some that no longer hold.
    private var heap = RingHeap()

    /// How many rings it remembers, those included that no longer hold.
    var load: Int { heap.count }

    /// The earliest.
    mutating func first() -> PlannedRing? {
        while let (ring, _) = heap.first {
            if next[ring.occurrence.alarm] == ring { return ring }
            _ = heap.popFirst()
        }
        return nil
    }

    /// The next ring of an alarm.
    subscript(alarm: Alarm.ID) -> PlannedRing? { next[alarm] }

    /// Plans an alarm anew: its next ring, or that it has none. `place` is its place among the alarms.
    mutating func plan(_ alarm: Alarm.ID, _ ring: PlannedRing?, place: Int) {
        guard next[alarm] != ring else { return }
        next[alarm] = ring
        if let ring { heap.push(ring, place) }
        // Rings that no longer hold go when they come to the top; some may take years.
        if heap.count > 2 * next.count + 64 { sweep() }
    }

    /// The next rings of all alarms, the earliest first, as many as are asked for.
    func first(_ count: Int) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while rings.count < count, let (ring, _) = heap.popFirst() {
            if next[ring.occurrence.alarm] == ring, rings.last != ring { rings.append(ring) }
        }
        return rings
    }

    /// Every alarm's next ring that is at `last` or before, the earliest first.
    func rings(until last: Instant) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while let (ring, _) = heap.popFirst(), ring.occurrence.at <= last {
            if next[ring.occurrence.alarm] == ring, rings.last != ring { rings.append(ring) }
        }
        return rings
    }

    private mutating func sweep() {
        var swept = RingHeap()
        while let (ring, place) = heap.popFirst() {
            if next[ring.occurrence.alarm] == ring { swept.push(ring, place) }
        }
        heap = swept
    }
}
