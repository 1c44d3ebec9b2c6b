// The peers that find the next ring: Foundation's `Calendar`, and libical, which calendar programs use.

import CIcal
import CivilTime
import Foundation

/// One search for the time of day, which stops at the first matching weekday.
///
/// This is the fastest of Foundation's searches. A `nextDate` for each weekday takes six times as long,
/// `Calendar.RecurrenceRule` ten times, and a loop of `nextDate(after:matching:)` the same time.
struct CalendarSearchFinder: RingFinder {
    let name = "Foundation: Calendar's search"
    private let calendar: Calendar
    private let time: DateComponents
    private let weekdays: Set<Int>

    init(_ rule: PlanCase.PlanRule) throws {
        calendar = try Calendar.gregorian(rule.zoneName)
        time = DateComponents(hour: rule.time.hour, minute: rule.time.minute, second: 0)
        weekdays = Calendar.numbers(of: rule.weekdays)
    }

    func next(after instant: Instant) -> Instant? {
        let start = Date(timeIntervalSince1970: Double(instant.secondsSince1970))
        var found: Instant?
        calendar.enumerateDates(startingAfter: start, matching: time, matchingPolicy: .nextTime) { date, _, stop in
            guard let date, weekdays.contains(calendar.component(.weekday, from: date)) else { return }
            found = Instant(secondsSince1970: Int(date.timeIntervalSince1970))
            stop = true
        }
        return found
    }
}

extension Calendar {
    static func gregorian(_ zoneName: String) throws -> Calendar {
        // A part of Foundation has the zones, and replaces functions of another part when it is loaded. A
        // static linker drops that part unless something in it is used, as this list is. Without it no
        // zone is found.
        guard TimeZone.knownTimeZoneIdentifiers.contains(zoneName), let zone = TimeZone(identifier: zoneName) else {
            throw BenchmarkRefusal.wrongAnswer("Foundation does not know the zone \(zoneName)")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }

    /// Returns Foundation's numbers for weekdays: Sunday is 1.
    static func numbers(of weekdays: WeekdaySet) -> Set<Int> {
        Set(weekdays.days.map { $0.rawValue % 7 + 1 })
    }
}

/// A libical iterator on the rule, which begins on the instant's own date. This is faster than
/// `icalrecur_iterator_set_start`, and right for rules without an interval. To reuse one iterator would be
/// a little faster, but libical 3.0.16 then leaves out rings.
final class ICalFinder: RingFinder {
    let name = "libical"
    private let rule: icalrecurrencetype
    private let zone: OpaquePointer?
    private let time: ClockTime

    init(_ rule: PlanCase.PlanRule) {
        self.rule = icalrecurrencetype_from_string(rule.recurrence)
        zone = icaltimezone_get_builtin_timezone(rule.zoneName)
        time = rule.time
    }

    func next(after instant: Instant) -> Instant? {
        var start = icaltime_from_timet_with_zone(instant.secondsSince1970, 0, zone)
        start.hour = Int32(time.hour)
        start.minute = Int32(time.minute)
        start.second = 0
        guard let iterator = icalrecur_iterator_new(rule, start) else { return nil }
        defer { icalrecur_iterator_free(iterator) }
        while true {
            let local = icalrecur_iterator_next(iterator)
            guard icaltime_is_null_time(local) == 0 else { return nil }
            let found = icaltime_as_timet_with_zone(local, zone)
            if found > instant.secondsSince1970 { return Instant(secondsSince1970: found) }
        }
    }
}
