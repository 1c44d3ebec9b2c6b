// The tests of dates against a counter that uses only month lengths, and of their text.

import CivilTime
import Oracles
import Testing

@Suite struct CivilDateTests {
    /// Steps through the days with a separate count of year, month, day and weekday.
    @Test func everyDate_followsTheDayBefore() {
        let years = Thoroughness.isFull ? 1...9999 : 1890...2110
        guard var date = CivilDate(year: years.lowerBound, month: 1, day: 1) else {
            Issue.record("no such year")
            return
        }
        var (year, month, day) = (years.lowerBound, 1, 1)
        var weekday = date.weekday
        var disagreements = 0
        while year <= years.upperBound {
            let parts = date.yearMonthDay
            if parts != (year, month, day) || date.weekday != weekday
                || CivilDate(year: year, month: month, day: day) != date
            {
                disagreements += 1
            }
            let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
            let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
            weekday = Weekday(rawValue: weekday.rawValue % 7 + 1) ?? .monday
            date = date.advanced(by: 1)
        }
        #expect(disagreements == 0)
    }

    @Test func knownDates_haveTheirWeekdays() throws {
        #expect(try #require(CivilDate("1970-01-01")).weekday == .thursday)
        #expect(try #require(CivilDate("2024-02-29")).weekday == .thursday)
        #expect(try #require(CivilDate("2026-11-21")).weekday == .saturday)
        #expect(CivilDate.first.description == "0001-01-01")
        #expect(CivilDate.last.description == "9999-12-31")
        #expect(CivilDate.first.weekday == .monday)
    }

    @Test(arguments: [
        "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-01-32", "0000-01-01", "2026-1-01", "2026-01-1",
        "20260101", "2026-01-01T", " 2026-01-01", "+026-01-01", "２０２６-01-01", "", "2026-01", "-2026-01-01",
    ])
    func text_isRefused_whenItIsNoDate(text: String) {
        #expect(CivilDate(text) == nil)
    }

    @Test func text_readsBackWhatItPrinted() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<2000 {
            let date = CivilDate(
                dayNumber: Int.random(in: CivilDate.first.dayNumber...CivilDate.last.dayNumber, using: &random))
            #expect(CivilDate(date.description) == date)
        }
    }

    @Test func arithmetic_staysAtTheEnds_whenItWouldLeaveTheRange() {
        #expect(CivilDate.last.advanced(by: 1) == .last)
        #expect(CivilDate.first.advanced(by: -1) == .first)
        #expect(CivilDate.last.advanced(by: .max) == .last)
        #expect(CivilDate.first.advanced(by: .min) == .first)
        #expect(CivilDate(dayNumber: .max) == .last)
        #expect(CivilDate.first.days(until: .last) == 3_652_058)
    }

    /// The reference is a walk through the month.
    @Test func nthWeekday_agreesWithAWalkThroughTheMonth() {
        for (year, month) in (2023...2026).flatMap({ year in (1...12).map { (year, $0) } }) {
            for weekday in Weekday.allCases {
                let met = (1...CivilDate.daysInMonth(month, year: year))
                    .compactMap { CivilDate(year: year, month: month, day: $0) }
                    .filter { $0.weekday == weekday }
                for n in -6...6 {
                    let index = n > 0 ? n - 1 : met.count + n
                    let expected = n != 0 && met.indices.contains(index) ? met[index] : nil
                    #expect(CivilDate.nth(n, weekday, month: month, year: year) == expected)
                }
            }
        }
    }

    @Test func weekdays_haveShortNames() {
        #expect(Weekday.allCases.map(\.shortName) == ["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
        #expect(Weekday(shortName: "sun") == .sunday)
        #expect(Weekday(shortName: "Sun") == nil)
        #expect(Weekday.monday.days(after: .sunday) == 1)
    }
}
