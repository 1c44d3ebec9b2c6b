// Rings of many alarms, of which the earliest is wanted.

/// A heap of rings; at one instant the first alarm's comes first. Nodes have four children, which lie side by side.
struct RingHeap: Sendable {
    private var heap: [(ring: PlannedRing, place: Int)] = []

    var count: Int { heap.count }

    var first: (ring: PlannedRing, place: Int)? { heap.first }

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
