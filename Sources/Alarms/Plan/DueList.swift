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

    /// The instant of the first ring: the engine asks for it at each input, and copies no ring for it.
    package var firstInstant: Instant? { heap.firstInstant }

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

/// A heap of rings; at one instant the first alarm's comes first. Nodes have four children, which lie side by side.
struct RingHeap: Sendable {
    private var heap: [(ring: PlannedRing, place: Int)] = []

    var count: Int { heap.count }

    var first: (ring: PlannedRing, place: Int)? { heap.first }

    var firstInstant: Instant? { heap.isEmpty ? nil : heap[0].ring.occurrence.at }

    mutating func push(_ ring: PlannedRing, _ place: Int) {
        heap.append((ring, place))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 4) {
            heap.swapAt(child, (child - 1) / 4)
            child = (child - 1) / 4
        }
    }

    mutating func popFirst() -> (ring: PlannedRing, place: Int)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in stride(from: 4 * parent + 1, to: min(4 * parent + 5, heap.count), by: 1)
            where precedes(child, least) {
                least = child
            }
            guard least != parent else { return first }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        (heap[a].ring.occurrence.at, heap[a].place) < (heap[b].ring.occurrence.at, heap[b].place)
    }
}
