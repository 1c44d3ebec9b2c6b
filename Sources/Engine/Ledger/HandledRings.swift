// Which of an alarm's occurrences have had their turn, whatever the clock does afterwards.

import CivilTime

/// Occurrences that have rung or were missed. A clock that is set back comes to the same instants again: they do not ring
/// again. One that was far ahead and is set right comes to others: they do.
struct HandledRings: Hashable, Sendable {
    /// In order; each is one occurrence, or several that were missed one after the other.
    private var runs: [ClosedRange<Instant>] = []

    /// Further back than this nobody sets a clock.
    private static let runsMax = 64

    mutating func add(_ run: ClosedRange<Instant>) {
        let index = runs.partitioningIndex { $0.upperBound >= run.lowerBound }
        var merged = run
        var end = index
        while end < runs.count, runs[end].lowerBound <= run.upperBound {
            merged = min(merged.lowerBound, runs[end].lowerBound)...max(merged.upperBound, runs[end].upperBound)
            end += 1
        }
        runs.replaceSubrange(index..<end, with: [merged])
        if runs.count > HandledRings.runsMax { runs.removeFirst() }
    }

    func contains(_ instant: Instant) -> Bool {
        let index = runs.partitioningIndex { $0.upperBound >= instant }
        return index < runs.count && runs[index].contains(instant)
    }
}
