// The days on which an alarm repeats: RFC 5545's recurrence rule, as far as alarms need it.

import CivilTime

/// A recurrence rule (RFC 5545 RRULE) with RFC 7529's SKIP.
///
/// A rule has days, never times: the alarm has those. Lists are sorted and without duplicates, so that two
/// rules with the same parts are equal.
public struct Recurrence: Hashable, Sendable {
    /// The length of a period.
    public enum Frequency: String, CaseIterable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// Each such weekday of a period, or only the nth. A negative n counts from the period's end.
    public struct Day: Hashable, Sendable, Comparable {
        /// The number of the weekday within the period; nil for each one.
        package var ordinal: Int?
        package var weekday: Weekday

        /// Creates a day for each such weekday, or for the nth.
        package init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.ordinal = ordinal
            self.weekday = weekday
        }

        /// Compares the ordinals, then the weekdays.
        public static func < (a: Day, b: Day) -> Bool {
            (a.ordinal ?? 0, a.weekday) < (b.ordinal ?? 0, b.weekday)
        }
    }

    /// The treatment of a day that a month lacks, such as the 31st or 29 February.
    public enum Skip: String, CaseIterable, Sendable {
        case omit = "OMIT"
        case backward = "BACKWARD"
        case forward = "FORWARD"
    }

    /// The end of a rule.
    public enum End: Hashable, Sendable {
        case never
        /// After this number of days.
        case count(Int)
        /// After this date.
        case date(CivilDate)
        /// After this time on the alarm's own clock.
        case local(CivilDateTime)
        /// After this instant.
        case instant(Instant)
    }

    package var frequency: Frequency
    /// INTERVAL: the number of periods from one that counts to the next.
    package var interval = 1
    /// BYDAY.
    package var days: [Day] = []
    /// BYMONTHDAY: 1…31, or -31…-1 from the month's end.
    package var monthDays: [Int] = []
    /// BYMONTH: 1…12.
    package var months: [Int] = []
    /// BYSETPOS: the positions of the chosen days within a period.
    package var positions: [Int] = []
    /// WKST: the first day of a week.
    package var weekStart = Weekday.monday
    /// COUNT or UNTIL.
    package var end = End.never
    /// SKIP; nil if the rule names none.
    package var skip: Skip?

    package init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    /// The weekdays of BYDAY, without their ordinals.
    var weekdays: WeekdaySet { WeekdaySet(days.lazy.map(\.weekday)) }

    /// The SKIP of a rule that names none. RFC 7529 would omit the day. But an owner who says "the 31st"
    /// wants the month's last day. An alarm must not stay silent because a month is short.
    package static let skipDefault = Skip.backward
}
