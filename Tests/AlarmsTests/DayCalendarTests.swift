// The tests of day calendars against their definition, date by date.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct DayCalendarTests {
    /// Returns true for a date in `on`. Otherwise it must lie within `from`–`until`, on one of the
    /// weekdays, and not in `off`.
    func counts(_ date: CivilDate, _ calendar: DayCalendar, off: Set<CivilDate>, on: Set<CivilDate>) -> Bool {
        if on.contains(date) { return true }
        if let from = calendar.from, date < from { return false }
        if let until = calendar.until, date > until { return false }
        return calendar.weekdays.contains(date.weekday) && !off.contains(date)
    }

    @Test(arguments: RandomDates.windows)
    func randomCalendars_agreeWithAModel(window: ClosedRange<Int>) {
        var random = RandomDates(window, seed: 81)
        for _ in 0..<Thoroughness.pick(150, full: 15_000) {
            let (off, on) = (random.runs(), random.chance(50) ? random.runs() : [])
            let weekdays = random.chance(20) ? Weekday.allCases : Weekday.allCases.filter { _ in random.chance(30) }
            let calendar = DayCalendar(
                weekdays: WeekdaySet(weekdays), from: random.chance(50) ? random.date() : nil,
                until: random.chance(50) ? random.date() : nil, off: DateSet(off), on: DateSet(on))
            let (offDates, onDates) = (Set(off), Set(on))
            // Behind the window only the weekdays decide, and a week shows all of them.
            let walk = (window.lowerBound...min(window.upperBound + 7, CivilDate.last.dayNumber)).map {
                CivilDate(dayNumber: $0)
            }
            let counted = walk.filter { counts($0, calendar, off: offDates, on: onDates) }
            #expect(walk.filter(calendar.counts) == counted, "\(calendar)")
            for date in random.dates {
                #expect(calendar.first(onOrAfter: date) == counted.first { $0 >= date }, "\(date): \(calendar)")
            }
            for date in walk where date > calendar.lastNamed {
                let isCounted = calendar.until == nil && calendar.weekdays.contains(date.weekday)
                #expect(calendar.counts(date) == isCounted, "\(date): \(calendar)")
            }
        }
    }

    @Test func plainCalendar_countsEveryDay() {
        let calendar = DayCalendar()
        #expect(calendar.counts(.first) && calendar.counts(.last))
        #expect(calendar.first(onOrAfter: .last) == .last)
        #expect(calendar.lastNamed == .first)
    }

    @Test func calendar_countsNothing_whenAllIsOff() {
        #expect(DayCalendar(off: DateSet([.first ... .last])).first(onOrAfter: .first) == nil)
        #expect(DayCalendar(weekdays: []).first(onOrAfter: .first) == nil)
        // 9999-12-31 is a Friday.
        #expect(DayCalendar(weekdays: [.saturday], from: .last).first(onOrAfter: .first) == nil)
        #expect(DayCalendar(weekdays: [.friday], from: .last).first(onOrAfter: .first) == .last)
        #expect(DayCalendar(weekdays: [], on: DateSet([.last ... .last])).first(onOrAfter: .first) == .last)
    }
}
