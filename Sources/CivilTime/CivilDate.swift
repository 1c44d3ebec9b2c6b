// Calendar dates, and the arithmetic that planning needs.

/// A date of the Gregorian calendar, from 0001-01-01 to 9999-12-31.
///
/// The date is stored as a day number, so that addition, comparison and the weekday are cheap. Arithmetic
/// that would leave the range stops at its end, so no hostile input can overflow a date.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    public let dayNumber: Int

    /// 0001-01-01.
    public static let first = CivilDate(dayNumber: -719_162)
    /// 9999-12-31.
    public static let last = CivilDate(dayNumber: 2_932_896)

    /// Creates the date that many days after 1970-01-01, clamped to the range.
    public init(dayNumber: Int) {
        self.dayNumber = min(max(dayNumber, -719_162), 2_932_896)
    }

    /// Creates a date, or nil if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= CivilDate.daysInMonth(month, year: year)
        else { return nil }
        self.init(knownYear: year, month: month, day: day)
    }

    /// Creates a date that is known to exist. The year is counted from March: the leap day then comes last,
    /// and `(153 * month + 2) / 5` gives the days before a month. 400 years have 146,097 days.
    private init(knownYear year: Int, month: Int, day: Int) {
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.init(dayNumber: era * 146_097 + dayOfEra - 719_468)
    }

    /// Year, month and day together, which costs less than reading each by itself.
    public var yearMonthDay: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth + (marchMonth < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// 1…9999.
    public var year: Int { yearMonthDay.year }
    /// 1…12.
    public var month: Int { yearMonthDay.month }
    /// 1…31.
    public var day: Int { yearMonthDay.day }

    /// The day of the week.
    public var weekday: Weekday {
        switch (dayNumber + 719_162) % 7 {  // 0001-01-01 was a Monday
        case 0: .monday
        case 1: .tuesday
        case 2: .wednesday
        case 3: .thursday
        case 4: .friday
        case 5: .saturday
        default: .sunday
        }
    }

    /// Returns the date `days` later, or earlier if `days` is negative.
    public func advanced(by days: Int) -> CivilDate {
        let (sum, overflow) = dayNumber.addingReportingOverflow(days)
        guard !overflow else { return days < 0 ? .first : .last }
        return CivilDate(dayNumber: sum)
    }

    /// Returns the number of days from this date to `other`, negative if `other` is earlier.
    public func days(until other: CivilDate) -> Int {
        other.dayNumber - dayNumber
    }

    /// Returns the nth such weekday of a month, or nil if there is none. If negative, n counts from the end.
    public static func nth(_ n: Int, _ weekday: Weekday, month: Int, year: Int) -> CivilDate? {
        guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
        return first.nth(n, weekday, inDays: daysInMonth(month, year: year))
    }

    /// Returns the nth such weekday of the `length` days from here on, or nil. If negative, n counts from
    /// the end.
    public func nth(_ n: Int, _ weekday: Weekday, inDays length: Int) -> CivilDate? {
        let firstOffset = weekday.days(after: self.weekday)
        guard firstOffset < length, n != 0 else { return nil }
        let count = (length - firstOffset - 1) / 7 + 1
        guard (-count...count).contains(n) else { return nil }
        return advanced(by: firstOffset + 7 * (n > 0 ? n - 1 : count + n))
    }

    /// Returns 28…31.
    public static func daysInMonth(_ month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns whether the year has a 29 February.
    public static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Earlier dates come first.
    public static func < (a: CivilDate, b: CivilDate) -> Bool {
        a.dayNumber < b.dayNumber
    }
}

extension CivilDate: LosslessStringConvertible {
    /// Parses `YYYY-MM-DD`. Any other text gives nil.
    public init?(_ description: String) {
        var text = ISOText(description)
        guard let date = text.date(), text.isAtEnd else { return nil }
        self = date
    }

    /// `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = yearMonthDay
        return "\(padded(year / 100))\(padded(year % 100))-\(padded(month))-\(padded(day))"
    }
}
