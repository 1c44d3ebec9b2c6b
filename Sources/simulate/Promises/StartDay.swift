// The day that intervals count from, as far as it can be known from outside.

import Alarms
import CivilTime

/// From which day an alarm's intervals count. Days are counted since 1970.
enum StartDay: Equatable {
    /// One of these, for good.
    case days(ClosedRange<Int>)
    /// That on which the alarm was saved, by what is known of it now.
    case since
    /// Whatever happened between, nobody can tell.
    case unknown

    /// All that it may be, if the alarm was saved then; nothing where it may be any.
    func days(_ since: ClosedRange<Int>, in zone: PlainZone) -> ClosedRange<Int>? {
        switch self {
        case .days(let days): days
        case .since: zone.day(at: since.lowerBound)...zone.day(at: since.upperBound)
        case .unknown: nil
        }
    }

    /// Whether this may be shown for it.
    func mayBe(_ shown: Alarm) -> Bool {
        guard case .days(let days) = self, let start = shown.start else { return true }
        return days.contains(start.dayNumber)
    }
}

extension Recurrence {
    /// Whether it gives other days when it starts on another.
    var countsFromStart: Bool { interval > 1 || end != .never || frequency != .daily && days.isEmpty }

    /// Whether it gives a day, whichever of these it counts from: nothing where it does not, and otherwise whether that is
    /// certain.
    func gives(_ day: Int, from starts: ClosedRange<Int>?) -> Bool? {
        let weekday = CivilDate(dayNumber: day).weekday
        // It may name no day: then it is for that of its start.
        guard days.isEmpty || days.contains(where: { $0.weekday == weekday }) else { return nil }
        guard countsFromStart else { return true }
        guard let starts, starts.count <= Recurrence.startsMax else { return false }
        let count = starts.count { gives(day, from: $0) }
        return count == 0 ? nil : count == starts.count
    }

    private static let startsMax = 60

    private func gives(_ day: Int, from start: Int) -> Bool {
        guard day >= start else { return false }
        if frequency == .weekly, days.isEmpty, (day - start) % 7 != 0 { return false }
        var periods = day - start
        // Weeks begin on Monday, and the first day of 1970 was a Thursday.
        if frequency == .weekly { periods = (day + 3) / 7 - (start + 3) / 7 }
        if case .count(let count) = end, periods / interval >= count { return false }
        return periods % interval == 0
    }
}
