// What of an alarm is compared with what its owner was told, and what is plain to see of it.

import Alarms
import CivilTime

extension Alarm {
    /// Without what changes by itself: dates that are over, and the day that intervals count from.
    var plain: Alarm {
        var alarm = self
        alarm.start = nil
        return alarm
    }

    /// Whether it says nothing about single dates.
    var hasNoDates: Bool { dates.isEmpty && skipped.isEmpty && paused.isEmpty }

    /// What it says about single dates.
    var days: [AnyHashable] { [dates, skipped, paused] }

    /// Whether it says nothing about single dates that the other does not. What is over in one zone is not in another.
    func namesNoDates(beside other: Alarm) -> Bool {
        dates.allSatisfy { other.dates[$0.key] == $0.value } && skipped.isWithin(other.skipped)
            && paused.isWithin(other.paused)
    }

    /// Without what it says about single dates: those that are over are forgotten some day.
    var withoutDates: Alarm { forgettingDates(before: .last) }

    /// Whether nobody can make an alarm of it.
    var isMistaken: Bool { label.count > 200 || time == nil }

    /// Whether it rings the next time that the clock shows its time.
    var isForNextTime: Bool { isForFewDays && date == nil && time != nil }

    /// Whether what is skipped of both is the same ring.
    func skipsTheSame(as other: Alarm) -> Bool {
        time == other.time && date == other.date && recurrence == other.recurrence && weekly == other.weekly
            && zoneName == other.zoneName && calendarName == other.calendarName
            && Set(dates.keys).union(other.dates.keys).allSatisfy {
                !skipped.contains($0) || dates[$0] == other.dates[$0]
            }
    }

    /// Whether it rings on days that are named, and on no others.
    var isForFewDays: Bool { recurrence == nil && weekly.isEmpty }
}

extension DateSet {
    fileprivate func isWithin(_ other: DateSet) -> Bool {
        runs.allSatisfy { run in
            (run.lowerBound.dayNumber...run.upperBound.dayNumber).allSatisfy {
                other.contains(CivilDate(dayNumber: $0))
            }
        }
    }
}
