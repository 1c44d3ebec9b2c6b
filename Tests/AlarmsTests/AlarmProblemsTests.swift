// The tests of the bounds of an alarm's fields, from both sides, and of the problems beyond them.

import CivilTime
import JSON
import Testing
import Text

@testable import Alarms

@Suite struct AlarmProblemsTests {
    /// Returns the reading of the alarm `{"id": "a", "time": "07:00", …}`, with its problems.
    func validated(_ fields: String, among validationContext: ValidationContext = ValidationContext()) throws
        -> AlarmsFileReading
    {
        let text = #"{"alarms": [{"id": "a", "time": "07:00", \#(fields)}]}"#
        return try AlarmsFileReading(Array(text.utf8), among: validationContext)
    }

    func reasons(_ fields: String) throws -> [String] {
        try problems(of: #"{"id": "a", \#(fields)}"#)
    }

    /// A save checks whether each sound with which the alarm may ring can be played.
    @Test func sounds_areThoseOfTheRingAndOfItsSteps() {
        var alarm = Alarm(id: "work")
        alarm.ring.sound = RingSettings.noSound
        alarm.escalation = [EscalationStep(after: 60, sound: nil, shakes: true), EscalationStep(after: 90, sound: "b")]
        #expect(alarm.sounds.map(\.path) == ["escalate[1].sound"])
        alarm.ring.sound = "a"
        #expect(alarm.sounds.map(\.sound) == ["a", "b"])
    }

    /// Steps, the path of the problem below the field, and its reason.
    private static let invalidEscalations: [(steps: String, path: String, reason: String)] = [
        (
            #"[{"after": 60, "sound": "a"}, {"after": 60, "sound": "b"}]"#, "[1].after",
            "must be later than the step before"
        ),
        (#"[{"after": 0, "sound": "a"}]"#, "[0].after", "must be between 1 and 43200 seconds, not 0"),
        (#"[{"after": 60}]"#, "[0]", "must have a sound or the shaker"),
        (#"[{"after": 60, "sound": "none", "shaker": true}]"#, "[0].sound", "must be a sound"),
        (
            #"[{"after": 60, "sound": ""# + String(repeating: "x", count: 256) + #""}]"#, "[0].sound",
            "must have at most 255 bytes"
        ),
        (#"[{"after": 1}, {"after": 2}, {"after": 3}, {"after": 4}]"#, "", "must have at most 3 steps, not 4"),
        (#"[{"after": 60, "sound": 7}]"#, "[0].sound", "must be a text in quotes, not 7"),
        (#"7"#, "", "must be a list, not 7"),
    ]

    @Test(arguments: invalidEscalations)
    func invalidEscalation_isRefused(steps: String, path: String, reason: String) throws {
        let reading = try validated(#""escalate": \#(steps)"#)
        #expect(reading.file.alarms.isEmpty)
        #expect(reading.setAside.flatMap(\.problems).contains(Problem("alarms[0].escalate\(path)", reason)))
    }

    /// Fields with a gap for the number, the path of the problem, the range, and its unit.
    @Test(arguments: [
        (#""late": #"#, "late", 0...43_200, " seconds"),
        (#""ring": {"ramp": #}"#, "ring.ramp", 0...600, " seconds"),
        (#""ring": {"for": #}"#, "ring.for", 1...43_200, " seconds"),
        (#""ring": {"rounds": #}"#, "ring.rounds", 1...12, ""),
        (#""ring": {"rest": #}"#, "ring.rest", 60...1800, " seconds"),
        (#""snooze": {"seconds": #}"#, "snooze.seconds", 1...86_400, " seconds"),
        (#""challenges": [{"kind": "math"}], "check": {"after": #}"#, "check.after", 60...3600, " seconds"),
        (#""challenges": [{"kind": "math"}], "check": {"within": #}"#, "check.within", 30...600, " seconds"),
        (#""snooze": {"max": #}"#, "snooze.max", 0...100, ""),
    ])
    func number_outsideItsRange_isRefused(
        fields: String, path: String, range: ClosedRange<Int>, unit: String
    ) throws {
        for value in [range.lowerBound, range.upperBound] {
            let reading = try validated(fields.replacing("#", with: "\(value)"))
            #expect(reading.isWhole && reading.problems.isEmpty, "\(value)")
        }
        for value in [range.lowerBound - 1, range.upperBound + 1, .min, .max] {
            let reading = try validated(fields.replacing("#", with: "\(value)"))
            let reason = "must be between \(range.lowerBound) and \(range.upperBound)\(unit), not \(value)"
            #expect(reading.file.alarms.isEmpty)
            #expect(reading.setAside.flatMap(\.problems) == [Problem("alarms[0].\(path)", reason)])
        }
    }

    @Test(arguments: [
        ("-0.01", false, "must be between 0.0 and 1.0, not -0.01", Problem.Weight.refused),
        ("1.01", true, "must be between 0.0 and 1.0, not 1.01", .refused),
        ("0", true, "must be more than 0, or the alarm is silent", .refused),
        ("-0.0", true, "must be more than 0, or the alarm is silent", .refused),
        ("0", false, "0.0 may be too quiet: most people need 0.25 or more", .warning),
        ("0.01", true, "0.01 may be too quiet: most people need 0.25 or more", .warning),
        ("0.24", true, "0.24 may be too quiet: most people need 0.25 or more", .warning),
    ])
    func inaudibleVolume_isRefusedOrWarnedOf(
        volume: String, isEnabled: Bool, reason: String, weight: Problem.Weight
    ) throws {
        let reading = try validated(#""enabled": \#(isEnabled), "ring": {"volume": \#(volume)}"#)
        let path = "alarms[0].ring.volume"
        let problem = weight == .warning ? Problem(.quiet, path, reason) : Problem(path, reason)
        #expect(reading.problems + reading.setAside.flatMap(\.problems) == [problem])
        #expect(reading.isWhole == (weight == .warning))
        #expect(reading.file.alarms.map(\.isEnabled) == (weight == .warning ? [isEnabled] : []))
    }

    @Test(arguments: ["0.25", "0.8", "1", "1.0"])
    func audibleVolume_isAccepted(volume: String) throws {
        let reading = try validated(#""ring": {"volume": \#(volume)}"#)
        #expect(reading.isWhole && reading.problems.isEmpty)
    }

    @Test(arguments: [
        (#"["30m", "24h", "7d", "744h", "44640m"]"#, []),
        (#"["1m", "2m", "3m", "4m", "5m", "6m"]"#, ["alarms[0].notices: must have at most 5 times, not 6"]),
    ])
    func notices_areFew(notices: String, expected: [String]) throws {
        #expect(try reasons(#""time": "07:00", "notices": \#(notices)"#) == expected)
    }

    @Test(arguments: ["", "m", "30", "0m", "-1h", "+1h", "1w", "32d", "44641m", "1.5h", "٣h", "99999999999999999999m"])
    func otherNotice_isRefused(text: String) throws {
        let expected =
            #"alarms[0].notices[0]: must be a time before the ring such as "30m", "24h" or "7d", at most 31 days, "#
            + #"not "\#(text)""#
        #expect(try reasons(#""time": "07:00", "notices": ["\#(text)"]"#) == [expected])
    }

    @Test(arguments: [("label", 200), ("category", 200), ("note", 2000)])
    func text_isRefused_whenItIsTooLong(name: String, max: Int) throws {
        let longest = try reasons(#""time": "07:00", "\#(name)": "\#(String(repeating: "é", count: max))""#)
        #expect(longest.isEmpty)
        let longer = try reasons(#""time": "07:00", "\#(name)": "\#(String(repeating: "é", count: max + 1))""#)
        #expect(longer == ["alarms[0].\(name): must have at most \(max) characters"])
        // A single character may carry any number of combining marks.
        let marked = String(repeating: "e" + String(repeating: "\u{301}", count: 100), count: max)
        let marks = try reasons(#""time": "07:00", "\#(name)": "\#(marked)""#)
        #expect(marks == ["alarms[0].\(name): must have at most \(max) characters"])
    }

    @Test func unknownFields_areKept_upToALimit() throws {
        func reasons(bytes: Int) throws -> [String] {
            try self.reasons(#""time": "07:00", "ring": {"x": "\#(String(repeating: "x", count: bytes))"}"#)
        }
        #expect(try reasons(bytes: 16_000).isEmpty)
        #expect(try reasons(bytes: 17_000) == ["alarms[0]: an alarm must have at most 16384 bytes of unknown fields"])
    }

    @Test func sound_isRefused_whenItsNameIsTooLong() throws {
        func reasons(bytes: Int) throws -> [String] {
            try self.reasons(#""time": "07:00", "ring": {"sound": "\#(String(repeating: "x", count: bytes))"}"#)
        }
        #expect(try reasons(bytes: 255).isEmpty)
        #expect(try reasons(bytes: 256) == ["alarms[0].ring.sound: must have at most 255 bytes"])
    }

    @Test(arguments: [
        (String(repeating: "x", count: 64), []),
        (String(repeating: "x", count: 65), ["alarms[0].id: must have at most 64 bytes"]),
        (String(repeating: "é", count: 33), ["alarms[0].id: must have at most 64 bytes"]),
        ("", ["alarms[0].id: is missing: every alarm needs its own"]),
        (#"a\nb"#, [#"alarms[0].id: must have no control characters, not "a\nb""#]),
        (#"a\u007f"#, [#"alarms[0].id: must have no control characters, not "a\u{7F}""#]),
    ])
    func invalidID_isRefused(id: String, expected: [String]) throws {
        let found = try problems(of: #"{"id": "\#(id)", "time": "07:00"}"#)
        #expect(found == expected)
    }

    @Test(arguments: [
        (#""time": "07:00""#, []),
        (#""weekly": {"mon": "07:00"}"#, []),
        (#""dates": {"2026-01-15": "07:00"}"#, []),
        (#""time": "07:00", "date": "2026-01-15""#, []),
        (#""time": "07:00", "repeat": "FREQ=DAILY""#, []),
        (#""label": "x""#, [#": an alarm needs "time", "weekly" or "dates""#]),
        (
            #""weekly": {}, "dates": {}, "time": null"#,
            [
                #": an alarm needs "time", "weekly" or "dates""#
            ]
        ),
        (
            #""weekly": {"mon": "07:00"}, "repeat": "FREQ=DAILY""#,
            [
                #".repeat: needs "time" beside it"#
            ]
        ),
        (#""weekly": {"mon": "07:00"}, "date": "2026-01-15""#, [#".date: "date" needs "time" beside it"#]),
        (
            #""time": "07:00", "date": "2026-01-15", "repeat": "FREQ=DAILY""#,
            [
                #".date: an alarm has either "date" or "repeat", not both"#
            ]
        ),
        // A field that cannot be read is reported once, and not as missing as well.
        (#""time": 7"#, [#".time: must be a time such as "07:00", not 7"#]),
        (#""time": 7, "repeat": "FREQ=DAILY""#, [#".time: must be a time such as "07:00", not 7"#]),
        (#""weekly": {"mon": 7}"#, [#".weekly.mon: must be a time such as "07:45", or "off", not 7"#]),
        (#""dates": []"#, [".dates: must be an object { … }, not a list"]),
    ])
    func alarm_withoutAUsableTime_isRefused(fields: String, expected: [String]) throws {
        let found = try reasons(fields)
        #expect(found == expected.map { "alarms[0]\($0)" })
    }

    @Test(arguments: [
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;SKIP=OMIT", true), ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", false),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;SKIP=OMIT;COUNT=1", false), ("FREQ=MONTHLY;BYDAY=6MO", true),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", true), ("FREQ=DAILY;INTERVAL=7;BYDAY=TH", false),
    ])
    func ruleWithoutDates_isWarnedOf(rule: String, isEmpty: Bool) throws {
        let reading = try validated(#""start": "2026-01-01", "repeat": "\#(rule)""#)
        #expect(reading.file.alarms.count == 1)
        #expect(reading.problems.map(\.path) == (isEmpty ? ["alarms[0].repeat"] : []))
        #expect(reading.problems.allSatisfy { $0.weight == .warning && $0.reason.hasSuffix("has no date") })
    }

    @Test func dates_areRefused_whenThereAreTooMany() throws {
        func entries(_ count: Int) -> String {
            let dates = (0..<count).map { #""\#(CivilDate(dayNumber: 20_000 + $0))": "off""# }
            return "\"dates\": {\(dates.joined(separator: ","))}"
        }
        let most = try reasons(entries(4000))
        #expect(most.isEmpty)
        let more = try reasons(entries(4001))
        #expect(more == ["alarms[0].dates: \"dates\" must have at most 4000 entries, not 4001"])
    }

    @Test(arguments: ["skip", "pause"]) func daysOff_areRefused_whenThereAreTooMany(field: String) throws {
        func runs(_ count: Int) -> String {
            let dates = (0..<count).map { "\"\(CivilDate(dayNumber: 20_000 + 2 * $0))\"" }
            return "\"time\": \"07:00\", \"\(field)\": [\(dates.joined(separator: ","))]"
        }
        let most = try reasons(runs(400))
        #expect(most.isEmpty)
        let more = try reasons(runs(401))
        #expect(more == ["alarms[0].\(field): must have at most 400 ranges of days, not 401"])
    }

    /// Any number of consecutive days counts as one run.
    @Test func consecutiveDaysOff_areOneRun() throws {
        let days = (0..<1000).map { "\"\(CivilDate(dayNumber: 20_000 + $0))\"" }.joined(separator: ",")
        let found = try reasons("\"time\": \"07:00\", \"skip\": [\(days)]")
        #expect(found.isEmpty)
    }

    @Test func missingReferences_areReported() throws {
        let validationContext = ValidationContext(zones: ZoneCatalogue(closed: [.utc]))
        let lost = try validated(
            #""zone": "Europe/Berlin", "days": "school", "ring": {"sound": ""}"#, among: validationContext)
        #expect(
            lost.setAside.flatMap(\.problems).map(\.path)
                == ["alarms[0].zone", "alarms[0].days", "alarms[0].ring.sound"])
        var known = validationContext
        known.calendars = ["school"]
        let found = try validated(#""zone": "UTC", "days": "school""#, among: known)
        #expect(found.isWhole && found.problems.isEmpty)
    }
}
