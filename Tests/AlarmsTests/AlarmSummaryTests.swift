// The tests of the text for an alarm's days.

import CivilTime
import Testing

@testable import Alarms

@Suite struct AlarmSummaryTests {
    @Test(arguments: [
        (#""time": "07:00""#, "Once"),
        (#""time": "07:00", "date": "2026-01-15""#, "Once, on Thu 15 Jan 2026"),
        (#""time": "07:00", "anchor": "2026-01-13""#, "Once, on Tue 13 Jan"),
        (#""time": "07:00", "repeat": "FREQ=WEEKLY;INTERVAL=2", "anchor": "2026-01-13""#, "Every 2 weeks on Tue"),
        (#""time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR""#, "Weekdays"),
        (#""time": "07:00", "repeat": "FREQ=MONTHLY", "start": "2026-01-31""#, "Monthly on the 31st"),
        (#""time": "07:00", "repeat": "FREQ=DAILY", "weekly": {"tue": "08:00"}"#, "Every day"),
        (#""weekly": {"tue": "07:45", "sat": "10:00", "sun": "off"}"#, "Tue, Sat"),
        (#""weekly": {"sun": "09:00", "sat": "10:00"}"#, "Weekends"),
        (#""weekly": {"sun": "09:00"}, "dates": {"2026-01-15": "07:00"}"#, "Every Sunday"),
        (#""dates": {"2026-01-15": "07:00"}"#, "On chosen dates"),
        (#""weekly": {"sun": "off"}, "dates": {"2026-01-15": "07:00"}"#, "On chosen dates"),
    ])
    func days_areDescribedBriefly(fields: String, summary: String) throws {
        let alarm = try alarm(#"{"id": "a", \#(fields)}"#)
        #expect(alarm.daysSummary == summary)
    }

    @Test func weekdays_readInTheOrderOfTheWeek() {
        #expect(WeekdaySet([.saturday, .monday, .sunday]).summary == "Sun, Mon, Sat")
        #expect(WeekdaySet([.wednesday]).summary == "Wed")
        #expect(WeekdaySet.everyDay.subtracting([.sunday]).summary == "Mon, Tue, Wed, Thu, Fri, Sat")
        #expect(WeekdaySet.everyDay.summary == "Every day")
    }
}
