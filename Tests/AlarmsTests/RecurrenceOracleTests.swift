// The tests of recurrences against libical and dateutil, for rules that all interpret alike.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct RecurrenceOracleTests {
    static let countMax = 40
    static let lastDate = 2090_01_01

    struct Case {
        let start: CivilDate
        let rule: String

        /// Returns true if libical 3.0 deviates from RFC 5545; dateutil checks these rules:
        /// - libical ignores BYSETPOS in days and weeks, and negative BYMONTHDAY in days.
        /// - In years it limits BYMONTHDAY to the start's month.
        /// - It loses the first of several weeks if no rule day is the start, or WKST is not Monday.
        /// - BYSETPOS counts a day twice that is both, say, the 2nd and the 30th from the end.
        func isReadOtherwiseByLibical(skip: String) throws -> Bool {
            let rule = try Recurrence(parsing: rule)
            return switch rule.frequency {
            case .daily: !rule.positions.isEmpty || rule.monthDays.contains { $0 < 0 }
            case .weekly:
                !rule.positions.isEmpty
                    || rule.interval > 1 && !rule.days.isEmpty
                        && (rule.weekStart != .monday || !rule.days.contains(Recurrence.Day(start.weekday)))
            case .monthly: isCountedTwice(rule) || isMovedOtherwise(rule, skip: skip)
            case .yearly:
                !rule.monthDays.isEmpty && rule.months.isEmpty || isCountedTwice(rule)
                    || isMovedOtherwise(rule, skip: skip)
            }
        }

        private func isCountedTwice(_ rule: Recurrence) -> Bool {
            !rule.positions.isEmpty && rule.monthDays.contains { $0 < 0 } && rule.monthDays.contains { $0 > 0 }
        }

        /// Returns true if libical deviates from RFC 7529, which does SKIP after BYMONTH and before BYDAY.
        /// A model checks these rules. libical moves a missing fifth Friday, omits a moved day for its new
        /// month, returns coinciding days twice, and ignores BYSETPOS for a month with only the moved day.
        private func isMovedOtherwise(_ rule: Recurrence, skip: String) -> Bool {
            switch skip {
            case "FORWARD":
                !rule.days.isEmpty || !rule.months.isEmpty || !rule.positions.isEmpty || rule.monthDays.count > 1
            case "BACKWARD": !rule.days.isEmpty && !rule.monthDays.isEmpty
            default: false
            }
        }

        func ours(skip: String) throws -> [Int] {
            let rule = try Recurrence(parsing: "\(rule);SKIP=\(skip)")
            let days = RecurrenceDays(rule, from: start)
            var dates: [Int] = []
            var next = days.first(onOrAfter: .first)
            while let date = next, date.number <= lastDate, dates.count < countMax {
                dates.append(date.number)
                next = days.first(onOrAfter: date.advanced(by: 1))
            }
            return dates
        }
    }

    func cases(_ count: Int, seed: UInt64) -> [Case] {
        var random = RandomRecurrence(seed: seed)
        return (0..<count).map { _ in Case(start: random.start(), rule: random.rule()) }
    }

    @Test func dates_agreeWithDateutil() throws {
        // dateutil differs in three ways. It counts BYSETPOS in the first week from the start, not from the
        // week's beginning. If a rule has weekdays with and without a number, a day must match both; RFC
        // 5545 and libical require one. If no date exists, it searches to the year 9999.
        let cases = try cases(Thoroughness.pick(400, full: 8_000), seed: 11).filter { testCase in
            let days = try Recurrence(parsing: testCase.rule).days
            guard !testCase.rule.contains("WEEKLY") || !testCase.rule.contains("BYSETPOS") else { return false }
            return try Set(days.map { $0.ordinal == nil }).count < 2 && !testCase.ours(skip: "OMIT").isEmpty
        }
        let input = cases.map { "\($0.start.number)\t\(Self.countMax)\t\(Self.lastDate)\t\($0.rule)\n" }.joined()
        let lines = try PythonOracle.lines(of: "recurrence_oracle.py", [], input: input, besides: #filePath)
        #expect(lines.count == cases.count)
        var compared = 0
        var failed = 0
        var disagreements: [String] = []
        for (line, testCase) in zip(lines, cases) {
            if line == "failed" {
                failed += 1
                continue
            }
            let theirs = line.split(separator: " ").dropFirst().compactMap { Int($0) }
            let ours = try testCase.ours(skip: "OMIT")
            compared += max(ours.count, 1)
            if ours != theirs {
                disagreements.append(
                    "\(testCase.start) \(testCase.rule)\n  ours   \(ours.prefix(8))\n  theirs \(theirs.prefix(8))")
            }
        }
        print("\(compared) dates of \(cases.count) rules compared with dateutil, which failed at \(failed)")
        #expect(failed < cases.count / 50)
        #expect(
            disagreements.isEmpty,
            "\(disagreements.count), the first:\n\(disagreements.prefix(5).joined(separator: "\n"))")
    }

    @Test(arguments: ["OMIT", "BACKWARD", "FORWARD"])
    func dates_agreeWithLibical(skip: String) throws {
        var compared = 0
        var unanswered = 0
        var disagreements: [String] = []
        // SKIP needs RSCALE. With it, libical calls ICU for each date and is a hundred times slower.
        let count = skip == "OMIT" ? Thoroughness.pick(200, full: 40_000) : Thoroughness.pick(50, full: 4000)
        let cases = try cases(count, seed: 12).filter { try !$0.isReadOtherwiseByLibical(skip: skip) }
        for testCase in cases {
            let theirs = IcalOracle.dates(
                skip == "OMIT" ? testCase.rule : "RSCALE=GREGORIAN;\(testCase.rule);SKIP=\(skip)",
                from: testCase.start.number, countMax: Self.countMax,
                lastDate: Self.lastDate)
            guard let theirs else {
                unanswered += 1
                continue
            }
            let ours = try testCase.ours(skip: skip)
            compared += max(ours.count, 1)
            if ours != theirs {
                disagreements.append(
                    "\(testCase.start) \(testCase.rule)\n  ours   \(ours.prefix(8))\n  theirs \(theirs.prefix(8))")
            }
        }
        print("\(compared) dates compared with libical, SKIP=\(skip); it left \(unanswered) rules unanswered")
        #expect(
            disagreements.isEmpty,
            "\(disagreements.count), the first:\n\(disagreements.prefix(25).joined(separator: "\n"))")
    }
}

extension CivilDate {
    /// The date as a number YYYYMMDD.
    var number: Int {
        let (year, month, day) = yearMonthDay
        return year * 10_000 + month * 100 + day
    }
}
