// When an alarm rings, found the long way: day by day, each day by the layers as the owner is told of them.

import Alarms
import CivilTime

/// A planned ring, by a second account of what an alarm says. It knows what the alarms of the nights can say and no more.
struct FoundRing: Hashable {
    var second: Int
    /// Whether it is certain: a time that is to come once may be today's or tomorrow's if it was saved just then.
    var isSure = true
}

/// Finds the rings of one alarm.
struct RingFinder {
    let alarm: Alarm
    let zone: PlainZone
    let calendar: DayCalendar?
    /// Between these it was saved, in seconds since 1970.
    var since: ClosedRange<Int>
    /// On one of these days intervals start; nothing where nobody knows.
    let starts: ClosedRange<Int>?
    /// Whether nobody knows whether its base counts still, or which day its next time is.
    var isBaseUnsure = false
    /// When it has rung already, in seconds since 1970: by a clock that was ahead, perhaps, before it was set anew.
    var turns: Set<Int> = []

    /// When the one time is that its base may ring, in seconds since 1970, if that is certain; whether it does is another
    /// question.
    var once: Int? {
        guard let time = alarm.time, let days = onceDays, days.lowerBound == days.upperBound else { return nil }
        return zone.second(of: days.lowerBound, time.secondsSinceMidnight)
    }

    /// All rings of the days around two instants, the earliest first.
    func rings(_ seconds: ClosedRange<Int>) -> [FoundRing] {
        guard alarm.isEnabled else { return [] }
        let onceDays = onceDays
        var found: [FoundRing] = []
        for day in zone.day(at: seconds.lowerBound) - 1...zone.day(at: seconds.upperBound) + 1 {
            if let time = ruledTime(of: day) {
                guard let time = time.time else { continue }
                found.append(FoundRing(second: zone.second(of: day, time.secondsSinceMidnight)))
            } else if let time = alarm.time, let isSure = rings(on: day, onceDays) {
                found.append(
                    FoundRing(second: zone.second(of: day, time.secondsSinceMidnight), isSure: isSure && !isBaseUnsure))
            }
        }
        return found.sorted { $0.second < $1.second }
    }

    /// What says otherwise than the base; nothing where the base decides.
    private func ruledTime(of day: Int) -> DayRule? {
        let date = CivilDate(dayNumber: day)
        if alarm.skipped.contains(date) { return .off }
        if let rule = alarm.dates[date] { return rule }
        if let calendar, !calendar.counts(date) { return .off }
        if alarm.paused.contains(date) { return .off }
        return alarm.weekly[date.weekday]
    }

    /// Whether the base rings on a day, and if so, whether that is certain.
    private func rings(on day: Int, _ onceDays: ClosedRange<Int>?) -> Bool? {
        if let recurrence = alarm.recurrence { return recurrence.gives(day, from: starts) }
        if let date = alarm.date { return date.dayNumber == day ? true : nil }
        guard let onceDays, onceDays.contains(day) else { return isBaseUnsure ? false : nil }
        return onceDays.lowerBound == onceDays.upperBound
    }

    /// The day of an alarm that names none: the next on which the clock shows its time.
    private var onceDays: ClosedRange<Int>? {
        guard alarm.recurrence == nil, alarm.date == nil, let time = alarm.time else { return nil }
        func first(after instant: Int, but turns: Set<Int> = []) -> Int? {
            let today = zone.day(at: instant)
            return (today...today + 30).first { day in
                let date = CivilDate(dayNumber: day)
                let isOff = (alarm.dates[date] ?? alarm.weekly[date.weekday]) == .off
                let second = zone.second(of: day, time.secondsSinceMidnight)
                return !isOff && calendar?.counts(date) != false && second > instant && !turns.contains(second)
            }
        }
        guard let earliest = first(after: since.lowerBound), let latest = first(after: since.upperBound, but: turns)
        else { return nil }
        return earliest...max(earliest, latest)
    }
}

extension Book {
    /// What finds the rings of an alarm, where the machine is in that zone.
    func finder(of kept: Kept, machine: Int) -> RingFinder {
        let zone = zone(of: kept.alarm, machine: machine)
        var alarm = kept.alarm
        if kept.spent != nil { (alarm.time, alarm.date) = (nil, nil) }
        let since = kept.since.lowerBound / 1000...kept.since.upperBound / 1000
        var finder = RingFinder(
            alarm: alarm, zone: zone, calendar: kept.alarm.calendarName.flatMap { calendars[$0] },
            since: since, starts: kept.start.days(since, in: zone))
        finder.isBaseUnsure = kept.isBaseUnsure
        finder.turns = turns[alarm.id] ?? []
        // The next time is among those that count now.
        for change in changes(of: kept.alarm) where alarm.hasNextTime {
            let first = change.earliest(lateBy: kept.alarm.lateMilliseconds) / 1000
            finder.since = max(finder.since.lowerBound, first)...max(finder.since.upperBound, change.at / 1000)
        }
        // In another zone it is the next time there, or late.
        for move in moves(of: kept.alarm) where alarm.hasNextTime {
            let first =
                move.isUnseen ? .min : (move.earliest(lateBy: 0) - kept.alarm.lateMilliseconds) / 1000
            // What was not written down by a clock that was wrong counts from when it is found out.
            let last = move.isLost ? move.at + 86_400_000 : move.at
            finder.since = max(finder.since.lowerBound, first)...max(finder.since.upperBound, last / 1000)
        }
        return finder
    }
}

extension Alarm {
    /// What is later than this does not ring.
    var lateMilliseconds: Int { (lateWindowSeconds + 1) * 1000 }
}
