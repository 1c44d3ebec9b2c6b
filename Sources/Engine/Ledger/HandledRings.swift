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

    /// Nothing was missed that is later than this.
    mutating func forgetMissed(after instant: Instant) {
        missed.cut(after: instant)
    }

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

    /// Forgets what is later; of a run that is partly later, all but its first.
    mutating func cut(after instant: Instant) {
        runs = runs.filter { $0.lowerBound <= instant }.map { run in
            run.upperBound <= instant ? run : run.lowerBound...run.lowerBound
        }
    }

    func contains(_ instant: Instant) -> Bool {
        let index = runs.partitioningIndex { $0.upperBound >= instant }
        return index < runs.count && runs[index].contains(instant)
    }
}
