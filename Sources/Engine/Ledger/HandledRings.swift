// Which of an alarm's occurrences have had their turn, whatever the clock does afterwards.

import CivilTime

/// Occurrences that have rung or were missed. A clock that is set back comes to the same instants again: what has rung does
/// not ring again. What only a clock that was ahead has missed was not missed.
struct HandledRings: Hashable, Sendable {
    private var rung = InstantRuns()
    private var missed = InstantRuns()

    mutating func ring(_ instant: Instant) {
        rung.add(instant...instant)
    }

    mutating func miss(_ run: ClosedRange<Instant>) {
        missed.add(run)
    }

    /// Nothing was missed but this.
    mutating func missedOnly(_ runs: [ClosedRange<Instant>]) {
        missed = InstantRuns()
        for run in runs { missed.add(run) }
    }

    func hasRung(_ instant: Instant) -> Bool { rung.contains(instant) }

    func contains(_ instant: Instant) -> Bool { rung.contains(instant) || missed.contains(instant) }
}

/// Instants, and runs of them.
private struct InstantRuns: Hashable, Sendable {
    /// In order, and apart.
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
        if runs.count > InstantRuns.runsMax { runs.removeFirst() }
    }

    func contains(_ instant: Instant) -> Bool {
        let index = runs.partitioningIndex { $0.upperBound >= instant }
        return index < runs.count && runs[index].contains(instant)
    }
}
