// The rings of one alarm, from its layers, calendar, skips and pauses.

import CivilTime

/// An alarm's rings in a zone, with a calendar and an anchor, prepared for fast queries. If one of these
/// changes, its owner makes a new schedule.
public struct Schedule: Sendable {
    package let alarm: Alarm.ID
    package let zone: Zone

    private let time: ClockTime
    /// The days of the base. A one-time alarm has one day.
    private var base = RecurrenceDays.never
    /// The day of a one-time alarm that rings at the second of two equal local times.
    private var secondInFold: CivilDate?
    private let weekly: WeeklyRules
    private let dates: [(date: CivilDate, rule: DayRule)]
    private let skipped: DateSet
    private let paused: DateSet
    private let calendar: DayCalendar?
    /// The last date on which a weekday's rule or the base can ring.
    private var lastRuled = CivilDate.last

    /// Creates the schedule of an alarm, as if it were enabled. An alarm that needs an anchor and has none
    /// has no base.
    package init(_ alarm: Alarm, in zone: Zone, calendar: DayCalendar? = nil, anchor: Anchor? = nil) {
        self.alarm = alarm.id
        self.zone = zone
        self.calendar = calendar
        time = alarm.time ?? .midnight
        weekly = WeeklyRules(alarm.weekly)
        dates = alarm.dates.isEmpty ? [] : alarm.dates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        skipped = alarm.skipped
        paused = alarm.paused
        base = base(of: alarm, anchor)
        boundRules()
    }

    /// Creates the schedule of an alarm that is saved at an instant, with the anchor that the save fixes.
    package init(_ alarm: Alarm, in zone: Zone, calendar: DayCalendar? = nil, savedAt instant: Instant) {
        self.init(
            alarm, in: zone, calendar: calendar,
            anchor: Schedule.anchor(of: alarm, in: zone, calendar: calendar, after: instant))
    }

    private mutating func base(of alarm: Alarm, _ anchor: Anchor?) -> RecurrenceDays {
        guard alarm.time != nil else { return .never }
        guard let recurrence = alarm.recurrence else {
            // Without this check, a handled day would ring again after a change of zone.
            guard let date = alarm.date ?? anchor?.date, anchor?.isHandled != true else { return .never }
            if anchor?.isSecondInFold == true { secondInFold = date }
            return RecurrenceDays(Recurrence(.daily), from: date, last: date)
        }
        let last = lastDate(of: recurrence.end)
        if let start = alarm.start { return RecurrenceDays(recurrence, from: start, last: last) }
        guard recurrence.countsFromStart else { return RecurrenceDays(recurrence, from: .first, last: last) }
        guard let anchor else { return .never }
        // An interval also counts backwards from its anchor: a clock that was set back must not silence it.
        // If the anchor replaced a day that was jumped over, nothing lies before it.
        let reachesBack = !recurrence.isCounted && anchor.source != .steppedForward
        return RecurrenceDays(recurrence, from: anchor.date, last: last, reachesBack: reachesBack)
    }

    /// Sets `lastRuled`. After the last date that is named singly, the rules repeat themselves. If they give
    /// no ring from there on, they never will, and each query can stop there.
    private mutating func boundRules() {
        let lastNamed = max(paused.runs.last?.upperBound ?? .first, calendar?.lastNamed ?? .first)
        if !canGoOn || firstRuledDay(onOrAfter: lastNamed) == nil { lastRuled = lastNamed }
    }

    /// True if some weekday can ring for ever. A rule for working days with a calendar of weekends is an
    /// easy mistake, and the search for its next ring would be long.
    private var canGoOn: Bool {
        let counted = calendar?.weekdays ?? .everyDay
        return !counted.isDisjoint(with: weekly.timed)
            || !counted.isDisjoint(with: base.possibleWeekdays.subtracting(weekly.ruled))
    }

    /// Returns the last date of the base by the rule's UNTIL.
    private func lastDate(of end: Recurrence.End) -> CivilDate {
        switch end {
        case .never, .count: .last
        case .date(let date): date
        case .local(let local): time <= local.time ? local.date : local.date.advanced(by: -1)
        case .instant(let instant): lastDate(until: instant)
        }
    }

    private func lastDate(until instant: Instant) -> CivilDate {
        let stretch = zone.stretch(at: instant)
        let date = stretch.local(instant).date
        if let ring = self.instant(of: date, time, near: stretch), ring.at <= instant { return date }
        return date.advanced(by: -1)
    }

    /// Returns the instant of a ring, and whether a gap moved it. If the clocks go forward over the time,
    /// the ring comes as long after the gap as the time lies in it. A date that the zone left out has no
    /// ring.
    private func instant(
        of date: CivilDate, _ time: ClockTime, near stretch: Zone.Stretch
    ) -> (at: Instant, isMoved: Bool)? {
        switch zone.instants(of: CivilDateTime(date, time), near: stretch) {
        case .twice(_, let second) where date == secondInFold: (second, false)
        case .once(let instant), .twice(let instant, _): (instant, false)
        case .never(let gap): gap.covers(date) ? nil : (gap.readWithOffsetBefore, true)
        }
    }

