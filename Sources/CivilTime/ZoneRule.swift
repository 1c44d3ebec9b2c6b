// The footer of zone data: the rule after the last listed change (POSIX TZ, extended by RFC 9636).

/// A standard offset and, in most zones, the yearly changes to daylight time and back.
struct ZoneRule: Hashable, Sendable {
    var standardOffsetSeconds: Int
    var daylight: Daylight?

    struct Daylight: Hashable, Sendable {
        var offsetSeconds: Int
        var start: Change
        var end: Change
    }

    /// A yearly change: its day, and its time on the clocks just before it, -167 to 167 hours from midnight.
    struct Change: Hashable, Sendable {
        var day: Day
        var seconds: Int

        /// Returns the change as local seconds since 1970.
        func localSeconds(year: Int) -> Int {
            day.dayNumber(year: year) * 86_400 + seconds
        }
    }

    enum Day: Hashable, Sendable {
        /// `Jn`: 1…365; 29 February is never counted.
        case ofYearWithoutLeapDay(Int)
        /// `n`: 0…365; 29 February is counted.
        case ofYear(Int)
        /// `Mm.w.d`: the week-th such weekday (0 is Sunday) of the month. Week 5 is the last.
        case weekdayOfMonth(month: Int, week: Int, weekday: Int)

        /// True if a change on this day, up to a week from its midnight, may fall into another year.
        var isNearNewYear: Bool {
            switch self {
            case .ofYearWithoutLeapDay(let day), .ofYear(let day): !(10...355).contains(day)
            case .weekdayOfMonth(let month, _, _): month == 1 || month == 12
            }
        }

        /// Returns days since 1970-01-01. Years outside the calendar's range count as its first or last
        /// year.
        func dayNumber(year: Int) -> Int {
            let year = min(max(year, 1), 9999)
            var newYear: Int { CivilDate(year: year, month: 1, day: 1)?.dayNumber ?? 0 }
            switch self {
            case .ofYearWithoutLeapDay(let day):
                return newYear + day - 1 + (CivilDate.isLeap(year: year) && day >= 60 ? 1 : 0)
            case .ofYear(let day):
                return newYear + day
            case .weekdayOfMonth(let month, let week, let weekday):
                let wanted = Weekday.allCases[(weekday + 6) % 7]
                let date = CivilDate.nth(week == 5 ? -1 : week, wanted, month: month, year: year)
                return date?.dayNumber ?? newYear
            }
        }
    }

    /// Returns the stretch that contains `second`. A change is at most a week from its own year, so the
    /// changes of this year and its neighbours suffice. If changes are near the new year, they may fall into
    /// the neighbouring year, so one more year on each side is considered.
    func stretch(at second: Int) -> Zone.Stretch {
        guard let daylight else {
            return Zone.Stretch(start: Int.min, end: Int.max, offsetSeconds: standardOffsetSeconds)
        }
        let year = CivilDateTime(secondsSince1970: second + standardOffsetSeconds).date.year
        var start = Int.min
        var end = Int.max
        var offset = standardOffsetSeconds
        func consider(_ change: (at: Int, offsetAfter: Int)) {
            if change.at <= second, change.at >= start {
                (start, offset) = change
            } else if change.at > second {
                end = min(end, change.at)
            }
        }
        let reach = daylight.start.day.isNearNewYear || daylight.end.day.isNearNewYear ? 2 : 1
        for year in (year - reach)...(year + reach) {
            let on = (daylight.start.localSeconds(year: year) - standardOffsetSeconds, daylight.offsetSeconds)
            let off = (daylight.end.localSeconds(year: year) - daylight.offsetSeconds, standardOffsetSeconds)
            if on.0 <= off.0 {
                consider(on)
                consider(off)
            } else {
                consider(off)
                consider(on)
            }
        }
        return Zone.Stretch(start: start, end: end, offsetSeconds: offset)
    }
}
