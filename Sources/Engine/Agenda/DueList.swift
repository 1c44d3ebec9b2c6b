// The next ring of each alarm, of which the earliest is wanted.

import Alarms
import CivilTime

/// What is to ring. Changing one alarm's ring takes no longer than the logarithm of how many alarms there are.
struct DueList: Sendable {
    private var next: [Alarm.ID: (ring: PlannedRing, place: Int)] = [:]
    /// All of `next`, and some that no longer hold; the first holds.
    private var heap = RingHeap()

    /// How many rings it remembers, those included that no longer hold.
    var load: Int { heap.count }

    /// The earliest.
    var first: PlannedRing? { heap.first?.ring }

    /// The next ring of an alarm.
    subscript(alarm: Alarm.ID) -> PlannedRing? { next[alarm]?.ring }

    /// Plans an alarm anew: its next ring, or that it has none. `place` is its place among the alarms.
    mutating func plan(_ alarm: Alarm.ID, _ ring: PlannedRing?, place: Int) {
        guard next[alarm]?.ring != ring else { return }
        next[alarm] = ring.map { ($0, place) }
        if let ring { heap.push(ring, place) }
        // Rings that no longer hold go when they come to the top; some may take years.
        if heap.count > 2 * next.count + 64 { sweep() }
        while let first = heap.first, !holds(first) { _ = heap.popFirst() }
    }

    /// The next rings of all alarms, the earliest first, as many as are asked for.
    func first(_ count: Int) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while rings.count < count, let first = heap.popFirst() {
            if holds(first), rings.last != first.ring { rings.append(first.ring) }
        }
        return rings
    }

    /// Every alarm's next ring that is at `last` or before, the earliest first.
    func rings(until last: Instant) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while let first = heap.popFirst(), first.ring.occurrence.at <= last {
            if holds(first), rings.last != first.ring { rings.append(first.ring) }
        }
        return rings
    }

    private mutating func sweep() {
        var swept = RingHeap()
        while let first = heap.popFirst() {
            if holds(first) { swept.push(first.ring, first.place) }
        }
        heap = swept
    }

    /// An alarm that was deleted and made anew has another place than before.
    private func holds(_ planned: (ring: PlannedRing, place: Int)) -> Bool {
        next[planned.ring.occurrence.alarm].map { $0 == planned } ?? false
    }
}
