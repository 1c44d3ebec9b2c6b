// The tests of alarms whose rules almost never ring, so that planning searches long. Each query must return.

import CivilTime
import Testing

@testable import Alarms

@Suite struct HostileScheduleTests {
    let noon = ClockTime(hour: 12, minute: 0)

    func alarm(_ rule: String? = "FREQ=DAILY") throws -> Alarm {
        var alarm = Alarm(id: "a")
        alarm.time = noon
        alarm.start = .first
        alarm.recurrence = try rule.map { try Recurrence(parsing: $0) }
        return alarm
    }

    /// A search that stepped over single skipped days took a second per alarm and query, all night.
    @Test func skippedMillennia_areSearchedQuickly() throws {
        var alarm = try alarm()
        let end = try #require(CivilDate(year: 9000, month: 1, day: 1))
        alarm.skipped = DateSet([.first...end])
        let schedule = Schedule(alarm, in: .utc, savedAt: .earliest)
        for _ in 0..<10_000 {
            #expect(schedule.next(after: .earliest)?.date == end.advanced(by: 1))
        }
        alarm.skipped = DateSet([.first ... .last])
        #expect(Schedule(alarm, in: .utc, savedAt: .earliest).next(after: .earliest) == nil)
    }

    @Test func skippedDates_hideEveryLayer() throws {
        var alarm = try alarm()
        let days = (0..<5).map { CivilDate(dayNumber: 20_000 + $0) }
        alarm.dates = [days[0]: .off, days[1]: .at(.midnight), days[3]: .at(.midnight)]
        alarm.skipped = DateSet([days[1]...days[2]])
        let schedule = Schedule(alarm, in: .utc, savedAt: .earliest)
        let from = Instant(secondsSince1970: days[0].dayNumber * 86_400 - 1)
        let rings = Array(sequence(first: from) { schedule.next(after: $0)?.occurrence.at }.prefix(3).dropFirst())
        #expect(
            rings.map(\.local) == [
                CivilDateTime(days[3], .midnight), CivilDateTime(days[4], noon ?? .midnight),
            ])
    }
}

extension HostileScheduleTests {
    /// Rules that meet their calendar only after centuries, or never.
    @Test(
        arguments: [
            ("FREQ=DAILY;INTERVAL=7", nil), ("FREQ=WEEKLY;INTERVAL=13;BYDAY=MO", nil), ("FREQ=MONTHLY;BYDAY=1MO", nil),
            ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=OMIT", "0020-02-29"), ("FREQ=DAILY;INTERVAL=773", "0009-06-20"),
            ("FREQ=YEARLY;INTERVAL=100", "0101-01-01"), ("FREQ=YEARLY;INTERVAL=400", nil),
        ] as [(String, String?)])
    func ruleThatRarelyMeetsItsCalendar_ringsOrReturnsNil(rule: String, first: String?) throws {
        let saturdays = DayCalendar(weekdays: [.saturday])
        let schedule = Schedule(try alarm(rule), in: .utc, calendar: saturdays, savedAt: .earliest)
        #expect(schedule.next(after: .earliest)?.date.description == first)
    }

    /// An owner's mistakes in large files: the search once ran through four centuries for each alarm.
    @Test func rulesThatNeverMeetTheirCalendar_areSearchedQuickly() throws {
        let thursday = try #require(CivilDate(year: 2026, month: 1, day: 1))
        let saturdays = DayCalendar(weekdays: [.saturday], on: DateSet([thursday...thursday]))
        let before = Instant(secondsSince1970: thursday.advanced(by: -30).dayNumber * 86_400)
        let rules = [
            "FREQ=DAILY;INTERVAL=7": nil, "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=2,4": nil, "FREQ=WEEKLY;BYDAY=TH": thursday,
        ]
        for (rule, expected) in rules {
            var alarm = try alarm(rule)
            alarm.start = thursday.advanced(by: -30)
            for _ in 0..<300 {
                let schedule = Schedule(alarm, in: .utc, calendar: saturdays, savedAt: before)
                #expect(schedule.next(after: before)?.date == expected, "\(rule)")
            }
        }
    }

    @Test func calendarThatBeginsLate_ringsAfterItsBeginning() throws {
        let calendar = DayCalendar(weekdays: [.monday], from: CivilDate(year: 9000, month: 1, day: 1))
        let schedule = Schedule(try alarm(), in: .utc, calendar: calendar, savedAt: .earliest)
        #expect(schedule.next(after: .earliest)?.date.description == "9000-01-06")
    }
}

extension Instant {
    fileprivate var local: CivilDateTime { Zone.utc.local(self) }
}