    /// Returns the first ring strictly after `instant`.
    package func next(after instant: Instant) -> PlannedRing? {
        let stretch = zone.stretch(at: instant)
        var date = stretch.local(instant).date
        // If the clocks went forward over midnight, yesterday's ring may still be to come.
        if stretch.begins(within: 86_400, before: instant) { date = date.advanced(by: -1) }
        var earliest: PlannedRing?
        while let day = firstDay(onOrAfter: date) {
            if let earliest, day.date > earliest.date.advanced(by: 1) { break }
            if let ring = self.instant(of: day.date, day.time, near: stretch), ring.at > instant {
                if earliest.map({ ring.at < $0.occurrence.at }) ?? true {
                    earliest = PlannedRing(
                        occurrence: Occurrence(alarm: alarm, at: ring.at), date: day.date, layer: day.layer)
                }
                // A ring that a gap moved over midnight may come after the next day's ring.
                guard ring.isMoved else { break }
            }
            guard day.date < .last else { break }
            date = day.date.advanced(by: 1)
        }
        return earliest
    }

    private struct Day {
        var date: CivilDate
        var time: ClockTime
        var layer: Layer
    }

    /// Returns the first date with a ring, from `first` on.
    private func firstDay(onOrAfter first: CivilDate) -> Day? {
        guard var date = skipped.firstOutside(onOrAfter: first) else { return nil }
        var ruled = firstRuledDay(onOrAfter: date)
        while true {
            let day: Day
            if let entry = firstEntry(onOrAfter: date), entry.date <= ruled?.date ?? .last {
                day = Day(date: entry.date, time: entry.rule.time ?? .midnight, layer: .date)
                if entry.rule != .off, !skipped.contains(day.date) { return day }
            } else if let ruled {
                day = ruled
                if !skipped.contains(day.date) { return day }
            } else {
                return nil
            }
            guard day.date < .last, let next = skipped.firstOutside(onOrAfter: day.date.advanced(by: 1))
            else { return nil }
            date = next
            if let passed = ruled, passed.date < date { ruled = firstRuledDay(onOrAfter: date) }
        }
    }

    private func firstEntry(onOrAfter date: CivilDate) -> (date: CivilDate, rule: DayRule)? {
        let index = dates.partitioningIndex { $0.date >= date }
        return index < dates.count ? dates[index] : nil
    }

    /// Returns the first date on which a weekday's rule or the base rings. Entries in `dates` and skips are
    /// ignored.
    private func firstRuledDay(onOrAfter first: CivilDate) -> Day? {
        var date = first
        // A calendar and weekday rules may forbid every date of the base. All of them repeat after 400
        // years, which are 146,097 days, so a longer search would find nothing new.
        for _ in 0...146_097 {
            let candidates = (base.first(onOrAfter: date), weekly.first(onOrAfter: date))
            guard let candidate = candidates.0.map({ min($0, candidates.1 ?? $0) }) ?? candidates.1,
                candidate <= lastRuled, let unpaused = paused.firstOutside(onOrAfter: candidate),
                let allowed = calendar == nil ? unpaused : calendar?.first(onOrAfter: unpaused)
            else { return nil }
            if allowed > candidate {
                date = allowed
                continue
            }
            switch weekly[candidate.weekday] {
            case .at(let time): return Day(date: candidate, time: time, layer: .weekly)
            case nil: return Day(date: candidate, time: time, layer: .base)
            case .off:
                guard candidate < .last else { return nil }
                date = candidate.advanced(by: 1)
            }
        }
        return nil
    }
}

/// The rules of the weekdays, Monday to Sunday.
struct WeeklyRules: Sendable {
    private let rules: [DayRule?]
    let ruled: WeekdaySet
    let timed: WeekdaySet

    init(_ weekly: [Weekday: DayRule]) {
        rules = weekly.isEmpty ? [] : Weekday.allCases.map { weekly[$0] }
        ruled = WeekdaySet(weekly.keys)
        timed = WeekdaySet(weekly.filter { $0.value != .off }.keys)
    }

    subscript(weekday: Weekday) -> DayRule? {
        rules.isEmpty ? nil : rules[weekday.rawValue - 1]
    }

    /// Returns the first date from `date` on whose weekday has a time.
    func first(onOrAfter date: CivilDate) -> CivilDate? {
        timed.first(onOrAfter: date)
    }
}

/// The rings of an interval, computed one by one. A century of rings takes no more memory than a day.
package struct RingsInOrder: Sequence, IteratorProtocol {
    private let schedules: [Schedule]
    private let until: Instant
    /// The next ring of each alarm that has one.
    private var heap = RingHeap()

    package init(_ schedules: [Schedule], from: Instant, until: Instant) {
        self.schedules = schedules
        self.until = until
        for index in schedules.indices {
            push(schedules[index].next(after: from.advanced(by: -1)), index)
        }
    }

    package mutating func next() -> PlannedRing? {
        guard let (ring, index) = heap.popFirst() else { return nil }
        push(schedules[index].next(after: ring.occurrence.at), index)
        return ring
    }

    private mutating func push(_ ring: PlannedRing?, _ index: Int) {
        guard let ring, ring.occurrence.at < until else { return }
        heap.push(ring, index)
    }
}
