// The tests of the words for an alarm's schedule.

import Alarms
import CivilTime
import JSON
import Testing

@testable import rooster

@Suite struct WhenTests {
    static func fields(_ words: String) throws -> String {
        JSON.object(try When(words.split(separator: " ").map(String.init)).changes()).description
    }

    /// The owner's notation, and the alarms file's.
    static let table: [(words: String, time: String?, days: String)] = [
        ("7:00", "07:00", ""),
        ("07:00:30", "07:00:30", ""),
        ("7pm", "19:00", ""),
        ("12am", "00:00", ""),
        ("12:15 pm", "12:15", ""),
        ("7.30", "07:30", ""),
        ("7h30", "07:30", ""),
        ("07.30pm", "19:30", ""),
        ("noon", "12:00", ""),
        ("tomorrow at noon", "12:00", #","repeat":null,"start":null"#),
        ("7:00 once", "07:00", #","date":null,"repeat":null,"start":null"#),
        ("7:00 2026-12-24", "07:00", #","date":"2026-12-24","repeat":null,"start":null"#),
        ("2026-12-24 7:00", "07:00", #","date":"2026-12-24","repeat":null,"start":null"#),
        ("7:00 once on 2026-12-24", "07:00", #","date":"2026-12-24","repeat":null,"start":null"#),
        ("7:00 today", "07:00", #","repeat":null,"start":null"#),
        ("tomorrow at 7am", "07:00", #","repeat":null,"start":null"#),
    ]

    @Test(arguments: WhenTests.table)
    func words_giveTheFieldsOfTheFile(words: String, time: String?, days: String) throws {
        #expect(try WhenTests.fields(words) == #"{"time":"\#(time ?? "")"\#(days)}"#)
    }

    /// An edit that repeats the same days keeps their start date; other days clear it.
    @Test func unchangedDays_keepTheStartDate() throws {
        var pills = Alarm(id: "pills")
        (pills.recurrence, pills.start) = (try Recurrence(parsing: "FREQ=DAILY;INTERVAL=2"), CivilDate("2026-11-01"))
        func changes(_ words: String...) throws -> String {
            JSON.object(try When(words).changes(to: pills)).description
        }
        #expect(
            try changes("8:00", "every 2 days") == #"{"time":"08:00","date":null,"repeat":"FREQ=DAILY;INTERVAL=2"}"#)
        #expect(try changes("every 3 days") == #"{"date":null,"repeat":"FREQ=DAILY;INTERVAL=3","start":null}"#)
        #expect(
            try changes("every 2 days from 2026-11-23")
                == #"{"date":null,"repeat":"FREQ=DAILY;INTERVAL=2","start":"2026-11-23"}"#)
    }

    @Test(arguments: [
        ("daily", "FREQ=DAILY"), ("every day", "FREQ=DAILY"), ("every 3 days", "FREQ=DAILY;INTERVAL=3"),
        ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"), ("Mon-Fri", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("weekends", "FREQ=WEEKLY;BYDAY=SA,SU"), ("every weekend", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("sat,sun", "FREQ=WEEKLY;BYDAY=SA,SU"), ("Mondays and Thursdays", "FREQ=WEEKLY;BYDAY=MO,TH"),
        ("every tue", "FREQ=WEEKLY;BYDAY=TU"), ("fri-mon", "FREQ=WEEKLY;BYDAY=MO,FR,SA,SU"),
        ("weekly", "FREQ=WEEKLY"), ("weekly on thurs", "FREQ=WEEKLY;BYDAY=TH"),
        ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"), ("every other week", "FREQ=WEEKLY;INTERVAL=2"),
        ("fortnightly on mon", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO"), ("biweekly", "FREQ=WEEKLY;INTERVAL=2"),
        ("biweekly tue", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU"),
        ("every other week on wed", "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE"),
        ("every 2 weeks on mon, thu", "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH"),
        ("every other fri", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("every 3rd week", "FREQ=WEEKLY;INTERVAL=3"),
        ("monthly", "FREQ=MONTHLY"), ("every month", "FREQ=MONTHLY"),
        ("monthly 31", "FREQ=MONTHLY;BYMONTHDAY=31"), ("monthly on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("monthly 1,15", "FREQ=MONTHLY;BYMONTHDAY=1,15"), ("monthly last day", "FREQ=MONTHLY;BYMONTHDAY=-1"),
        ("15th of the month", "FREQ=MONTHLY;BYMONTHDAY=15"),
        ("monthly last fri", "FREQ=MONTHLY;BYDAY=-1FR"), ("last Friday of the month", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every last fri of the month", "FREQ=MONTHLY;BYDAY=-1FR"),
        ("every second tuesday of the month", "FREQ=MONTHLY;BYDAY=2TU"),
        ("monthly first mon and third mon", "FREQ=MONTHLY;BYDAY=1MO,3MO"),
        ("monthly last weekday", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"),
        ("quarterly", "FREQ=MONTHLY;INTERVAL=3"), ("every 3 months", "FREQ=MONTHLY;INTERVAL=3"),
        ("every 6 months on the 1st", "FREQ=MONTHLY;INTERVAL=6;BYMONTHDAY=1"),
        ("yearly", "FREQ=YEARLY"), ("every 2 years", "FREQ=YEARLY;INTERVAL=2"),
        ("yearly 24 dec", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
        ("yearly dec 24th", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
        ("yearly 12-24, 12-25", "FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,25"),
        ("yearly last sun of march", "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
        ("yearly last fri of the year", "FREQ=YEARLY;BYDAY=-1FR"),
        ("every day until 2026-12-31", "FREQ=DAILY;UNTIL=20261231"), ("daily 10 times", "FREQ=DAILY;COUNT=10"),
        ("FREQ=MONTHLY;BYDAY=1MO,-1FR", "FREQ=MONTHLY;BYDAY=-1FR,1MO"), ("rrule:FREQ=DAILY", "FREQ=DAILY"),
    ])
    func recurringDays_giveARule(words: String, rule: String) throws {
        #expect(
            try WhenTests.fields("7:00 \(words)")
                == #"{"time":"07:00","date":null,"repeat":"\#(rule)","start":null}"#)
    }

    @Test func beginning_setsTheStartOfAnInterval() throws {
        for word in ["from", "starting", "since", "beginning"] {
            #expect(
                try WhenTests.fields("7:00 every 2 weeks \(word) 2026-12-01")
                    == #"{"time":"07:00","date":null,"repeat":"FREQ=WEEKLY;INTERVAL=2","start":"2026-12-01"}"#)
        }
    }

    @Test func missingWords_changeNothing() throws {
        #expect(try WhenTests.fields("") == "{}")
        #expect(try WhenTests.fields("weekends").hasPrefix(#"{"date":null,"repeat""#))
    }

    @Test(arguments: [
        ("25:00", "is not a time of day"), ("7:60", "is not a time of day"), ("7:0", "is not a time of day"),
        ("13pm", "is not a time of day"), ("0am", "is not a time of day"), ("7:00 8:00", "An alarm has one time"),
        ("7", "\"7\" is not understood here. Did you mean 7:00?"), ("weekdays 7", "Did you mean 7:00?"),
        ("24", "\"24\" is not understood here\n"), ("0700", "Did you mean 7:00?"),
        ("1930 daily", "Did you mean 19:30?"),
        ("daily 0700", "Did you mean 7:00?"), ("2460", "\"2460\" is not understood here\n"),
        ("midnight", "Did you mean 0:00?"), ("24.12", "is not understood here"), ("7h", "is not understood here"),
        ("7.3", "is not understood here"), ("7:00 noon", "An alarm has one time"),
        ("in", "Say how long"), ("in 0min", "Say how long"), ("in 20min daily", "Say how long"),
        ("in a while", "Say how long"), ("7:00 in 20min", "is not understood here"),
        ("7:00 montag", #"Did you mean "monday"?"#), ("7:00 samstag", "is not understood here"),
        ("7:00 wekdays", #"Did you mean "weekdays"?"#),
        ("7:00 blursday", "\"blursday\" is not understood"), ("7:00 Work", "A name needs --label"),
        ("7:00 every", "\"every\" needs days"),
        ("7:00 every 2 tue", "Write 'every 2 weeks on tue' or 'monthly 2nd tue'"),
        ("7:00 every first mon", "Write 'every mon' or 'monthly 1st mon'"),
        ("7:00 every 15th of the month", "Write 'every 15 months' or 'monthly 15th'"),
        ("7:00 every 0 days", "INTERVAL"), ("7:00 monthly 32", "No month has a day 32"),
        ("7:00 monthly last", "\"last\" needs a day"),
        ("7:00 monthly 15 last fri", "not both"), ("7:00 yearly 30 feb", "No year has day 30"),
        ("7:00 yearly 1 jan 2 feb", "Add an alarm for each"), ("7:00 yearly last fri", "The month is missing"),
        ("7:00 2026-02-30", "There is no day \"2026-02-30\""), ("7:00 2026-12-24 2026-12-25", "is not expected"),
        ("7:00 daily until friday", "\"until\" needs a date"),
        ("7:00 daily 3 times until 2026-12-01", "not both"), ("7:00 daily times", "needs a number"),
        ("7:00 once until 2026-12-01", "cannot have 'from', 'until' or 'times'"), ("7:00 FREQ=HOURLY", "FREQ"),
        ("7:00 tomorrow weekdays", "\"weekdays\" is not expected: the days are given already"),
        ("7:00 weekdays daily", "\"daily\" is not expected"), ("7:00 monthly monthly", "\"monthly\" is not expected"),
        ("7:00 daily monday", "\"monday\" is not understood here\n"), ("7:00 mon \u{1B}[2J", #"\u{1B}[2j"#),
        ("7:00 FREQ=DAILY mon", "\"mon\" is not understood"), ("7:00 last", "is not understood"),
        ("7:00 until 2026-12-24", "need days that repeat, such as"),
        ("7:00 from 2026-12-01", "need days that repeat"), ("7:00 10 times", "need days that repeat"),
        ("from 2026-12-01", "need days that repeat"), ("7:00 weeks beginning sun", "need days that repeat"),
        ("7:00 1 dec", "\"1\" is not understood here. For one day write 2026-12-24"),
        ("7:00 dec 24", "for every year 'yearly 24 dec'"), ("7:00 weekdays 7", "\"7\" is not understood here\n"),
    ])
    func invalidWords_areRefused(words: String, reason: String) throws {
        do throws(WhenError) {
            let when = try When(words.split(separator: " ").map(String.init))
            Issue.record("\(words) is taken for \(when)")
        } catch {
            #expect("\(error.reason)\n".contains(reason), "\(error.reason)")
            #expect(!error.reason.contains("\u{1B}"))
        }
    }

    @Test(arguments: [
        ("in 20min", 1200), ("in 20 min", 1200), ("in 20", 1200), ("in 1h30", 5400), ("in 1 hour and 30 minutes", 5400),
        ("in 8 hours", 28_800), ("in 90s", 90), ("in 1min30", 90), ("in 100h", 360_000),
    ])
    func lengthFromNow_isRead(words: String, seconds: Int) throws {
        #expect(try When(words.split(separator: " ").map(String.init)) == When(delaySeconds: seconds))
    }

    /// Every example in the help must parse.
    @Test func examplesOfTheHelp_areAllRead() throws {
        let lines = WhenError.examples.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
        for line in lines {
            // Two spaces end the example.
            let words = line.dropFirst(2).split(separator: " ", omittingEmptySubsequences: false)
            let when = try When(words.prefix { !$0.isEmpty }.map(String.init))
            #expect(when.time != nil || when.delaySeconds != nil)
        }
        #expect(lines.count == 10)
    }
}
