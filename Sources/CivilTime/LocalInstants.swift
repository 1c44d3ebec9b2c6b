// When a local time happens: usually once, but clocks that are set forward or back make it never or twice.

/// The instants at which a zone's clocks show one local time.
public enum LocalInstants: Hashable, Sendable {
    case once(Instant)
    /// The clocks were set forward over it.
    case never(Gap)
    /// The clocks were set back and show it again.
    case twice(first: Instant, second: Instant)

    /// The one instant to take where one must be taken: the first, and in a gap the one that the offset before it gives.
    public var first: Instant {
        switch self {
        case .once(let instant): instant
        case .never(let gap): gap.readWithOffsetBefore
        case .twice(let first, _): first
        }
    }

    /// Local times that no clock of the zone ever showed.
    public struct Gap: Hashable, Sendable {
        /// The instant at which the clocks were set forward.
        public let change: Instant
        /// The first local time that was left out.
        public let start: CivilDateTime
        /// The first local time that was shown again.
        public let end: CivilDateTime
        /// What the asked-for time means when it is read with the offset before the gap: it lies as far beyond the change
        /// as the time lies in the gap.
        public let readWithOffsetBefore: Instant

        /// Whether the whole date was left out, as 2011-12-30 in Apia.
        public func covers(_ date: CivilDate) -> Bool {
            start <= CivilDateTime(date, .midnight) && CivilDateTime(date.advanced(by: 1), .midnight) <= end
        }
    }
}

extension Zone {
    /// When the clocks show `local`. Asked with a stretch that it most likely lies in, the answer costs no search.
    public func instants(of local: CivilDateTime, near stretch: Stretch) -> LocalInstants {
        let wanted = local.secondsSince1970
        // So far from both ends, no clock outside the stretch can show it.
        if stretch.start <= wanted - Zone.offsetSecondsMax, wanted + Zone.offsetSecondsMax < stretch.end {
            return .once(Instant(secondsSince1970: wanted - stretch.offsetSeconds))
        }
        return instants(of: local)
    }

    /// When the clocks show `local`.
    public func instants(of local: CivilDateTime) -> LocalInstants {
        let wanted = local.secondsSince1970
        let latest = wanted + Zone.offsetSecondsMax
        var stretch = stretch(at: wanted - Zone.offsetSecondsMax)
        var first: Int?
        var second: Int?
        var gap: LocalInstants.Gap?
        while true {
            let instant = wanted - stretch.offsetSeconds
            if stretch.start <= instant, instant < stretch.end {
                if first == nil { first = instant } else if second == nil { second = instant }
            }
            guard stretch.end <= latest else { break }
            let next = self.stretch(at: stretch.end)
            if wanted >= stretch.end + stretch.offsetSeconds, wanted < stretch.end + next.offsetSeconds {
                gap = LocalInstants.Gap(
                    change: Instant(secondsSince1970: stretch.end),
                    start: CivilDateTime(secondsSince1970: stretch.end + stretch.offsetSeconds),
                    end: CivilDateTime(secondsSince1970: stretch.end + next.offsetSeconds),
                    readWithOffsetBefore: Instant(secondsSince1970: instant))
            }
            stretch = next
        }
        switch (first, second, gap) {
        case (let first?, let second?, _):
            return .twice(first: Instant(secondsSince1970: first), second: Instant(secondsSince1970: second))
        case (let first?, nil, _):
            return .once(Instant(secondsSince1970: first))
        case (nil, _, let gap?):
            return .never(gap)
        case (nil, _, nil):
            // Between two stretches there is either an overlap or a gap, so no local time is left without an answer.
            assertionFailure("\(local) is in no stretch of \(name) and in no gap")
            return .once(Instant(secondsSince1970: wanted - stretch.offsetSeconds))
        }
    }
}
