// The tests of rules that libical or dateutil interpret differently, with results by hand or from a model.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct RecurrenceDifferencesTests {
    func dates(_ rule: Recurrence, from start: CivilDate, count: Int) -> [CivilDate] {
        let days = RecurrenceDays(rule, from: start)
        return Array(
            sequence(first: days.first(onOrAfter: start)) { date in
                date.flatMap { days.first(onOrAfter: $0.advanced(by: 1)) }
            }.prefix(count).compactMap(\.self))
    }

    /// RFC 7529 omits a day that a month lacks by default. Owners that choose "the 31st" want the last day.
    @Test(arguments: [
        ("FREQ=MONTHLY;BYMONTHDAY=31", 2025_01_31, [2025_01_31, 2025_02_28, 2025_03_31, 2025_04_30]),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", 2024_02_29, [2024_02_29, 2025_02_28, 2026_02_28, 2027_02_28]),
        ("FREQ=MONTHLY;BYMONTHDAY=-31", 2025_01_01, [2025_01_01, 2025_01_31, 2025_03_01, 2025_03_31]),
    ])
    func missingDays_withoutSKIP_moveToTheDayBefore(text: String, start: Int, expected: [Int]) throws {
        let rule = try Recurrence(parsing: text)
        let first = try #require(CivilDate(number: start))
        #expect(dates(rule, from: first, count: 4).map(\.number) == expected)
        let backward = try Recurrence(parsing: "\(text);SKIP=BACKWARD")
        #expect(dates(rule, from: first, count: 50) == dates(backward, from: first, count: 50))
        // libical follows the RFC, so the two results must differ.
        let theirs = IcalOracle.dates(text, from: start, countMax: 4, lastDate: 2050_01_01)
        #expect(theirs?.first == expected[0])
        #expect(theirs != expected)
    }

    @Test(arguments: [
        // The first of several weeks counts even if the start is on none of the rule's days.
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR", 2026_01_07, [2026_01_09, 2026_01_19, 2026_01_23]),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU", 2026_01_06, [2026_01_06, 2026_01_18, 2026_01_20]),
        // In a yearly rule BYMONTHDAY means that day of each month.
        ("FREQ=YEARLY;BYMONTHDAY=15", 2026_11_01, [2026_11_15, 2026_12_15, 2027_01_15]),
        // Weekdays with a number and without: a day matches either.
        ("FREQ=MONTHLY;BYDAY=1MO,FR", 2026_01_01, [2026_01_02, 2026_01_05, 2026_01_09]),
        // SKIP moves a day that a month lacks. A missing fifth Friday is not a day.
        ("FREQ=MONTHLY;BYDAY=5FR;SKIP=FORWARD", 2026_01_01, [2026_01_30, 2026_05_29, 2026_07_31]),
        // A single day has one position, counted from either end.
        ("FREQ=DAILY;BYDAY=MO;BYSETPOS=-1", 2026_01_01, [2026_01_05, 2026_01_12, 2026_01_19]),
        ("FREQ=DAILY;BYDAY=MO;BYSETPOS=2", 2026_01_01, []),
        ("FREQ=DAILY;BYMONTHDAY=-1", 2026_01_01, [2026_01_31, 2026_02_28, 2026_03_31]),
    ])
    func rulesThatLibrariesReadDifferently_followTheRFC(text: String, start: Int, expected: [Int]) throws {
        let first = try #require(CivilDate(number: start))
        #expect(dates(try Recurrence(parsing: text), from: first, count: 3).map(\.number) == expected)
    }

    /// RFC 7529 moves a missing day after BYMONTH and before BYDAY. libical does not, so the reference is a
    /// model that goes through the months.
    @Test func movedDays_agreeWithAModel() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<Thoroughness.pick(100, full: 20_000) {
            var rule = Recurrence(Bool.random(using: &random) ? .monthly : .yearly)
            rule.interval = Int.random(in: 1...5, using: &random)
            rule.monthDays = Array(Set((0..<3).map { _ in Int.random(in: 26...31, using: &random) })).sorted()
            if Bool.random(using: &random) { rule.monthDays.insert(-Int.random(in: 27...31, using: &random), at: 0) }
            if Bool.random(using: &random) { rule.months = [2, 4, 6, 12] }
            if Bool.random(using: &random) { rule.days = [.monday, .friday, .sunday].map { Recurrence.Day($0) } }
            rule.skip = Recurrence.Skip.allCases.randomElement(using: &random)
            if Bool.random(using: &random) { rule.positions = [-Int.random(in: 1...3, using: &random), 1] }
            let start = CivilDate(dayNumber: Int.random(in: 15_000...25_000, using: &random))

            let expected = periods(of: rule, from: start).flatMap { days in
                let wanted = Set(days).sorted().filter { rule.days.isEmpty || rule.weekdays.contains($0.weekday) }
                return wanted.enumerated().filter { index, _ in
                    rule.positions.isEmpty || rule.positions.contains(index + 1)
                        || rule.positions.contains(index - wanted.count)
                }.map(\.element)
            }
            let rings = Set(expected.filter { $0 >= start }).sorted()
            let ours = dates(rule, from: start, count: 100).filter { $0 <= rings.last ?? .first }
            #expect(ours == Array(rings.prefix(100)), "\(rule) from \(start)")
        }
    }

    /// Returns the days of 30 years, period by period, each moved as SKIP says.
    private func periods(of rule: Recurrence, from start: CivilDate) -> [[CivilDate]] {
        let (startYear, startMonth, _) = start.yearMonthDay
        if rule.frequency == .yearly {
            return stride(from: startYear, to: startYear + 30, by: rule.interval).map { year in
                (1...12).flatMap { movedDays(of: rule, month: $0, year: year) }
            }
        }
        return stride(from: startMonth - 1, to: 360, by: rule.interval).map { month in
            movedDays(of: rule, month: month % 12 + 1, year: startYear + month / 12)
        }
    }

    private func movedDays(of rule: Recurrence, month: Int, year: Int) -> [CivilDate] {
        guard rule.months.isEmpty || rule.months.contains(month),
            let first = CivilDate(year: year, month: month, day: 1)
        else { return [] }
        let length = CivilDate.daysInMonth(month, year: year)
        return rule.monthDays.compactMap { number in
            let day = number > 0 ? number : length + 1 + number
            return switch rule.skip {
            case .omit: (1...length).contains(day) ? first.advanced(by: day - 1) : nil
            case .forward: first.advanced(by: min(max(day, 1), length + 1) - 1)
            default: first.advanced(by: min(max(day, 0), length) - 1)
            }
        }
    }

    /// Neither libical nor dateutil chooses among the days of a whole week. The reference is a model that
    /// goes through all days, week by week.
    @Test func positionsInWeeks_agreeWithAModel() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<Thoroughness.pick(60, full: 5_000) {
            var rule = Recurrence(.weekly)
            rule.interval = Int.random(in: 1...4, using: &random)
            rule.days = Weekday.allCases.filter { _ in Bool.random(using: &random) }.map { Recurrence.Day($0) }
            rule.weekStart = Weekday.allCases.randomElement(using: &random) ?? .monday
            rule.positions = [Int.random(in: 1...7, using: &random), -Int.random(in: 1...7, using: &random)].sorted()
            if Bool.random(using: &random) { rule.months = [1, 6, 12] }
            let start = CivilDate(dayNumber: Int.random(in: 15_000...25_000, using: &random))

            let firstDay = start.advanced(by: -start.weekday.days(after: rule.weekStart))
            let wanted = Set(rule.days.isEmpty ? [start.weekday] : rule.days.map(\.weekday))
            let expected = (0..<120).flatMap { week -> [CivilDate] in
                let days = (0..<7).map { firstDay.advanced(by: week * rule.interval * 7 + $0) }.filter {
                    wanted.contains($0.weekday) && (rule.months.isEmpty || rule.months.contains($0.month))
                }
                return days.enumerated().filter { index, _ in
                    rule.positions.contains(index + 1) || rule.positions.contains(index - days.count)
                }.map(\.element)
            }.filter { $0 >= start }
            let ours = dates(rule, from: start, count: 200).filter { $0 <= expected.last ?? .first }
            #expect(ours == Array(expected.prefix(200)), "\(rule) from \(start)")
        }
    }
}

extension CivilDate {
    /// Reads the digits YYYYMMDD.
    fileprivate init?(number: Int) {
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
