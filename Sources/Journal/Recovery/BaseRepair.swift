// The repair of a damaged segment's base, from its own records and those of the previous segment.

/// The records of a segment whose base is incomplete, with every part of the base that can be recovered.
struct BaseRepair {
    let records: [Record]
    /// The records that are still missing, beside the damage found in either segment.
    private(set) var damage: [Damage] = []

    init(_ newest: SegmentContents, with before: SegmentContents?) {
        let first = newest.later.first?.sequence
        let supersedes = newest.supersedes ?? first.map { $0 - 1 } ?? .max
        // Records after `supersedes` in the previous segment were never acknowledged there.
        let old = before.map { ($0.base + $0.later).filter { $0.sequence <= supersedes } } ?? []
        let last = max(old.last?.sequence ?? 0, before?.supersedes ?? 0)
        if let before, before.isBaseWhole, before.damage.isEmpty, supersedes == .max || last >= supersedes {
            records = old + newest.later
            return
        }
        // Both segments are damaged. Every readable record of either is kept.
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

    /// Merges two lists in order. If both have the same number, the first list's record counts.
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
