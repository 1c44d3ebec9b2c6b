// The day from which an alarm counts if its owner named none, and the alarm's progress in its plan.

import CivilTime

/// The day of a one-time alarm, or the day from which a rule counts.
///
/// "07:00" means the next 07:00, and "every two weeks" counts from the next such day. Rooster fixes this day
/// once, when the alarm is saved, and keeps it with the alarm. Deriving it again later would give another
/// day.
public struct Anchor: Hashable, Sendable {
    /// The origin of the day.
    public enum Source: String, Hashable, Sendable {
        case owner
        /// Rooster chose the first day whose ring was still to come.
        case resolved
        /// Rooster replaced a day that a forward step of the clock jumped over.
        case steppedForward = "stepped"
    }

    package var date: CivilDate
    /// The planned instant of that day's ring when the day was fixed.
    package var at: Instant
    package var source: Source
    /// True if the ring is the second of two, on the night when clocks go back over the alarm's time.
    package var isSecondInFold: Bool
    /// The instant of the ring or miss that handled the day, which may be a later one; nil before that.
    package var handledAt: Instant?

    package var isHandled: Bool { handledAt != nil }

    package init(
        _ date: CivilDate, at: Instant = .earliest, source: Source = .resolved, isSecondInFold: Bool = false
    ) {
        (self.date, self.at, self.source, self.isSecondInFold) = (date, at, source, isSecondInFold)
    }
}

extension Alarm {
    /// True if the alarm's days depend on a day that the owner did not name.
    package var needsAnchor: Bool {
        guard time != nil else { return false }
        guard let recurrence else { return date == nil }
        return start == nil && recurrence.countsFromStart
    }
}

extension Recurrence {
    /// True if another start gives other days.
    var countsFromStart: Bool { isCounted || interval > 1 || takesItsDayFromStart }

    var isCounted: Bool { if case .count = end { true } else { false } }

    /// True if the rule names no day. Its start then gives the weekday, or the day of the month.
    private var takesItsDayFromStart: Bool { frequency != .daily && days.isEmpty && monthDays.isEmpty }

    /// Returns whether the rule itself gives the date, and not only a weekday's rule or an entry in `dates`.
    fileprivate func canStart(on date: CivilDate) -> Bool {
        RecurrenceDays(possibleStarts, from: date).first(onOrAfter: date) == date
    }

    /// A rule for the days on which this rule could start.
    fileprivate var possibleStarts: Recurrence {
        var rule = self
        rule.interval = 1
        if isCounted { rule.end = .never }
        if takesItsDayFromStart { (rule.frequency, rule.positions) = (.daily, []) }
        return rule
    }
}

extension Schedule {
    /// The bound on the search for a first day. A rule without a day in this many tries counts as empty.
    private static let anchorTriesMax = 1000

    /// Returns the anchor of an alarm that is saved. If a one-time alarm has a date, the anchor is that
    /// date. Otherwise the anchor is the first day by all rules of the alarm whose ring is after `instant`
    /// and was not handled. Returns nil if the alarm needs no anchor, or if no such day exists.
    package static func anchor(
        of alarm: Alarm, in zone: Zone, calendar: DayCalendar?, after instant: Instant,
        isHandled: (Instant) -> Bool = { _ in false }
    ) -> Anchor? {
        if let second = secondInFold(of: alarm, in: zone, calendar: calendar, after: instant), !isHandled(second.at) {
            return second
        }
        if let date = alarm.date, let time = alarm.time, alarm.recurrence == nil {
            return Anchor(date, at: zone.instants(of: CivilDateTime(date, time)).first, source: .owner)
        }
        guard alarm.needsAnchor else { return nil }
        var anyDay = alarm
        anyDay.start = nil
        anyDay.recurrence = alarm.recurrence?.possibleStarts ?? Recurrence(.daily)
        let candidates = Schedule(anyDay, in: zone, calendar: calendar)
        var last = instant
        for _ in 0..<anchorTriesMax {
            guard let ring = candidates.next(after: last) else { return nil }
            last = ring.occurrence.at
            guard !isHandled(last), alarm.recurrence?.canStart(on: ring.date) ?? true else { continue }
            let anchor = Anchor(ring.date, at: last)
            let anchored = Schedule(alarm, in: zone, calendar: calendar, anchor: anchor)
            if anchored.next(after: last.advanced(by: -1))?.date == ring.date { return anchor }
        }
        return nil
    }

    /// Returns the second of two rings on the night when clocks go back, if a one-time alarm is set between
    /// the two.
    private static func secondInFold(
        of alarm: Alarm, in zone: Zone, calendar: DayCalendar?, after instant: Instant
    ) -> Anchor? {
        let today = zone.local(instant).date
        guard let time = alarm.time, alarm.recurrence == nil, alarm.date ?? today == today,
            case .twice(let first, let second) = zone.instants(of: CivilDateTime(today, time)),
            first <= instant, instant < second
        else { return nil }
        let anchor = Anchor(
            today, at: second, source: alarm.date == nil ? .resolved : .owner, isSecondInFold: true)
        let schedule = Schedule(alarm, in: zone, calendar: calendar, anchor: anchor)
        return schedule.next(after: instant)?.occurrence.at == second ? anchor : nil
    }
}

/// An alarm's progress in its plan. Its next ring depends on this and on the owner's fields.
public struct ScheduleState: Hashable, Sendable {
    /// The number of the alarm's present schedule. A decision about an earlier one does not affect a later
    /// one.
    package var revision: Int
    /// The instant up to which all rings were handled or not wanted.
    package var cursor: Instant
    /// The fixed day of the alarm; nil if there is none.
    package var anchor: Anchor?
    /// True if an untrusted clock set the cursor, and the time has not become trusted since.
    package var isProvisional: Bool

    package init(revision: Int, cursor: Instant, anchor: Anchor? = nil, isProvisional: Bool = false) {
        (self.revision, self.cursor, self.anchor, self.isProvisional) = (revision, cursor, anchor, isProvisional)
    }

    /// Records that the ring at an instant was handled.
    package mutating func pass(_ instant: Instant) {
        cursor = max(cursor, instant)
        handleAnchor(at: instant)
    }

    /// Records that a ring was handled which may lie ahead. Rings before it may still come.
    package mutating func handleAnchor(at instant: Instant) {
        if let anchor, !anchor.isHandled, anchor.at <= instant { self.anchor?.handledAt = instant }
    }
}
