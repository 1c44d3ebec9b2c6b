// A time zone as a value: which offset from UTC its clocks have, when, and what that makes of a local time.

/// A time zone's past and future offsets, read from tzdata.
public struct Zone: Hashable, Sendable {
    /// The name it was read under, as in `America/New_York`.
    public let name: String

    /// `offsets[i]` holds from `changes[i - 1]` up to `changes[i]`; the first holds before all changes. In seconds since
    /// 1970 and seconds east of Greenwich.
    let changes: [Int]
    let offsets: [Int]
    /// The rule from the last change on; nil where the data ends there and the last offset goes on.
    let rule: ZoneRule?

    /// Coordinated universal time, for where no zone is known.
    public static let utc = Zone(name: "UTC", changes: [], offsets: [0], rule: nil)

    init(name: String, changes: [Int], offsets: [Int], rule: ZoneRule?) {
        assert(offsets.count == changes.count + 1, "an offset before, between and after the changes")
        (self.name, self.changes, self.offsets, self.rule) = (name, changes, offsets, rule)
    }

    /// A zone that has always gone by one rule, as in `EST5EDT,M3.2.0,M11.1.0`; nil where the text states none.
    package init?(name: String, rule text: String) {
        guard let rule = ZoneRule(text.utf8) else { return nil }
        self.init(name: name, changes: [], offsets: [rule.standardOffsetSeconds], rule: rule)
    }

    /// No zone is further from Greenwich than this, by RFC 9636.
    static let offsetSecondsMax = 26 * 3600

    /// A stretch of time throughout which the clocks keep one offset.
    public struct Stretch: Hashable, Sendable {
        /// Its first second; `Int.min` where nothing came before.
        let start: Int
        /// The first second after it; `Int.max` where nothing comes after.
        let end: Int
        /// Seconds east of Greenwich.
        public let offsetSeconds: Int

        /// What the clocks show at `instant`, which lies in this stretch.
        public func local(_ instant: Instant) -> CivilDateTime {
            CivilDateTime(secondsSince1970: instant.secondsSince1970 + offsetSeconds)
        }

        /// Whether the clocks were set during the `seconds` before `instant`, which lies in this stretch.
        public func begins(within seconds: Int, before instant: Instant) -> Bool {
            start > instant.secondsSince1970 - seconds
        }
    }

    /// The stretch that `instant` lies in.
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

    /// What the clocks show at `instant`.
    public func local(_ instant: Instant) -> CivilDateTime {
        stretch(at: instant).local(instant)
    }

    /// RFC 3339 with the zone's offset: `2024-03-10T03:30:00-04:00`. The odd seconds that offsets had before 1972 are
    /// written too, although RFC 3339 has no place for them: dropping them would name another instant.
    public func text(_ instant: Instant) -> String {
        let stretch = stretch(at: instant)
        let offset = stretch.offsetSeconds
        let distance = abs(offset)
        let seconds = distance % 60 == 0 ? "" : ":\(padded(distance % 60))"
        let sign = offset < 0 ? "-" : "+"
        return "\(stretch.local(instant))\(sign)\(padded(distance / 3600)):\(padded(distance / 60 % 60))\(seconds)"
    }
}
