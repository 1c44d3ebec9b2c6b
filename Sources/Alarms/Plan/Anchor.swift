// The day that an alarm counts from where its owner named none, and how far the alarm is in its plan.

import CivilTime

/// The day of a one-time alarm, or the day from which a rule counts.
///
/// An owner who says "07:00" means the next 07:00, and who says "every two weeks" means two weeks from the next one. That day
/// is fixed once, when the alarm is saved, and kept with the alarm: deriving it again later would give another day.
public struct Anchor: Hashable, Sendable {
    /// Who fixed the day.
    public enum Source: String, Hashable, Sendable {
        case owner
        /// It was the first day whose ring was still to come.
        case resolved
        /// It took the place of a day that a forward step of the clock jumped over.
        case steppedForward = "stepped"
    }

    package var date: CivilDate
    /// When the ring of that day was planned for when the day was fixed.
    package var at: Instant
    package var source: Source
    /// Whether the ring is the second of two, on the night when clocks go back over the alarm's time.
    package var isSecondInFold: Bool
    /// The ring that was the day's turn, or came after it: it rang, or was missed.
    package var handledAt: Instant?

    package var isHandled: Bool { handledAt != nil }

    package init(
        _ date: CivilDate, at: Instant = .earliest, source: Source = .resolved, isSecondInFold: Bool = false
    ) {
        (self.date, self.at, self.source, self.isSecondInFold) = (date, at, source, isSecondInFold)
    }
}

extension Alarm {
    /// Whether its days depend on a day that it does not name.
    package var needsAnchor: Bool {
        guard time != nil else { return false }
        guard let recurrence else { return date == nil }
        return start == nil && recurrence.countsFromStart
    }
}

extension Recurrence {
    /// Whether it gives other days when it starts on another day.
    var countsFromStart: Bool { isCounted || interval > 1 || takesItsDayFromStart }

    var isCounted: Bool { if case .count = end { true } else { false } }

    /// Whether it names no day: the 12th of each month, or each Monday, is then the day of its start.
    private var takesItsDayFromStart: Bool { frequency != .daily && days.isEmpty && monthDays.isEmpty }

    /// Whether a weekday or a date of its own did not give that day.
    fileprivate func canStart(on date: CivilDate) -> Bool {
        RecurrenceDays(possibleStarts, from: date).first(onOrAfter: date) == date
    }

    /// The days that this rule could start on.
    fileprivate var possibleStarts: Recurrence {
        var rule = self
        rule.interval = 1
        if isCounted { rule.end = .never }
        if takesItsDayFromStart { (rule.frequency, rule.positions) = (.daily, []) }
        return rule
    }
}

extension Schedule {
    /// A rule whose first day cannot be found in so many tries is taken to have none.
    private static let anchorTriesMax = 1000

    /// The anchor that an alarm gets when it is saved: the day of a one-time alarm that its owner named, or else the first day
    /// whose ring is after an instant, by all the rules of the alarm, and has had no turn. Nil where the alarm needs none, or
    /// no such day exists.
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

    /// The second of two rings on the night when clocks go back, for a one-time alarm that is set between the two.
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

/// How far an alarm is in its plan: what its next ring depends on beside the owner's words.
public struct ScheduleState: Hashable, Sendable {
    /// Names the alarm's *when* as its owner last had it: what was decided about an earlier one does not touch a later one.
    package var revision: Int
    /// What was due at or before this had its turn, or was not wanted.
    package var cursor: Instant
    /// The day that the alarm counts from, where its owner named none.
    package var anchor: Anchor?
    /// Whether the cursor was set by a clock that was not trusted, and the time has not become trusted since.
    package var isProvisional: Bool

    package init(revision: Int, cursor: Instant, anchor: Anchor? = nil, isProvisional: Bool = false) {
        (self.revision, self.cursor, self.anchor, self.isProvisional) = (revision, cursor, anchor, isProvisional)
    }

    /// A ring had its turn.
    package mutating func pass(_ instant: Instant) {
        cursor = max(cursor, instant)
        if let anchor, !anchor.isHandled, anchor.at <= instant { self.anchor?.handledAt = instant }
    }
}
