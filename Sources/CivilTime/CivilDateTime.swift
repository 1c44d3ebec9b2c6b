// A date with a clock time: the value that an owner reads, before a zone maps it to an instant.

/// A date with a clock time, in no zone.
public struct CivilDateTime: Hashable, Comparable, Sendable {
    /// The date.
    public var date: CivilDate
    /// The time of day.
    public var time: ClockTime

    /// Creates the combination of the two.
    public init(_ date: CivilDate, _ time: ClockTime) {
        self.date = date
        self.time = time
    }

    /// Seconds since 1970-01-01T00:00:00, both local. Minus the zone's offset, they give the instant.
    var secondsSince1970: Int {
        date.dayNumber * 86_400 + time.secondsSinceMidnight
    }

    init(secondsSince1970 seconds: Int) {
        let (day, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        date = CivilDate(dayNumber: second < 0 ? day - 1 : day)
        time = ClockTime(knownSeconds: second < 0 ? second + 86_400 : second)
    }

    /// The earlier date first, then the earlier time.
    public static func < (a: CivilDateTime, b: CivilDateTime) -> Bool {
        a.secondsSince1970 < b.secondsSince1970
    }
}

extension CivilDateTime: LosslessStringConvertible {
    /// Parses `YYYY-MM-DDTHH:MM` or `YYYY-MM-DDTHH:MM:SS`. Any other text gives nil.
    public init?(_ description: String) {
        var text = ISOText(description)
        guard let date = text.date(), text.skip("T"), let time = text.clockTime(), text.isAtEnd else { return nil }
        self.init(date, time)
    }

    /// `YYYY-MM-DDTHH:MM:SS`.
    public var description: String {
        "\(date)T\(time.withSeconds)"
    }
}
