// Sets of dates that are mostly runs of days: holidays, pauses, days off.

import CivilTime

/// A set of dates, stored as sorted runs. A query is a binary search, however long the runs are.
public struct DateSet: Hashable, Sendable {
    /// The runs, in order, with at least a day between them.
    package private(set) var runs: [ClosedRange<CivilDate>] = []

    /// Creates the set of all dates in these runs, which may overlap.
    package init(_ runs: some Sequence<ClosedRange<CivilDate>> = EmptyCollection()) {
        for run in runs.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = self.runs.last, run.lowerBound <= last.upperBound.advanced(by: 1) {
                self.runs[self.runs.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
            } else {
                self.runs.append(run)
            }
        }
    }

    package var isEmpty: Bool { runs.isEmpty }

    package func contains(_ date: CivilDate) -> Bool {
        run(endingOnOrAfter: date).map { $0.contains(date) } ?? false
    }

    package func first(onOrAfter date: CivilDate) -> CivilDate? {
        run(endingOnOrAfter: date).map { max($0.lowerBound, date) }
    }

    /// Returns the first date outside the set from `date` on, or nil if the set extends to the end of the
    /// calendar.
    package func firstOutside(onOrAfter date: CivilDate) -> CivilDate? {
        guard let run = run(endingOnOrAfter: date), run.contains(date) else { return date }
        return run.upperBound < .last ? run.upperBound.advanced(by: 1) : nil
    }

    package func dropping(before date: CivilDate) -> DateSet {
        DateSet(runs.filter { $0.upperBound >= date }.map { max($0.lowerBound, date)...$0.upperBound })
    }

    package func inserting(_ date: CivilDate) -> DateSet {
        DateSet(runs + [date...date])
    }

    package func removing(_ date: CivilDate) -> DateSet {
        DateSet(
            runs.flatMap { run -> [ClosedRange<CivilDate>] in
                guard run.contains(date) else { return [run] }
                var parts: [ClosedRange<CivilDate>] = []
                if run.lowerBound < date { parts.append(run.lowerBound...date.advanced(by: -1)) }
                if date < run.upperBound { parts.append(date.advanced(by: 1)...run.upperBound) }
                return parts
            })
    }

    private func run(endingOnOrAfter date: CivilDate) -> ClosedRange<CivilDate>? {
        let index = runs.partitioningIndex { $0.upperBound >= date }
        return index < runs.count ? runs[index] : nil
    }
}
