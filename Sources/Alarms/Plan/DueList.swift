// The next ring of each alarm, with fast access to the earliest.

import CivilTime

/// The next rings of all alarms. A change of one takes time logarithmic in the number of alarms.
package struct DueList: Sendable {
    private var next: [Alarm.ID: (ring: PlannedRing, place: Int)] = [:]
    /// All rings of `next`, and outdated ones. The first is never outdated.
    private var heap = RingHeap()

    package init() {}

    /// The number of rings in memory, including outdated ones.
    package var load: Int { heap.count }

    package var first: PlannedRing? { heap.first?.ring }

    /// The instant of the first ring. The engine reads it at each input, so it copies no ring.
    package var firstInstant: Instant? { heap.firstInstant }

    package subscript(alarm: Alarm.ID) -> PlannedRing? { next[alarm]?.ring }

    /// Sets an alarm's next ring, or removes it if `ring` is nil. `place` is the alarm's index among the
    /// alarms.
    package mutating func plan(_ alarm: Alarm.ID, _ ring: PlannedRing?, place: Int) {
        guard next[alarm]?.ring != ring else { return }
        next[alarm] = ring.map { ($0, place) }
        if let ring { heap.push(ring, place) }
        // An outdated ring is dropped when it reaches the top, which may take years. A sweep bounds their
        // number.
        if heap.count > 2 * next.count + 64 { sweep() }
        while let first = heap.first, !holds(first) { _ = heap.popFirst() }
    }

    /// Returns the next ring of every alarm up to `last`, the earliest first, and at most `countMax` rings.
    package func rings(until last: Instant = .latest, countMax: Int = .max) -> [PlannedRing] {
        var heap = heap
        var rings: [PlannedRing] = []
        while rings.count < countMax, let first = heap.popFirst(), first.ring.at <= last {
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

    /// Returns whether a ring is up to date. An alarm that was deleted and made again has another place.
    private func holds(_ planned: (ring: PlannedRing, place: Int)) -> Bool {
        next[planned.ring.occurrence.alarm].map { $0 == planned } ?? false
    }
}

/// A heap of rings, ordered by instant, then by the alarm's place. Each node has four adjacent children.
struct RingHeap: Sendable {
    private var heap: [(ring: PlannedRing, place: Int)] = []

    var count: Int { heap.count }

    var first: (ring: PlannedRing, place: Int)? { heap.first }

    var firstInstant: Instant? { heap.isEmpty ? nil : heap[0].ring.at }

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
        (heap[a].ring.at, heap[a].place) < (heap[b].ring.at, heap[b].place)
    }
}
