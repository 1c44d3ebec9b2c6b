// School days, working days: named calendars that say on which days an alarm has any business.

import CivilTime
import JSON

/// The days that count: those of `on`, and those between `from` and `until` on one of the weekdays that are not `off`.
public struct DayCalendar: Hashable, Sendable {
    /// The weekdays that count, by default all.
    package var weekdays: WeekdaySet
    /// The first day that counts by its weekday; nothing for no first.
    package var from: CivilDate?
    /// The last day that counts by its weekday; nothing for no last.
    package var until: CivilDate?
    /// Days that do not count.
    package var off: DateSet
    /// Days that count whatever the rest says.
    package var on: DateSet
    /// Fields of the file that mean nothing here and are kept.
    package var unknown: [JSON.Member]

    /// A calendar; without anything said, every day counts.
    package init(
        weekdays: WeekdaySet = .everyDay, from: CivilDate? = nil, until: CivilDate? = nil,
        off: DateSet = DateSet(), on: DateSet = DateSet(), unknown: [JSON.Member] = []
    ) {
        (self.weekdays, self.from, self.until) = (weekdays, from, until)
        (self.off, self.on, self.unknown) = (off, on, unknown)
    }

    /// The last date that it names; from there on only weekdays count.
    var lastNamed: CivilDate {
        [from, until, off.runs.last?.upperBound, on.runs.last?.upperBound].compactMap(\.self).max() ?? .first
    }

    package func counts(_ date: CivilDate) -> Bool {
        on.contains(date)
            || date >= from ?? .first && date <= until ?? .last && weekdays.contains(date.weekday)
                && !off.contains(date)
    }

    /// The first date that counts, `date` or later.
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
