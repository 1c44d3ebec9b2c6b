// Named calendars, such as school days or working days, that select the days on which an alarm may ring.

import CivilTime
import JSON

/// A set of days that count. A day counts if it is in `on`. Otherwise it counts if it lies between `from`
/// and `until`, has one of the weekdays, and is not in `off`.
public struct DayCalendar: Hashable, Sendable {
    /// The weekdays that count; all by default.
    package var weekdays: WeekdaySet
    /// The first day that counts by its weekday; nil if there is no such bound.
    package var from: CivilDate?
    /// The last day that counts by its weekday; nil if there is no such bound.
    package var until: CivilDate?
    /// Days that do not count.
    package var off: DateSet
    /// Days that always count.
    package var on: DateSet
    /// Unknown members of the file, which are kept.
    package var unknown: [JSON.Member]

    /// Creates a calendar. By default every day counts.
    package init(
        weekdays: WeekdaySet = .everyDay, from: CivilDate? = nil, until: CivilDate? = nil,
        off: DateSet = DateSet(), on: DateSet = DateSet(), unknown: [JSON.Member] = []
    ) {
        (self.weekdays, self.from, self.until) = (weekdays, from, until)
        (self.off, self.on, self.unknown) = (off, on, unknown)
    }

    /// The last date that the calendar names. After it every week is like the next.
    var lastNamed: CivilDate {
        [from, until, off.runs.last?.upperBound, on.runs.last?.upperBound].compactMap(\.self).max() ?? .first
    }

    package func counts(_ date: CivilDate) -> Bool {
        on.contains(date)
            || date >= from ?? .first && date <= until ?? .last && weekdays.contains(date.weekday)
                && !off.contains(date)
    }

    /// Returns the first date from `date` on that counts.
    package func first(onOrAfter date: CivilDate) -> CivilDate? {
        let extra = on.first(onOrAfter: date)
        let regular = firstRegular(onOrAfter: date)
        guard let extra, let regular else { return extra ?? regular }
        return min(extra, regular)
    }

    private func firstRegular(onOrAfter date: CivilDate) -> CivilDate? {
        guard !weekdays.isEmpty else { return nil }
        var date = max(date, from ?? .first)
        let last = until ?? .last
        while date <= last, let outside = off.firstOutside(onOrAfter: date) {
            if outside == date, weekdays.contains(date.weekday) { return date }
            guard date < .last else { break }
            date = outside > date ? outside : date.advanced(by: 1)
        }
        return nil
    }
}
