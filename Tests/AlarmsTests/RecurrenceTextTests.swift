// The tests of recurrence rules as text: the reader, the printer, and a reason for each rejection.

import CivilTime
import Oracles
import Testing
import Text

@testable import Alarms

@Suite struct RecurrenceTextTests {
    func reasons(_ text: String) -> [String] {
        do {
            _ = try Recurrence(parsing: text)
            return []
        } catch {
            return error.reasons
        }
    }

    /// Returns any rule, with every kind of end and of SKIP.
    func randomRule(_ random: inout RandomRecurrence) -> String {
        var rule = random.rule()
        if !rule.contains("COUNT"), random.number(0...3) == 0 {
            let instant = Instant(secondsSince1970: random.number(0...4_000_000_000)).description
            let until = instant.filter { $0 != "-" && $0 != ":" }
            rule += ";UNTIL=" + [String(until.prefix(8)), String(until.dropLast()), until][random.number(0...2)]
        }
        if random.number(0...2) == 0 { rule += ";SKIP=" + ["OMIT", "BACKWARD", "FORWARD"][random.number(0...2)] }
        return rule
    }

    @Test func rules_readBackAsTheyWerePrinted() throws {
        var random = RandomRecurrence(seed: 51)
        for _ in 0..<Thoroughness.pick(3000, full: 300_000) {
            let text = randomRule(&random)
            let rule = try Recurrence(parsing: text)
            let again = try Recurrence(parsing: rule.description)
            #expect(again == rule, "\(text) is printed \(rule)")
            #expect(again.description == rule.description)
        }
    }

    /// The order of parts and lists, duplicates, case and default values do not matter.
    @Test func rules_areEqual_inEverySpelling() throws {
        var random = RandomRecurrence(seed: 52)
        for _ in 0..<Thoroughness.pick(1000, full: 100_000) {
            let text = randomRule(&random)
            var parts = text.split(separator: ";").map { part -> String in
                let pieces = part.split(separator: "=")
                let list = pieces[1].split(separator: ",").shuffled(using: &random.random)
                return "\(pieces[0])=\((list.count > 1 ? list + list : list).joined(separator: ","))"
            }
            if !text.contains("INTERVAL") { parts.append("INTERVAL=1") }
            if !text.contains("WKST") { parts.append("WKST=MO") }
            parts.append("RSCALE=GREGORIAN")
            let other = "rrule:" + parts.shuffled(using: &random.random).joined(separator: ";").lowercased()
            let (rule, same) = try (Recurrence(parsing: text), Recurrence(parsing: other))
            #expect(rule == same, "\(text) and \(other)")
            #expect(rule.description == same.description)
        }
    }

