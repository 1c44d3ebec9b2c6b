// Merging the rings of many alarms without planning them all at once.

import CivilTime

/// The rings of an interval, found one by one as they are asked for: a century of rings takes no more memory than a day.
public struct RingsInOrder: Sequence, IteratorProtocol {
    private let schedules: [Schedule]
    private let until: Instant
    /// The next ring of each alarm that has one: a binary heap, the earliest on top.
    private var heap: [(ring: PlannedRing, index: Int)] = []

    init(_ schedules: [Schedule], from: Instant, until: Instant) {
        self.schedules = schedules
        self.until = until
        for index in schedules.indices {
            push(schedules[index].next(after: from.advanced(by: -1)), index)
        }
    }

    /// The next ring.
    public mutating func next() -> PlannedRing? {
        guard let top = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        push(schedules[top.index].next(after: top.ring.occurrence.at), top.index)
        return top.ring
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        (heap[a].ring.occurrence.at, heap[a].index) < (heap[b].ring.occurrence.at, heap[b].index)
    }

    private mutating func push(_ ring: PlannedRing?, _ index: Int) {
        guard let ring, ring.occurrence.at < until else { return }
        heap.append((ring, index))
        var child = heap.count - 1
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
