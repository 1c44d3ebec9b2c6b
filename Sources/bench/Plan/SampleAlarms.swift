// Files of any size with alarms as varied as those of a household.

import Alarms
import CivilTime

enum SampleAlarms {
    /// Returns a file with `count` alarms, half of them on weekdays, the others of every kind. Their times
    /// are a minute apart.
    static func file(count: Int) throws -> AlarmsFile {
        let kinds = try kinds()
        var file = AlarmsFile()
        file.settings.zoneName = "America/New_York"
        file.calendars = ["school": school]
        file.alarms = (0..<count).map { index in
            var alarm = kinds[index % kinds.count]
            alarm.id = "alarm-\(index)"
            alarm.label = "Alarm \(index)"
            alarm.time = ClockTime(hour: index / 60 % 24, minute: index % 60)
            return alarm
        }
        return file
    }

    /// Returns twenty alarms: ten with a daily or weekly repeat; six with exceptions, a calendar, another
    /// zone, a pause or one date; four with rarer repeats.
    private static func kinds() throws -> [Alarm] {
        let weekdays = try alarm("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR")
        var ownTimes = weekdays
        ownTimes.weekly = [.tuesday: .at(.midnight), .friday: .off]
        ownTimes.dates = [day(1, 1): .off, day(1, 15): .off, day(1, 17): .at(.midnight)]
        var schoolDays = weekdays
        schoolDays.calendarName = "school"
        var inBerlin = weekdays
        inBerlin.zoneName = "Europe/Berlin"
        var inKolkata = try alarm("FREQ=DAILY")
        inKolkata.zoneName = "Asia/Kolkata"
        var paused = weekdays
        paused.paused = DateSet([day(1, 1)...day(1, 9)])
        paused.skipped = DateSet([day(1, 12)...day(1, 12)])
        var once = Alarm(id: "")
        once.date = day(3, 8)
        return try Array(repeating: weekdays, count: 6) + [
            alarm("FREQ=DAILY"), alarm("FREQ=DAILY"), alarm("FREQ=WEEKLY;BYDAY=SA,SU"), alarm("FREQ=WEEKLY;BYDAY=WE"),
            ownTimes, schoolDays, inBerlin, inKolkata, paused, once,
            alarm("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"), alarm("FREQ=DAILY;INTERVAL=90"),
            alarm("FREQ=MONTHLY;BYDAY=-1FR"), alarm("FREQ=MONTHLY;BYMONTHDAY=31"),
        ]
    }

    private static func alarm(_ rule: String) throws -> Alarm {
        var alarm = Alarm(id: "")
        alarm.recurrence = try Recurrence(parsing: rule)
        alarm.start = day(1, 1, year: 2024)
        return alarm
    }

    private static let school = DayCalendar(
        weekdays: .weekdays, from: day(8, 18, year: 2025), until: day(6, 3),
        off: DateSet([
            day(11, 24, year: 2025)...day(11, 28, year: 2025), day(12, 22, year: 2025)...day(1, 4),
            day(1, 19)...day(1, 19),
        ]), on: DateSet([day(2, 21)...day(2, 21)]))

    private static func day(_ month: Int, _ day: Int, year: Int = 2026) -> CivilDate {
        CivilDate(year: year, month: month, day: day) ?? .first
    }
}
