// The tests that a rule's text can be typed again and gives the same days.

import Alarms
import CivilTime
import Oracles
import Testing

@testable import rooster

@Suite struct WhenPropertyTests {
    /// Returns a random rule that can be put into words.
    private static func rule(_ random: inout SeededRandom) -> Recurrence {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func chance(_ percent: Int) -> Bool { number(1...100) <= percent }
        func weekday() -> Weekday { Weekday.allCases[number(0...6)] }
        var rule = Recurrence(Recurrence.Frequency.allCases[number(0...3)])
        if chance(50) { rule.interval = number(2...12) }
        switch rule.frequency {
        case .daily: break
        case .weekly:
            rule.days = (0..<number(0...7)).map { _ in Recurrence.Day(weekday()) }
            if !rule.days.isEmpty, chance(20) { rule.weekStart = .sunday }
        case .monthly, .yearly:
            let isYearly = rule.frequency == .yearly
            if isYearly, chance(80) { rule.months = (0..<number(1...2)).map { _ in number(1...12) } }
            switch number(0...3) {
            case 0 where !isYearly || !rule.months.isEmpty:
                rule.monthDays = (0..<number(1...2)).map { _ in chance(30) ? -number(1...31) : number(1...31) }
            case 1:
                let most = isYearly && rule.months.isEmpty ? 53 : 5
                rule.days = (0..<number(1...3)).map { _ in
                    Recurrence.Day(weekday(), ordinal: number(1...most) * (chance(30) ? -1 : 1))
                }
            case 2 where rule.months.count < 2:
                rule.days = [WeekdaySet.weekdays, .weekend, .everyDay][number(0...2)].days.map { Recurrence.Day($0) }
                rule.positions = [number(1...8) * (chance(40) ? -1 : 1)]
            default: break
            }
            if rule.days.isEmpty, rule.monthDays.isEmpty { rule.months = [] }
            if !rule.monthDays.isEmpty, chance(30) { rule.skip = Recurrence.Skip.allCases[number(0...2)] }
        }
        switch number(0...9) {
        case 0: rule.end = .count(number(1...20))
        case 1: rule.end = .date(CivilDate(dayNumber: number(20_000...22_000)))
        default: break
        }
        return rule
    }

    private static func dates(_ rule: Recurrence, from start: CivilDate) -> [CivilDate] {
        var alarm = Alarm(id: "a")
        alarm.time = .midnight
        alarm.recurrence = rule
        alarm.start = start
        let schedule = Schedule(alarm, in: .utc, savedAt: Instant(secondsSince1970: (start.dayNumber - 1) * 86_400))
        var dates: [CivilDate] = []
        var instant = Instant(secondsSince1970: (start.dayNumber - 1) * 86_400)
        while dates.count < 40, let ring = schedule.next(after: instant) {
            dates.append(ring.date)
            instant = ring.occurrence.at
        }
        return dates
    }

    /// A date that exists in no year is a typing mistake.
    private static func canBeSaid(_ rule: Recurrence) -> Bool {
        guard rule.frequency == .yearly else { return true }
        return rule.months.allSatisfy { month in
            rule.monthDays.allSatisfy { $0 <= CivilDate.daysInMonth(month, year: 2024) }
        }
    }

    @Test func wordsOfARule_readAgain_giveTheSameDays() throws {
        var random = SeededRandom(seed: 20_261_122)
        var count = 0
        for _ in 0..<Thoroughness.pick(1500, full: 30_000) {
            // After printing and parsing, the rule's lists are sorted and without duplicates.
            let rule = try Recurrence(parsing: Self.rule(&random).description)
            guard Self.canBeSaid(rule) else { continue }
            let start = CivilDate(dayNumber: Int.random(in: 19_000...21_000, using: &random))
            for words in [rule.summary(), rule.summary(from: start)] where !words.hasPrefix("By the rule") {
                let when = try When(["7:00"] + words.split(separator: " ").map(String.init))
                guard case .rule(let read)? = when.days else {
                    Issue.record("\(words) is no rule")
                    continue
                }
                let (expected, found) = (Self.dates(rule, from: start), Self.dates(read, from: start))
                #expect(found == expected, "\(rule) \"\(words)\" was read as \(read), from \(start)")
                count += 1
            }
        }
        #expect(count > 1500)
    }

    /// No input crashes the parser, and each accepted rule fits the alarms file.
    @Test func wordsInAnyOrder_areReadOrRefused() throws {
        let vocabulary =
            WhenWords.vocabulary + [
                "7:00", "2", "31", "15th", "-", "a", "weekend", "to", "month", "year", "all", "day", "2026-12-24",
                "12-24",
                "am", "FREQ=DAILY", "weeks", "beginning", "or", "if", "there", "is", "none", "left", "out", "after",
                ",",
                "",
            ]
        var random = SeededRandom(seed: 7)
        var taken = 0
        for _ in 0..<Thoroughness.pick(4000, full: 100_000) {
            let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)]
            }
            do throws(WhenError) {
                guard case .rule(let rule)? = try When(words).days else { continue }
                taken += 1
                let again: Recurrence? = try? Recurrence(parsing: rule.description)
                #expect(again == rule, "\(words)")
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(taken > 20)
    }
}
