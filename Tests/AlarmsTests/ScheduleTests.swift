// The tests of an alarm's rings: each rule of section 1 that no worked example shows.

import CivilTime
import Testing

@testable import Alarms

@Suite struct ScheduleTests {
    @Test func next_atTheInstantOfARing_isTheFollowingRing() throws {
        let schedule = try Schedule(
            alarm(#"{"id": "a", "time": "07:00", "repeat": "FREQ=DAILY"}"#), in: .utc,
            savedAt: instant("2026-01-01T00:00:00Z"))
        #expect(
            try schedule.next(after: instant("2026-01-05T07:00:00Z"))?.occurrence.at == instant("2026-01-06T07:00:00Z"))
        #expect(
            try schedule.next(after: instant("2026-01-05T06:59:59Z"))?.occurrence.at == instant("2026-01-05T07:00:00Z"))
    }

    @Test(arguments: [
        ("2026-01-05T06:59:59Z", "2026-01-05T07:00:00Z"), ("2026-01-05T07:00:00Z", "2026-01-06T07:00:00Z"),
        ("2026-01-05T23:00:00Z", "2026-01-06T07:00:00Z"),
    ])
    func oneTimeAlarm_ringsWhenTheClockNextShowsIt(since: String, at: String) throws {
        let schedule = try Schedule(alarm(#"{"id": "a", "time": "07:00"}"#), in: .utc, savedAt: instant(since))
        #expect(try schedule.rings(from: .earliest, until: .latest).map(\.occurrence.at) == [instant(at)])
    }

    @Test func oneTimeAlarm_waitsForADayThatItsCalendarCounts() throws {
        let friday = try instant("2026-01-16T20:00:00Z")
        let calendar = DayCalendar(weekdays: .weekdays)
        let schedule = try Schedule(
            alarm(#"{"id": "a", "time": "07:00"}"#), in: .utc, calendar: calendar, savedAt: friday)
        #expect(
            try schedule.rings(from: .earliest, until: .latest).map(\.occurrence.at) == [
                instant("2026-01-19T07:00:00Z")
            ])
    }

    /// The anchor avoids a day skipped before the save. A later skip does not move the anchor.
    @Test func skippedOneTimeAlarm_doesNotMoveToAnotherDay() throws {
        var alarm = try alarm(#"{"id": "a", "time": "07:00"}"#)
        let noon = try instant("2026-01-05T12:00:00Z")
        alarm.skipped = try DateSet().inserting(date("2026-01-06"))
        #expect(Schedule.anchor(of: alarm, in: .utc, calendar: nil, after: noon)?.date == CivilDate("2026-01-07"))
        let anchored = try Schedule(alarm, in: .utc, anchor: Anchor(date("2026-01-06")))
        #expect(anchored.next(after: noon) == nil)
    }

    /// Checks each combination of the layers for one Tuesday by the rule: the first match wins.
    @Test func layers_firstMatchWins_inEveryCombination() throws {
        let tuesday = try date("2026-01-13")
        let rules: [DayRule?] = [nil, .off, .at(ClockTime("08:00") ?? .midnight)]
        for (entry, isDayOff) in rules.flatMap({ entry in [true, false].map { (entry, $0) } }) {
            for (weekly, hasBase) in rules.flatMap({ weekly in [true, false].map { (weekly, $0) } }) {
                for (isSkipped, isPaused) in [(false, false), (true, false), (false, true), (true, true)] {
                    var alarm = Alarm(id: "a")
                    alarm.dates[tuesday] = entry
                    alarm.weekly[.tuesday] = weekly
                    if hasBase {
                        alarm.time = ClockTime("07:00")
                        alarm.recurrence = Recurrence(.daily)
                    }
                    if isSkipped { alarm.skipped = alarm.skipped.inserting(tuesday) }
                    if isPaused { alarm.paused = alarm.paused.inserting(tuesday) }
                    let calendar = DayCalendar(off: isDayOff ? DateSet([tuesday...tuesday]) : DateSet())
                    let schedule = Schedule(alarm, in: .utc, calendar: calendar, savedAt: .earliest)
                    let ring = try schedule.rings(
                        from: instant("2026-01-13T00:00:00Z"), until: instant("2026-01-14T00:00:00Z"))

                    var expected: Layer?
                    if isSkipped {
                        expected = nil
                    } else if let entry {
                        expected = entry == .off ? nil : .date
                    } else if isPaused || isDayOff {
                        expected = nil
                    } else if let weekly {
                        expected = weekly == .off ? nil : .weekly
                    } else {
                        expected = hasBase ? .base : nil
                    }
                    #expect(ring.map(\.layer) == [expected].compactMap(\.self))
                }
            }
        }
    }

    /// An alarm set on Thursday evening for a morning that is off would be lost without a message.
    @Test(arguments: [
        (#""weekly": {"fri": "off"}"#, "2026-01-10T07:00:00Z"),
        (#""dates": {"2026-01-09": "off", "2026-01-10": "off"}"#, "2026-01-11T07:00:00Z"),
        (#""weekly": {"fri": "off"}, "dates": {"2026-01-09": "09:00"}"#, "2026-01-09T09:00:00Z"),
    ])
    func oneTimeAlarm_waitsForADayThatIsNotOff(fields: String, at: String) throws {
        let thursday = try instant("2026-01-08T20:00:00Z")
        let alarm = try alarm("{\"id\": \"a\", \"time\": \"07:00\", \(fields)}")
        let next = Schedule(alarm, in: .utc, savedAt: thursday).next(after: thursday)
        let expected = try instant(at)
        #expect(next?.occurrence.at == expected)
    }

    @Test func oneTimeAlarm_neverRings_whenEveryDayIsOff() throws {
        let off = Weekday.allCases.map { "\"\($0.shortName)\": \"off\"" }.joined(separator: ", ")
        let alarm = try alarm(#"{"id": "a", "time": "07:00", "weekly": {\#(off)}}"#)
        #expect(Schedule(alarm, in: .utc, savedAt: .earliest).next(after: .earliest) == nil)
    }

    @Test func wholeDateThatTheZoneSkipped_hasNoRings() throws {
        let schedule = try Schedule(
            alarm(#"{"id": "a", "time": "07:00", "repeat": "FREQ=DAILY"}"#), in: zone("Pacific/Apia"),
            savedAt: .earliest)
        #expect(
            try schedule.local(from: "2011-12-29T00:00:00Z", until: "2012-01-01T00:00:00Z")
                == ["2011-12-29 07:00", "2011-12-31 07:00", "2012-01-01 07:00"])
        // With the offset before the change, a time of that Friday falls on Saturday. A daily alarm would
        // hide the difference.
        for fields in [#""time": "07:00", "date": "2011-12-30""#, #""dates": {"2011-12-30": "07:00"}"#] {
            let friday = try Schedule(alarm("{\"id\": \"a\", \(fields)}"), in: zone("Pacific/Apia"), savedAt: .earliest)
            #expect(friday.next(after: .earliest) == nil)
        }
    }

    @Test func midnightInTheGap_ringsOnceOnItsDate() throws {
        // Beirut sets its clocks forward from 00:00 to 01:00.
        let schedule = try Schedule(
            alarm(#"{"id": "a", "time": "00:00", "repeat": "FREQ=DAILY"}"#), in: zone("Asia/Beirut"), savedAt: .earliest
        )
        #expect(
            try schedule.local(from: "2024-03-29T12:00:00Z", until: "2024-04-01T12:00:00Z")
                == ["2024-03-30 00:00", "2024-03-31 01:00", "2024-04-01 00:00"])
    }

    @Test func gapOverMidnight_keepsTheRingsOfBothDays() throws {
        // Toronto once set its clocks forward at 23:30, so 1919-03-30 ended with 22:30 + 1 h. An early
        // alarm of the next day then rings before a late one of that day.
        let toronto = try zone("America/Toronto")
        let gap = try #require(toronto.firstGapOverMidnight(year: 1919), "tzdata has no such gap any more")
        let alarm = try alarm(
            #"{"id": "a", "dates": {"\#(gap.date)": "23:45", "\#(gap.date.advanced(by: 1))": "00:31"}}"#)
        let rings = Schedule(alarm, in: toronto, savedAt: .earliest).rings(from: .earliest, until: .latest)
        #expect(rings.count == 2)
        #expect(rings.map(\.date) == [gap.date.advanced(by: 1), gap.date])
    }

    /// These alarms have no date at all. Each query must return, within the suite's time limit.
    @Test(arguments: [
        (#""time": "07:00", "repeat": "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;SKIP=OMIT""#, DayCalendar()),
        (#""time": "07:00", "repeat": "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "start": "2026-01-01""#, DayCalendar()),
        (#""time": "07:00", "repeat": "FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "start": "2026-01-01""#, DayCalendar()),
        (#""time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU""#, DayCalendar(weekdays: .weekend)),
        (#""time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO", "weekly": {"mon": "off"}"#, DayCalendar()),
        (#""weekly": {"mon": "07:00"}"#, DayCalendar(weekdays: [.tuesday])),
        (#""time": "07:00", "repeat": "FREQ=DAILY", "pause": ["0001-01-01/9999-12-31"]"#, DayCalendar()),
        (#""time": "07:00", "repeat": "FREQ=DAILY""#, DayCalendar(weekdays: [])),
        (#""time": "07:00", "repeat": "FREQ=DAILY;UNTIL=20200101", "start": "2026-01-01""#, DayCalendar()),
        (#""time": "07:00", "repeat": "FREQ=DAILY;BYDAY=MO;BYSETPOS=2""#, DayCalendar()),
        (#""time": "07:00", "date": "2020-01-01""#, DayCalendar()),
    ])
    func next_isNil_whenNoDateIsLeft(fields: String, calendar: DayCalendar) throws {
        let now = try instant("2026-01-01T00:00:00Z")
        let schedule = try Schedule(alarm("{\"id\": \"a\", \(fields)}"), in: .utc, calendar: calendar, savedAt: now)
        #expect(schedule.next(after: now) == nil)
    }

    @Test func forgettingDates_keepsTodayAndLater() throws {
        let full = try alarm(
            """
            {"id": "a", "time": "07:00", "dates": {"2026-01-14": "off", "2026-01-15": "off", "2026-01-16": "09:00"},
             "skip": ["2026-01-10"], "pause": ["2026-01-01/2026-01-20"]}
            """)
        let today = try date("2026-01-15")
        let alarm = full.forgettingDates(before: today)
        #expect(try alarm.dates.keys.sorted() == [today, date("2026-01-16")])
        #expect(alarm.skipped.isEmpty)
        #expect(try alarm.paused == DateSet([today...date("2026-01-20")]))
    }
}

extension Zone {
    /// Returns the first date of the year on which the clocks were set forward over midnight.
    fileprivate func firstGapOverMidnight(year: Int) -> (date: CivilDate, Void)? {
        let newYear = CivilDate(year: year, month: 1, day: 1) ?? .first
        for day in 0..<365 {
            let date = newYear.advanced(by: day)
            guard let time = ClockTime("23:45"), case .never(let gap) = instants(of: CivilDateTime(date, time)),
                gap.end.date > date, !gap.covers(date)
            else { continue }
            return (date, ())
        }
        return nil
    }
}
