// The tests of COUNT's last date: the search by leaps must agree with a count of single dates.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct RecurrenceCountTests {
    /// Returns the dates, counted one by one until the calendar ends.
    func counted(_ rule: Recurrence, from start: CivilDate, count: Int) -> [CivilDate] {
        counted(RecurrenceDays(rule, from: start), count: count)
    }

    func counted(_ days: RecurrenceDays, count: Int) -> [CivilDate] {
        let dates = sequence(first: days.first(onOrAfter: .first)) { date in
            date.flatMap { $0 < .last ? days.first(onOrAfter: $0.advanced(by: 1)) : nil }
        }
        return dates.prefix(count).compactMap(\.self)
    }

    func randomRule(_ random: inout SeededRandom) -> Recurrence {
        var rule = Recurrence(Recurrence.Frequency.allCases.randomElement(using: &random) ?? .daily)
        func chance(_ n: Int) -> Bool { Int.random(in: 0..<n, using: &random) == 0 }
        if chance(2) { rule.interval = Int.random(in: 1...14, using: &random) }
        if chance(3) { rule.months = [Int.random(in: 1...12, using: &random), 2].sorted() }
        if rule.months.count == 2, rule.months[0] == rule.months[1] { rule.months = [2] }
        if rule.frequency != .weekly, chance(3) { rule.monthDays = [Int.random(in: 26...31, using: &random)] }
        if rule.frequency != .weekly, chance(5) {
            rule.monthDays.insert(-Int.random(in: 1...31, using: &random), at: 0)
        }
        if chance(3) {
            let ordinal = rule.frequency > .weekly && chance(2) ? Int.random(in: 1...5, using: &random) : nil
            rule.days = [Recurrence.Day(.monday, ordinal: ordinal.map { chance(2) ? -$0 : $0 })]
            if chance(2) { rule.days.append(Recurrence.Day(.sunday)) }
        }
        if chance(4) { rule.positions = [chance(2) ? -1 : 2] }
        rule.skip = chance(2) ? Recurrence.Skip.allCases.randomElement(using: &random) : nil
        rule.weekStart = chance(2) ? .sunday : .monday
        return rule
    }

    @Test func lastDate_agreesWithCountingOneByOne() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<Thoroughness.pick(100, full: 20_000) {
            var rule = randomRule(&random)
            let start = CivilDate(dayNumber: Int.random(in: -719_162...2_932_896, using: &random))
            let all = counted(rule, from: start, count: 60)
            guard all.count > 0 else { continue }
            for count in [1, 2, all.count / 2, all.count] where count > 0 {
                rule.end = .count(count)
                let found = counted(rule, from: start, count: 100)
                #expect(found == Array(all.prefix(count)), "\(rule) from \(start)")
            }
        }
    }

    @Test(arguments: [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=OMIT", "FREQ=MONTHLY;BYDAY=5SU;BYMONTH=2",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "FREQ=YEARLY;BYDAY=53MO", "FREQ=WEEKLY;INTERVAL=3;BYMONTH=2",
        "FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=-31,31;SKIP=FORWARD", "FREQ=YEARLY;BYDAY=MO;BYSETPOS=53",
        "FREQ=YEARLY;INTERVAL=100", "FREQ=MONTHLY;BYMONTHDAY=-31", "FREQ=YEARLY;BYMONTHDAY=-30;BYMONTH=2",
    ])
    func countOverManyCycles_agreesWithCountingOneByOne(text: String) throws {
        var rule = try Recurrence(parsing: text)
        for start in [CivilDate(dayNumber: 20_000), CivilDate.first] {
            let all = counted(rule, from: start, count: 1200)
            for count in Array(1...20) + [50, 98, 99, 400, 1199] where count <= all.count {
                rule.end = .count(count)
                let days = RecurrenceDays(rule, from: start)
                #expect(days.first(onOrAfter: all[count - 1]) == all[count - 1], "\(rule) from \(start)")
                #expect(days.first(onOrAfter: all[count - 1].advanced(by: 1)) == nil, "\(rule) from \(start)")
            }
        }
    }

    /// UNTIL removes exactly the dates after it, even if SKIP has moved the days.
    @Test func until_removesOnlyLaterDates() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<Thoroughness.pick(100, full: 20_000) {
            let rule = randomRule(&random)
            let start = CivilDate(dayNumber: Int.random(in: 0...30_000, using: &random))
            let all = counted(rule, from: start, count: 20)
            for last in all.flatMap({ [$0, $0.advanced(by: 1), $0.advanced(by: -1)] }) {
                let days = RecurrenceDays(rule, from: start, last: last)
                let left = counted(days, count: 21).filter { $0 <= all[all.count - 1] }
                #expect(left == all.filter { $0 <= last }, "\(rule) from \(start) until \(last)")
            }
        }
    }

    /// No day precedes the calendar's first day, so the first day was once counted twice.
    @Test func count_fromTheFirstDayOfTheCalendar_isExact() throws {
        let rule = try Recurrence(parsing: "FREQ=DAILY;BYDAY=MO;COUNT=15")
        #expect(counted(rule, from: .first, count: 100).count == 15)
    }

    @Test(arguments: [
        "FREQ=DAILY;COUNT=9999;BYMONTHDAY=29;BYMONTH=2;BYDAY=MO;BYSETPOS=1", "FREQ=DAILY;COUNT=9999",
        "FREQ=WEEKLY;COUNT=9999;BYDAY=MO,WE", "FREQ=MONTHLY;COUNT=9999", "FREQ=MONTHLY;COUNT=9999;BYDAY=-1FR",
    ])
    func rulesWithLargeCounts_areSearchedQuickly(text: String) throws {
        let rule = try Recurrence(parsing: text)
        for _ in 0..<10 { #expect(RecurrenceDays(rule, from: .first).first(onOrAfter: .first) != nil) }
    }
}

extension Recurrence.Frequency {
    fileprivate static func > (a: Self, b: Self) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) > (allCases.firstIndex(of: b) ?? 0)
    }
}
