// A point on the world's one time line, whatever clocks show there.

/// An instant in whole UTC seconds from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z; arithmetic stays in the range.
public struct Instant: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let secondsSince1970: Int

    /// 0001-01-01T00:00:00Z.
    public static let earliest = Instant(secondsSince1970: -62_135_596_800)
    /// 9999-12-31T23:59:59Z.
    public static let latest = Instant(secondsSince1970: 253_402_300_799)

    /// The instant that many seconds after 1970-01-01T00:00:00Z, held within the range.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = min(max(secondsSince1970, -62_135_596_800), 253_402_300_799)
    }

    /// The second that has begun so many milliseconds after 1970-01-01T00:00:00Z.
    public init(milliseconds: Int) {
        self.init(secondsSince1970: milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var milliseconds: Int { secondsSince1970 * 1000 }

    /// The instant `seconds` later (earlier when negative).
    public func advanced(by seconds: Int) -> Instant {
        let (sum, overflow) = secondsSince1970.addingReportingOverflow(seconds)
        guard !overflow else { return seconds < 0 ? .earliest : .latest }
        return Instant(secondsSince1970: sum)
    }

    /// How many seconds later it is than another (negative when earlier).
    public func seconds(since other: Instant) -> Int { secondsSince1970 - other.secondsSince1970 }

    /// Earlier instants come first.
    public static func < (a: Instant, b: Instant) -> Bool {
        a.secondsSince1970 < b.secondsSince1970
    }
}

extension Instant: CustomStringConvertible {
    /// Which whole second a fraction belongs to.
    public enum Rounding: Sendable {
        /// The second that has begun: "what has happened by then".
        case down
        /// The second to come: a bound that whole seconds are compared with keeps its meaning.
        case up
    }

    /// Reads RFC 3339 (`2024-03-10T02:30:00-05:00`, `…Z`, with or without a fraction of a second) and nothing else.
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
