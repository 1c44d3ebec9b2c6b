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
    var isMistaken: Bool { label.count > 200 || time == nil && weekly.isEmpty && dates.isEmpty }

    /// Whether its base rings the next time that the clock shows its time.
    var hasNextTime: Bool { recurrence == nil && date == nil && time != nil }

    /// Whether that is all that it does, but for days that it names.
    var isForNextTime: Bool { isForFewDays && hasNextTime }

    /// What is skipped of it still, if it was another before, and nobody has said anew what is skipped.
    func skipped(after old: Alarm) -> DateSet {
        let isSame =
            time == old.time && date == old.date && recurrence == old.recurrence && weekly == old.weekly
            && zoneName == old.zoneName && calendarName == old.calendarName && (old.isEnabled || !isEnabled)
        let days = skipped.runs.flatMap { ($0.lowerBound.dayNumber...$0.upperBound.dayNumber) }
        return DateSet(
            days.map { CivilDate(dayNumber: $0) }.filter { date in
                // The ring of a day that has an entry of its own is another's than the base's.
                dates[date] == old.dates[date] && (dates[date] != nil || isSame)
            }.map { $0...$0 })
    }

    /// Whether days may be left out of its base, or have another ring in its place.
    var mayLeaveOutItsBase: Bool { !hasNoDates || !weekly.isEmpty }

    /// Whether it rings on days that are named, and on no others.
    var isForFewDays: Bool { recurrence == nil && !weekly.values.contains { $0 != .off } }
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
