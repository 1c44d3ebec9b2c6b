// Merging the rings of many alarms without planning them all at once.

import CivilTime

/// The rings of an interval, found one by one as they are asked for: a century of rings takes no more memory than a day.
package struct RingsInOrder: Sequence, IteratorProtocol {
    private let schedules: [Schedule]
    private let until: Instant
    /// The next ring of each alarm that has one.
    private var heap = RingHeap()

    package init(_ schedules: [Schedule], from: Instant, until: Instant) {
        self.schedules = schedules
        self.until = until
        for index in schedules.indices {
            push(schedules[index].next(after: from.advanced(by: -1)), index)
        }
    }

    package mutating func next() -> PlannedRing? {
        guard let (ring, index) = heap.popFirst() else { return nil }
        push(schedules[index].next(after: ring.occurrence.at), index)
        return ring
    }

    private mutating func push(_ ring: PlannedRing?, _ index: Int) {
        guard let ring, ring.occurrence.at < until else { return }
        heap.push(ring, index)
    }
}
