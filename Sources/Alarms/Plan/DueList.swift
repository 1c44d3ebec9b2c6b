// The next ring of each alarm, of which the earliest is wanted.

import CivilTime

/// What is to ring. Changing one alarm's ring takes no longer than the logarithm of how many alarms there are.
package struct DueList: Sendable {
    private var next: [Alarm.ID: (ring: PlannedRing, place: Int)] = [:]
    /// All of `next`, and some that no longer hold; the first holds.
    private var heap = RingHeap()

    package init() {}

    /// How many rings it remembers, those included that no longer hold.
    package var load: Int { heap.count }

    package var first: PlannedRing? { heap.first?.ring }

    package subscript(alarm: Alarm.ID) -> PlannedRing? { next[alarm]?.ring }

    /// Plans an alarm anew: its next ring, or that it has none. `place` is its place among the alarms.
    package mutating func plan(_ alarm: Alarm.ID, _ ring: PlannedRing?, place: Int) {
        guard next[alarm]?.ring != ring else { return }
        next[alarm] = ring.map { ($0, place) }
        if let ring { heap.push(ring, place) }
        // Rings that no longer hold go when they come to the top; some may take years.
        if heap.count > 2 * next.count + 64 { sweep() }
        while let first = heap.first, !holds(first) { _ = heap.popFirst() }
    }

    /// The next ring of every alarm that rings at `last` or before, the earliest first, and no more than are asked for.
    package func rings(until last: Instant = .latest, countMax: Int = .max) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while rings.count < countMax, let first = heap.popFirst(), first.ring.occurrence.at <= last {
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
