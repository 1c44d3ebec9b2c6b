// A time zone as a value: the offsets of its clocks from UTC, and the local times that follow.

/// A time zone's past and future offsets, read from tzdata.
public struct Zone: Hashable, Sendable {
    /// The name under which the zone was read, such as `America/New_York`.
    public let name: String

    /// `offsets[i]` applies from `changes[i - 1]` until `changes[i]`; the first applies before all changes.
    /// Changes are seconds since 1970, offsets seconds east of Greenwich.
    let changes: [Int]
    let offsets: [Int]
    /// The rule after the last change. If nil, the last offset continues forever.
    let rule: ZoneRule?

    /// Coordinated universal time, for use when no zone is known.
    public static let utc = Zone(name: "UTC", changes: [], offsets: [0], rule: nil)

    init(name: String, changes: [Int], offsets: [Int], rule: ZoneRule?) {
        assert(offsets.count == changes.count + 1, "an offset before, between and after the changes")
        (self.name, self.changes, self.offsets, self.rule) = (name, changes, offsets, rule)
    }

    /// Creates a zone with one rule for all time, such as `EST5EDT,M3.2.0,M11.1.0`. Nil for any other text.
    package init?(name: String, rule text: String) {
        guard let rule = ZoneRule(text.utf8) else { return nil }
        self.init(name: name, changes: [], offsets: [rule.standardOffsetSeconds], rule: rule)
    }

    /// The largest distance from Greenwich that RFC 9636 allows.
    static let offsetSecondsMax = 26 * 3600

    /// A period during which the clocks keep one offset.
    public struct Stretch: Hashable, Sendable {
        /// The first second; `Int.min` if there is no earlier period.
        let start: Int
        /// The first second after the period; `Int.max` if there is no later one.
        let end: Int
        /// Seconds east of Greenwich.
        public let offsetSeconds: Int

        /// Returns the clocks' time at `instant`, which must lie in this stretch.
        public func local(_ instant: Instant) -> CivilDateTime {
            CivilDateTime(secondsSince1970: instant.secondsSince1970 + offsetSeconds)
        }

        /// Returns whether the clocks were set in the `seconds` before `instant`, which must lie in this
        /// stretch.
        public func begins(within seconds: Int, before instant: Instant) -> Bool {
            start > instant.secondsSince1970 - seconds
        }
    }

    /// Returns the stretch that contains `instant`.
    public func stretch(at instant: Instant) -> Stretch {
        stretch(at: instant.secondsSince1970)
    }

    func stretch(at second: Int) -> Stretch {
        if let last = changes.last, second < last {
            let next = changes.partitioningIndex { $0 > second }
            let start = next == 0 ? Int.min : changes[next - 1]
            return Stretch(start: start, end: changes[next], offsetSeconds: offsets[next])
        }
        let start = changes.last ?? Int.min
        guard let rule else {
            return Stretch(start: start, end: Int.max, offsetSeconds: offsets[offsets.count - 1])
        }
        let ruled = rule.stretch(at: second)
        return Stretch(start: max(start, ruled.start), end: ruled.end, offsetSeconds: ruled.offsetSeconds)
    }

    /// Returns the clocks' time at `instant`.
    public func local(_ instant: Instant) -> CivilDateTime {
        stretch(at: instant).local(instant)
    }

    /// Returns RFC 3339 text with the zone's offset: `2024-03-10T03:30:00-04:00`. Offsets before 1972 can
    /// have odd seconds. RFC 3339 has no place for them, but without them the text would name another
    /// instant.
    public func text(_ instant: Instant) -> String {
        let stretch = stretch(at: instant)
        let offset = stretch.offsetSeconds
        let distance = abs(offset)
        let seconds = distance % 60 == 0 ? "" : ":\(padded(distance % 60))"
        let sign = offset < 0 ? "-" : "+"
        return "\(stretch.local(instant))\(sign)\(padded(distance / 3600)):\(padded(distance / 60 % 60))\(seconds)"
    }
}
