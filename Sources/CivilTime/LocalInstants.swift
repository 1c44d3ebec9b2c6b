// The instants of a local time: usually one, but none or two when clocks are set forward or back.

/// The instants at which a zone's clocks show one local time.
public enum LocalInstants: Hashable, Sendable {
    case once(Instant)
    /// The clocks were set forward past this time.
    case never(Gap)
    /// The clocks were set back and show this time again.
    case twice(first: Instant, second: Instant)

    /// The instant for callers that need exactly one: the first, or in a gap `readWithOffsetBefore`.
    public var first: Instant {
        switch self {
        case .once(let instant): instant
        case .never(let gap): gap.readWithOffsetBefore
        case .twice(let first, _): first
        }
    }

    /// A range of local times that no clock of the zone ever showed.
    public struct Gap: Hashable, Sendable {
        /// The instant at which the clocks were set forward.
        public let change: Instant
        /// The first local time that was skipped.
        public let start: CivilDateTime
        /// The first local time that was shown after the gap.
        public let end: CivilDateTime
        /// The requested time, read with the offset before the gap. It is as far after `change` as the
        /// requested time is after `start`.
        public let readWithOffsetBefore: Instant

        /// Returns whether the whole date was skipped, such as 2011-12-30 in Apia.
        public func covers(_ date: CivilDate) -> Bool {
            start <= CivilDateTime(date, .midnight) && CivilDateTime(date.advanced(by: 1), .midnight) <= end
        }
    }
}

extension Zone {
    /// Returns when the clocks show `local`. If that is well inside `stretch`, no search is needed.
    public func instants(of local: CivilDateTime, near stretch: Stretch) -> LocalInstants {
        let wanted = local.secondsSince1970
        // This far from both ends, no clock outside the stretch can show the time.
        if stretch.start <= wanted - Zone.offsetSecondsMax, wanted + Zone.offsetSecondsMax < stretch.end {
            return .once(Instant(secondsSince1970: wanted - stretch.offsetSeconds))
        }
        return instants(of: local)
    }

    /// Returns when the clocks show `local`.
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
            // Neighbouring stretches meet, overlap or leave a gap, so the cases above cover every local
            // time.
            assertionFailure("\(local) is in no stretch of \(name) and in no gap")
            return .once(Instant(secondsSince1970: wanted - stretch.offsetSeconds))
        }
    }
}
