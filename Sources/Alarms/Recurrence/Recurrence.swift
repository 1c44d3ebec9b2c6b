// On which days an alarm repeats: RFC 5545's recurrence rule, as far as alarms need it.

import CivilTime

/// A recurrence rule (RFC 5545 RRULE) with RFC 7529's SKIP.
///
/// It says days, never times: the alarm has those. Lists are kept sorted and without doubles, so that two rules that say
/// the same are equal.
public struct Recurrence: Hashable, Sendable {
    /// How long a period is.
    public enum Frequency: String, CaseIterable, Sendable {
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// Each such weekday of a period, or only the nth, counted from the period's end when negative.
    public struct Day: Hashable, Sendable, Comparable {
        /// Which of the period's such weekdays; nothing for each.
        package var ordinal: Int?
        package var weekday: Weekday

        /// Each such weekday, or the nth.
        package init(_ weekday: Weekday, ordinal: Int? = nil) {
            self.ordinal = ordinal
            self.weekday = weekday
        }

        /// By ordinal, then by weekday.
        public static func < (a: Day, b: Day) -> Bool {
            (a.ordinal ?? 0, a.weekday) < (b.ordinal ?? 0, b.weekday)
        }
    }

    /// What becomes of a day that a month lacks: the 31st, 29 February.
    public enum Skip: String, CaseIterable, Sendable {
        case omit = "OMIT"
        case backward = "BACKWARD"
        case forward = "FORWARD"
    }

    /// When it stops.
    public enum End: Hashable, Sendable {
        case never
        /// After so many days.
        case count(Int)
        /// After this date.
        case date(CivilDate)
        /// After this time on the alarm's own clock.
        case local(CivilDateTime)
        /// After this instant.
        case instant(Instant)
    }

    package var frequency: Frequency
    /// Every how manieth period counts.
    package var interval = 1
    /// BYDAY.
    package var days: [Day] = []
    /// BYMONTHDAY: 1…31, or -31…-1 from the month's end.
    package var monthDays: [Int] = []
    /// BYMONTH: 1…12.
    package var months: [Int] = []
    /// BYSETPOS: which of the days that a period has.
    package var positions: [Int] = []
    /// WKST: the day that weeks begin with.
    package var weekStart = Weekday.monday
    /// COUNT or UNTIL.
    package var end = End.never
    /// SKIP; nil where the rule does not say.
    package var skip: Skip?

    package init(_ frequency: Frequency) {
        self.frequency = frequency
    }

    /// The weekdays of BYDAY, whichever of them.
    var weekdays: WeekdaySet { WeekdaySet(days.lazy.map(\.weekday)) }

    /// SKIP where the rule says nothing. RFC 7529 would omit the day; but an owner who says "the 31st" wants the month's
    /// last day, and an alarm must not stay silent because a month is short.
    package static let skipDefault = Skip.backward
}
