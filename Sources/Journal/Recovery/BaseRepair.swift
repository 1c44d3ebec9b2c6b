// What stands for the beginning of a damaged segment: what can be read of it, and of the segment before.

/// The records of a segment whose base is not whole, with as many of those that the base stood for as can be had.
struct BaseRepair {
    let records: [Record]
    /// What is still missing, beside what was found in either segment.
    private(set) var damage: [Damage] = []

    init(_ newest: SegmentContents, with before: SegmentContents?) {
        let first = newest.later.first?.sequence
        let supersedes = newest.supersedes ?? first.map { $0 - 1 } ?? .max
        // What the one before says beyond was never acknowledged there.
        let old = before.map { ($0.base + $0.later).filter { $0.sequence <= supersedes } } ?? []
        let last = max(old.last?.sequence ?? 0, before?.supersedes ?? 0)
        if let before, before.isBaseWhole, before.damage.isEmpty, supersedes == .max || last >= supersedes {
            records = old + newest.later
            return
        }
        // Neither is whole: what either has is kept, and nothing that can be read is given up.
        let either = BaseRepair.merged(newest.base, old)
        records = either + newest.later
        let end = supersedes == .max ? last : supersedes
        guard newest.header == nil || before != nil, last < end else { return }
        let place = before ?? newest
        for numbers in BaseRepair.gaps(in: last + 1...end, besides: either) {
            let bytes = before.map { $0.end..<max($0.end, $0.size) } ?? 0..<0
            damage.append(Damage(file: place.name, bytes: bytes, finding: .missing(numbers)))
        }
    }

    /// Both in order; of two with the same number, the first's.
    private static func merged(_ some: [Record], _ others: [Record]) -> [Record] {
        let numbers = Set(some.map(\.sequence))
        return (some + others.filter { !numbers.contains($0.sequence) }).sorted { $0.sequence < $1.sequence }
    }

    private static func gaps(in range: ClosedRange<UInt64>, besides records: [Record]) -> [ClosedRange<UInt64>] {
        var gaps: [ClosedRange<UInt64>] = []
        var next = range.lowerBound
        for sequence in records.map(\.sequence) where range.contains(sequence) {
            if sequence > next { gaps.append(next...sequence - 1) }
            next = sequence + 1
        }
        if next <= range.upperBound { gaps.append(next...range.upperBound) }
        return gaps
    }
}
