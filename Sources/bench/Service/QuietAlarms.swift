// Alarms of many kinds, none of which rings for hours.

import Alarms
import CivilTime
import Engine
import Glibc

enum QuietAlarms {
    /// Returns `count` alarms of all kinds. Everything that they cause is eleven to thirteen hours ahead.
    static func file(count: Int) throws -> AlarmsFile {
        var file = try SampleAlarms.file(count: count)
        let far = time(nil) + 43_200
        file.settings.zoneName = "UTC"
        file.settings.preflight = .at(clockTime(far))
        file.alarms = file.alarms.enumerated().map { index, alarm in
            var alarm = alarm
            // Daylight saving time moves these offsets by an hour at most, so no alarm comes near.
            let ahead = ["Europe/Berlin": 3600, "Asia/Kolkata": 19_800][alarm.zoneName ?? ""] ?? 0
            let time = clockTime(far + index % 120 * 60 - 3600 + ahead)
            alarm.time = time
            alarm.weekly = alarm.weekly.mapValues { $0 == .off ? .off : .at(time) }
            alarm.dates = alarm.dates.mapValues { $0 == .off ? .off : .at(time) }
            return alarm
        }
        return file
    }

    /// Returns the UTC clock time of that second.
    static func clockTime(_ secondsSince1970: Int) -> ClockTime {
        let second = secondsSince1970 % 86_400
        return ClockTime(hour: second / 3600, minute: second / 60 % 60, second: second % 60) ?? .midnight
    }
}

extension AlarmsFile {
    /// The entries of a journal in which all of this was saved just now.
    var entries: [Entry] {
        let now = Instant(secondsSince1970: time(nil))
        let facts =
            [Fact.settingsSaved(settings)]
            + calendars.sorted { $0.key < $1.key }.map { .calendarSaved($0.key, $0.value) }
            + alarms.enumerated().map { .alarmSaved($1, ScheduleState(revision: $0 + 1, cursor: now)) }
        return facts.map { Entry(millisecondsSince1970: now.secondsSince1970 * 1000, $0) }
    }
}
