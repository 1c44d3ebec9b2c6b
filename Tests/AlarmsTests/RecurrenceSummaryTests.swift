// The tests of recurrences in the owner's language: different rules must have different texts.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct RecurrenceSummaryTests {
    /// The owner's choices, from a start on Thursday, 2026-01-15.
    @Test(arguments: [
        ("FREQ=DAILY", "Every day"),
        ("FREQ=DAILY;INTERVAL=2", "Every 2 days"),
        ("FREQ=DAILY;INTERVAL=90", "Every 90 days"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "Weekdays"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Weekdays"),
        ("FREQ=WEEKLY;BYDAY=SA,SU", "Weekends"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", "Every day"),
        ("FREQ=WEEKLY;BYDAY=MO,FR,SU", "Sun, Mon, Fri"),
        ("FREQ=WEEKLY", "Every Thursday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", "Every 2 weeks on Mon"),
        ("FREQ=WEEKLY;INTERVAL=2", "Every 2 weeks on Thu"),
        ("FREQ=WEEKLY;INTERVAL=3;BYDAY=SA,SU", "Every 3 weeks on weekends"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "Every 2 weeks on weekdays"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU", "Every 2 weeks on all days"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=SA,SU;WKST=SU", "Every 2 weeks on weekends, weeks beginning on Sunday"),
        ("FREQ=MONTHLY", "Monthly on the 15th"),
        ("FREQ=MONTHLY;BYMONTHDAY=31", "Monthly on the 31st"),
        ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=OMIT", "Monthly on the 31st, left out if there is none"),
        ("FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD", "Monthly on the 31st, or the day after if there is none"),
        ("FREQ=MONTHLY;BYMONTHDAY=28;SKIP=OMIT", "Monthly on the 28th"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "Monthly on the last day"),
        ("FREQ=MONTHLY;BYMONTHDAY=-2", "Monthly on the 2nd to last day"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,2,3,-1", "Monthly on the 1st, 2nd, 3rd and last day"),
        ("FREQ=MONTHLY;BYDAY=1MO", "First Monday of the month"),
        ("FREQ=MONTHLY;BYDAY=3TH", "Third Thursday of the month"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "Last Friday of the month"),
        ("FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1", "Last Friday of the month"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "Last weekday of the month"),
        ("FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1", "First day of a weekend of the month"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO", "First Monday and third Monday of the month"),
        ("FREQ=MONTHLY;INTERVAL=3", "Every 3 months on the 15th"),
        ("FREQ=MONTHLY;INTERVAL=6", "Every 6 months on the 15th"),
        ("FREQ=MONTHLY;INTERVAL=2;BYDAY=2TU", "Every 2 months on the second Tuesday"),
        ("FREQ=YEARLY", "Every year on 15 January"),
        ("FREQ=YEARLY;INTERVAL=4", "Every 4 years on 15 January"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "Every year on 29 February"),
        ("FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=31;SKIP=OMIT", "Every year on 31 January and 31 March"),
        ("FREQ=YEARLY;BYMONTH=3,6;BYMONTHDAY=1", "Every year on 1 March and 1 June"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "Every year on the last day of February"),
        ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "Every year on the fourth Thursday of November"),
        ("FREQ=YEARLY;BYDAY=-1SU", "Every year on the last Sunday of the year"),
        ("FREQ=DAILY;COUNT=1", "Every day, once"),
        ("FREQ=DAILY;COUNT=10", "Every day, 10 times"),
        ("FREQ=DAILY;UNTIL=20261231", "Every day, until 2026-12-31"),
        ("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261231T235959", "Every Monday, until 2026-12-31"),
    ])
    func preset_hasAShortSummary(text: String, summary: String) throws {
        let (rule, start) = try (Recurrence(parsing: text), date("2026-01-15"))
        #expect(rule.summary(from: start) == summary)
    }

    @Test(arguments: [
        ("FREQ=WEEKLY", "Every week"), ("FREQ=WEEKLY;INTERVAL=2", "Every 2 weeks"), ("FREQ=MONTHLY", "Every month"),
        ("FREQ=MONTHLY;INTERVAL=3", "Every 3 months"), ("FREQ=YEARLY", "Every year"),
        ("FREQ=YEARLY;INTERVAL=2", "Every 2 years"),
    ])
    func rule_omitsItsDay_whenItsStartIsUnknown(text: String, summary: String) throws {
        let rule = try Recurrence(parsing: text)
        #expect(rule.summary() == summary)
    }

    @Test(arguments: [
        "FREQ=DAILY;INTERVAL=2;BYDAY=MO", "FREQ=DAILY;BYMONTH=6", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
        "FREQ=YEARLY;BYMONTHDAY=1", "FREQ=MONTHLY;BYDAY=MO", "FREQ=YEARLY;BYMONTH=4,5;BYDAY=MO;BYSETPOS=1",
    ])
    func rule_isQuoted_whenNoShortTextFits(text: String) throws {
        let rule = try Recurrence(parsing: text)
        #expect(rule.summary() == "By the rule \(rule)")
    }

    @Test func ordinals_haveTheirEndings() throws {
        let spoken = [
            1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 10: "10th", 11: "11th", 12: "12th", 13: "13th", 20: "20th",
            21: "21st",
            22: "22nd", 23: "23rd", 30: "30th", 31: "31st",
        ]
        for (day, summary) in spoken {
            let rule = try Recurrence(parsing: "FREQ=MONTHLY;BYMONTHDAY=\(day)")
            #expect(rule.summary() == "Monthly on the \(summary)")
        }
    }

    /// Returns a rule with few choices, so that two rules often have the same text.
    func simpleRule(_ random: inout RandomJSON) -> String {
        let frequency = random.one(of: ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
        var parts = ["FREQ=\(frequency)", random.one(of: ["", "", "INTERVAL=2", "INTERVAL=3"])]
        let plain = ["", "", "BYDAY=MO", "BYDAY=SA,SU", "BYDAY=MO,TU,WE,TH,FR", "BYDAY=MO,TU,WE,TH,FR,SA,SU"]
        let numbered = ["BYDAY=1MO", "BYDAY=-1FR", "BYDAY=1MO,3MO", "BYDAY=5SU"]
        let isLong = frequency == "MONTHLY" || frequency == "YEARLY"
        parts.append(random.one(of: isLong ? plain + numbered : plain))
        if frequency != "WEEKLY" {
            parts.append(
                random.one(of: ["", "", "BYMONTHDAY=1", "BYMONTHDAY=30", "BYMONTHDAY=31", "BYMONTHDAY=-1,-31"]))
        }
        parts.append(random.one(of: ["", "", "BYMONTH=2", "BYMONTH=4,5"]))
        if parts.contains(where: { $0.hasPrefix("BY") }) {
            parts.append(random.one(of: ["", "", "BYSETPOS=1", "BYSETPOS=-1", "BYSETPOS=2,3"]))
        }
        if frequency == "WEEKLY" { parts.append(random.one(of: ["", "", "WKST=SU"])) }
        parts.append(random.one(of: ["", "", "SKIP=OMIT", "SKIP=BACKWARD", "SKIP=FORWARD"]))
        return parts.filter { !$0.isEmpty }.joined(separator: ";")
    }

    func dates(_ rule: Recurrence, from start: CivilDate) -> [CivilDate] {
        let days = RecurrenceDays(rule, from: start)
        var dates: [CivilDate] = []
        while let date = days.first(onOrAfter: dates.last?.advanced(by: 1) ?? start), start.days(until: date) < 5 * 366
        {
            dates.append(date)
        }
        return dates
    }

    @Test(arguments: ["2024-01-31", "2024-02-29", "2025-06-15"])
    func sameWords_meanTheSameDates(start: String) throws {
        let start = try date(start)
        var random = RandomJSON(seed: 61)
        var any = RandomRecurrence(seed: 62)
        var rules: [String: Set<Recurrence>] = [:]
        for number in 0..<Thoroughness.pick(10_000, full: 100_000) {
            let rule = try Recurrence(parsing: number % 4 == 0 ? any.rule() : simpleRule(&random))
            let summary = rule.summary(from: start)
            // Quoted rules differ in the quoted text.
            if !summary.hasPrefix("By the rule") { rules[summary, default: []].insert(rule) }
        }
        var compared = 0
        for (summary, rules) in rules.sorted(by: { $0.key < $1.key }) where rules.count > 1 {
            compared += rules.count
            let sets = Dictionary(grouping: rules) { dates($0, from: start) }
            let different = sets.map { "\($1.map(\.description).min() ?? "") \($0.prefix(4).map(\.description))" }
                .sorted()
            #expect(sets.count == 1, "\(summary): \(different.joined(separator: "\n  "))")
        }
        #expect(compared > 100)
    }
}