    @Test func rule_isReadPartByPart() throws {
        let rule = try Recurrence(
            parsing:
                "FREQ=YEARLY;INTERVAL=2;BYDAY=SU,-1FR,2MO;BYMONTHDAY=-1,15;BYMONTH=12,1;BYSETPOS=3,-366;WKST=SU;COUNT=9"
        )
        #expect(rule.frequency == .yearly)
        #expect(rule.interval == 2)
        #expect(rule.days == [.init(.friday, ordinal: -1), .init(.sunday), .init(.monday, ordinal: 2)])
        #expect(rule.monthDays == [-1, 15])
        #expect(rule.months == [1, 12])
        #expect(rule.positions == [-366, 3])
        #expect(rule.weekStart == .sunday)
        #expect(rule.end == .count(9))
        #expect(rule.skip == nil)
        #expect(
            rule.description
                == "FREQ=YEARLY;INTERVAL=2;BYMONTH=1,12;BYMONTHDAY=-1,15;BYDAY=-1FR,SU,2MO;BYSETPOS=-366,3"
                + ";WKST=SU;COUNT=9")
    }

    @Test func until_isADate_aLocalTime_orAnInstant() throws {
        let (date, time) = try (date("2026-12-31"), #require(ClockTime("23:59:58")))
        let instant = try instant("2026-12-31T23:59:58Z")
        for (text, end) in [
            ("20261231", Recurrence.End.date(date)), ("20261231T235958", .local(CivilDateTime(date, time))),
            ("20261231T235958Z", .instant(instant)),
        ] {
            let rule = try Recurrence(parsing: "FREQ=DAILY;UNTIL=\(text)")
            #expect(rule.end == end)
            #expect(rule.description == "FREQ=DAILY;UNTIL=\(text)")
        }
    }

    @Test(arguments: [
        "2026-12-31", "20261331", "20260229", "2026123", "202612310", "20261231Z", "20261231T", "20261231T2359",
        "20261231T240000", "20261231T235959ZZ", "20261231T235959+0100", "20261231 235959", "NEVER", "", "+0261231",
    ])
    func until_isRefused_whenItIsNoTime(value: String) {
        let expected = "must have a date such as 20261231, or with a time 20261231T235959Z in UNTIL, not \"\(value)\""
        #expect(reasons("FREQ=DAILY;UNTIL=\(value)") == [expected])
    }

    @Test(arguments: [
        "BYSECOND=0", "BYMINUTE=0", "BYHOUR=7", "BYYEARDAY=100", "BYWEEKNO=20", "BYEASTER=0", "X-NAME=1",
        "DTSTART=20260101",
        "EXDATE=20260101",
    ])
    func part_isRefused_whenAlarmsCannotHaveIt(part: String) {
        let name = part.prefix { $0 != "=" }
        #expect(reasons("FREQ=YEARLY;\(part)") == ["has an unknown part, \"\(name)\""])
    }

    @Test(arguments: [
        ("FREQ=HOURLY", "DAILY, WEEKLY, MONTHLY or YEARLY"), ("FREQ=MINUTELY", "DAILY, WEEKLY, MONTHLY or YEARLY"),
        ("FREQ=SECONDLY", "DAILY, WEEKLY, MONTHLY or YEARLY"), ("FREQ=", "DAILY, WEEKLY, MONTHLY or YEARLY"),
        ("RSCALE=HEBREW", "GREGORIAN"), ("SKIP=SIDEWAYS", "OMIT, BACKWARD or FORWARD"),
        ("WKST=1MO", "a weekday such as MO"),
        ("INTERVAL=0", "a number from 1 to 9999"), ("INTERVAL=10000", "a number from 1 to 9999"),
        ("INTERVAL=-1", "a number from 1 to 9999"), ("INTERVAL=1.5", "a number from 1 to 9999"),
        ("INTERVAL=", "a number from 1 to 9999"), ("INTERVAL=0000001", "a number from 1 to 9999"),
        ("COUNT=0", "a number from 1 to 9999"), ("COUNT=10000", "a number from 1 to 9999"),
        ("BYMONTH=0", "a list of months from 1 to 12"), ("BYMONTH=13", "a list of months from 1 to 12"),
        ("BYMONTH=-1", "a list of months from 1 to 12"), ("BYMONTH=1,", "a list of months from 1 to 12"),
        ("BYMONTH=5L", "a list of months from 1 to 12"),
        ("BYMONTHDAY=0", "a list of numbers from 1 to 31 or -31 to -1"),
        ("BYMONTHDAY=32", "a list of numbers from 1 to 31 or -31 to -1"),
        ("BYMONTHDAY=1,-32", "a list of numbers from 1 to 31 or -31 to -1"),
        ("BYDAY=0MO", "a list of weekdays such as MO or -1FR"), ("BYDAY=54MO", "a list of weekdays such as MO or -1FR"),
        ("BYDAY=-54MO", "a list of weekdays such as MO or -1FR"), ("BYDAY=M", "a list of weekdays such as MO or -1FR"),
        ("BYDAY=MON", "a list of weekdays such as MO or -1FR"), ("BYDAY=", "a list of weekdays such as MO or -1FR"),
        ("BYDAY=MO;BYSETPOS=0", "a list of numbers from 1 to 366 or -366 to -1"),
        ("BYDAY=MO;BYSETPOS=367", "a list of numbers from 1 to 366 or -366 to -1"),
    ])
    func value_isRefused_whenItIsOutOfRange(parts: String, expected: String) {
        let text = parts.hasPrefix("FREQ") ? parts : "FREQ=YEARLY;\(parts)"
        let part = (parts.split(separator: ";").last ?? "").split(separator: "=", omittingEmptySubsequences: false)
        #expect(reasons(text) == ["must have \(expected) in \(part[0]), not \(String(part[1]).quoted)"])
    }

    @Test(arguments: [
        "INTERVAL=1", "INTERVAL=9999", "COUNT=1", "COUNT=9999", "BYMONTH=1,12", "BYMONTHDAY=1,31,-1,-31",
        "BYDAY=53MO,-53SU",
        "BYDAY=MO;BYSETPOS=366,-366,1,-1", "RSCALE=gregorian",
    ])
    func value_isAccepted_atTheEndsOfItsRange(parts: String) {
        #expect(reasons("FREQ=YEARLY;\(parts)").isEmpty)
    }

    @Test(arguments: [
        ("FREQ=DAILY;COUNT=2;UNTIL=20260101", "must not have both COUNT and UNTIL"),
        ("FREQ=WEEKLY;BYMONTHDAY=1", "must not have BYMONTHDAY with FREQ=WEEKLY"),
        ("FREQ=WEEKLY;BYDAY=1MO", "must not have numbers in BYDAY, unless FREQ is MONTHLY or YEARLY"),
        ("FREQ=DAILY;BYDAY=MO,-1FR", "must not have numbers in BYDAY, unless FREQ is MONTHLY or YEARLY"),
        ("FREQ=MONTHLY;BYSETPOS=1", "must have BYDAY, BYMONTHDAY or BYMONTH beside BYSETPOS"),
        ("INTERVAL=2", "must have FREQ"),
        ("", "must have parts such as FREQ=DAILY, not \"\""),
        ("FREQ=DAILY;", "must have parts such as FREQ=DAILY, not \"\""),
        ("FREQ=DAILY;COUNT", "must have parts such as FREQ=DAILY, not \"COUNT\""),
        ("FREQ=DAILY;=5", "must have parts such as FREQ=DAILY, not \"=5\""),
        ("FREQ=DAILY;FREQ=DAILY", "must have FREQ only once"),
        (
            "FREQ=DAILY;BYDAY=MO\nRDATE:20260101",
            "must have a list of weekdays such as MO or -1FR in BYDAY, not \"MO\\nRDATE:20260101\""
        ),
    ])
    func rule_isRefused_whenItsPartsContradict(text: String, reason: String) {
        #expect(reasons(text).contains(reason))
    }

    @Test func rule_isRefused_whenItIsTooLong() {
        let rule = "FREQ=DAILY;BYDAY="
        let days = Array(repeating: "MO", count: 400).joined(separator: ",")
        #expect(reasons(String((rule + days).prefix(rule.utf8.count + 3 * 300 + 2))) == [])
        #expect(reasons(rule + days) == ["must have at most 1000 characters"])
    }

    @Test func everyReason_isReportedTogether() {
        #expect(
            reasons("FREQ=WEEKLY;INTERVAL=0;COUNT=3;BYHOUR=7;UNTIL=tomorrow;BYDAY=1MO;WKST=X;BYMONTH=0;BYMONTH=1;oops")
                == [
                    "must have a number from 1 to 9999 in INTERVAL, not \"0\"",
                    "has an unknown part, \"BYHOUR\"",
                    "must have a date such as 20261231, or with a time 20261231T235959Z in UNTIL, not \"TOMORROW\"",
                    "must have a weekday such as MO in WKST, not \"X\"",
                    "must have a list of months from 1 to 12 in BYMONTH, not \"0\"",
                    "must have BYMONTH only once",
                    "must have parts such as FREQ=DAILY, not \"OOPS\"",
                    "must not have both COUNT and UNTIL",
                    "must not have numbers in BYDAY, unless FREQ is MONTHLY or YEARLY",
                ])
    }

    /// A consequence of another mistake must not be reported, or the owner searches in the wrong place.
    @Test(arguments: [
        ("FREQ=MONTHY;BYDAY=1MO", ["must have DAILY, WEEKLY, MONTHLY or YEARLY in FREQ, not \"MONTHY\""]),
        ("BYDAY=1MO", ["must have FREQ"]),
        (
            "FREQ=MONTHLY;BYMONTHDAY=32;BYSETPOS=1",
            [
                "must have a list of numbers from 1 to 31 or -31 to -1 in BYMONTHDAY, not \"32\""
            ]
        ),
        (
            "FREQ=WEEKLY;BYMONTHDAY=32",
            [
                "must have a list of numbers from 1 to 31 or -31 to -1 in BYMONTHDAY, not \"32\"",
                "must not have BYMONTHDAY with FREQ=WEEKLY",
            ]
        ),
    ])
    func mistake_isReportedAlone_andHidesNoOther(text: String, expected: [String]) {
        #expect(reasons(text) == expected)
    }
}
