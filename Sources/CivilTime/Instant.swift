// A point in time, independent of any zone.

/// An instant in whole UTC seconds, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let secondsSince1970: Int

    /// 0001-01-01T00:00:00Z.
    public static let earliest = Instant(secondsSince1970: -62_135_596_800)
    /// 9999-12-31T23:59:59Z.
    public static let latest = Instant(secondsSince1970: 253_402_300_799)

    /// Creates the instant that many seconds after 1970-01-01T00:00:00Z, clamped to the range.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    }

    /// Creates the instant of the second that contains the given millisecond since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int) {
        self.init(secondsSince1970: milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int { secondsSince1970 * 1000 }

    /// Returns the instant `seconds` later, or earlier if `seconds` is negative, clamped to the range.
    public func advanced(by seconds: Int) -> Instant {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        guard !overflow else { return seconds < 0 ? .earliest : .latest }
        return Instant(secondsSince1970: sum)
    }

    /// Returns how many seconds this instant is later than `other`, negative if it is earlier.
    public func seconds(since other: Instant) -> Int { secondsSince1970 - other.secondsSince1970 }

    /// Earlier instants come first.
    public static func < (a: Instant, b: Instant) -> Bool {
        a.secondsSince1970 < b.secondsSince1970
    }
}

extension Instant: CustomStringConvertible {
    /// The whole second that stands for a fraction.
    public enum Rounding: Sendable {
        /// Rounds down, for a bound such as `t <= 10.5`. In whole seconds this is `t <= 10`.
        case down
        /// Rounds up, for a bound such as `t >= 10.5`. In whole seconds this is `t >= 11`.
        case up
    }

    /// Parses RFC 3339 (`2024-03-10T02:30:00-05:00` or `…Z`, a fraction allowed). Any other text gives nil.
    public init?(_ text: String, rounding: Rounding) {
        var text = ISOText(text)
        guard let date = text.date(), text.skip("T") || text.skip("t") || text.skip(" "),
            let (seconds, hasFraction) = text.secondsWithFraction(),
            let offsetSeconds = text.offset(), text.isAtEnd
        else { return nil }
        let fraction = hasFraction && rounding == .up ? 1 : 0
        self.init(secondsSince1970: date.dayNumber * 86_400 + seconds + fraction - offsetSeconds)
    }

    /// RFC 3339 in UTC: `2024-03-10T07:30:00Z`.
    public var description: String {
        "\(CivilDateTime(secondsSince1970: secondsSince1970))Z"
    }
}
