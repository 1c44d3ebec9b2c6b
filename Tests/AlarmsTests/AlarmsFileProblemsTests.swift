// The tests of bad alarms files: each problem has its position, and a bad alarm does not exclude good ones.

import JSON
import Testing

@testable import Alarms

@Suite struct AlarmsFileProblemsTests {
    static let dateExpected = #"must be a date such as "2026-01-15" or a range "2026-02-01/2026-02-08", not"#

    func reading(_ text: String) throws -> AlarmsFileReading {
        try AlarmsFileReading(Array(text.utf8))
    }

    @Test func format_mayBeLeftOut() throws {
        let file = try read(#"{"alarms": [{"id": "a", "time": "07:00"}]}"#)
        #expect(file.alarms.count == 1)
        #expect(file.json.description.hasPrefix(#"{"format":"rooster/1","#))
    }

    @Test func otherFormat_isNotRead() throws {
        let reading = try reading(#"{"format": "rooster/2", "alarms": [{"id": "a", "time": "07:00"}]}"#)
        #expect(
            reading.problems.map(\.description) == [
                #"format: must be "rooster/1", not "rooster/2""#
            ])
        #expect(!reading.isWhole)
        #expect(reading.file == AlarmsFile())
    }

    @Test(arguments: [("[]", "a list"), ("5", "5"), ("\"rooster/1\"", "\"rooster/1\""), ("null", "null")])
    func file_isRefused_whenItIsNoObject(text: String, shown: String) throws {
        let reading = try reading(text)
        #expect(reading.problems.map(\.description) == ["The file must be an object { … }, not \(shown)"])
        #expect(!reading.isWhole)
    }

    @Test func invalidSettings_areReported_andKeepTheirDefaults() throws {
        let reading = try reading(
            #"{"settings": {"lock": -1, "snooze": {"min": 0, "max": 100000}, "preflight": "late", "emergency": 1}}"#)
        #expect(
            reading.problems.map(\.description) == [
                "settings.lock: must be between 0 and 86400 seconds, not -1",
                "settings.snooze.min: must be between 1 and 86400 seconds, not 0",
                "settings.snooze.max: must be between 1 and 86400 seconds, not 100000",
                #"settings.preflight: must be a time such as "07:45", or "off", not "late""#,
                "settings.emergency: must be true or false, not 1",
            ])
        #expect(reading.file.settings == Settings())
    }

    @Test func invalidCodes_areReported_andLeftOut() throws {
        let reading = try reading(
            #"""
            {"codes": [{"label": "bathroom", "kind": "qr", "digest": "c0ffee"}, 5, {"label": "", "kind": "qr", "digest": ""},
            {"label": "x", "kind": "math", "digest": "1"}, {"label": "bathroom", "kind": "tag", "digest": "2"},
            {"label": "y", "kind": "qr", "digest": 7}, {"label": "z", "kind": "iris", "digest": "3"}, {}]}
            """#)
        #expect(
            reading.problems.map(\.description) == [
                "codes[1]: must be an object { … }, not 5",
                "codes[2].label: is missing: give the code a name",
                "codes[2].digest: is missing",
                #"codes[3].kind: must be qr or tag, not "math""#,
                "codes[5].digest: must be a text in quotes, not 7",
                "codes[5].digest: is missing",
                #"codes[6].kind: must be qr or tag, not "iris""#,
                #"codes[7].kind: must be qr or tag, not """#,
                #"codes: must have only one code named "bathroom""#,
            ])
        #expect(reading.file.codes.map(\.label) == ["bathroom"])
    }

    /// Reversed bounds are swapped. Otherwise every snooze would be as long as the longest.
    @Test(arguments: [(300, 3600), (3600, 300)])
    func snoozeBounds_areClampedAndOrdered(min: Int, max: Int) {
        var settings = Settings()
        (settings.snooze.minSeconds, settings.snooze.maxSeconds) = (min, max)
        #expect(settings.snoozeBounds == 300...3600)
    }

    /// A misspelt field does not say when the alarm rings, so the alarm is set aside as if it were missing.
    @Test(arguments: ["dates&", "date", "weekly!", "dates.2026-01-15"])
    func alarm_withAMisspeltTimeField_isSetAside(field: String) throws {
        let reading = try reading(#"{"alarms": [{"id": "a", "\#(field)": {"2024-03-12": "06:00"}}]}"#)
        #expect(reading.file.alarms.isEmpty)
        #expect(reading.setAside.count == 1)
    }

    @Test func badAlarms_areSetAside_andTheOthersRead() throws {
        let reading = try reading(
            """
            {"alarms": [{"id": "a", "time": "07:00"}, {"id": "b", "label": "Bad", "time": "7 am"}, 5,
                        {"id": "c", "time": "08:00"}, {"id": "a", "time": "09:00"}, {"time": "10:00"},
                        {"id": "b", "time": "11:00"}]}
            """)
        #expect(reading.file.alarms.map(\.id) == ["a", "c", "b"])
        #expect(reading.setAside.map(\.index) == [1, 2, 4, 5])
        #expect(reading.setAside.map(\.label) == ["Bad", "", "", ""])
        #expect(
            reading.setAside.flatMap(\.problems).map(\.description) == [
                #"alarms[1].time: must be a time such as "07:00", not "7 am""#,
                "alarms[2]: must be an object { … }, not 5",
                "alarms[4].id: must differ from the id of alarms[0]",
                "alarms[5].id: is missing: every alarm needs its own",
            ])
        #expect(reading.problems.isEmpty)
        #expect(!reading.isWhole)
    }

    @Test func everyReason_isReportedTogether() throws {
        let found = try problems(
            of: """
                {"id": "a", "time": "25:00", "repeat": "FREQ=HOURLY;BYWEEKNO=1", "zone": "my home",
                 "ring": {"volume": 1.5, "ramp": -1}, "snooze": {"max": 101}, "late": 43201, "enabled": "yes",
                 "weekly": {"monday": "07:00", "tue": "7"}, "dates": {"2026-02-30": "off"}, "pause": ["tomorrow"],
                 "challenges": [{"kind": "math", "level": 4, "count": 0}, {"kind": "steps", "count": 9}]}
                """)
        #expect(
            found == [
                #"alarms[0].enabled: must be true or false, not "yes""#,
                #"alarms[0].time: must be a time such as "07:00", not "25:00""#,
                "alarms[0].repeat: must have DAILY, WEEKLY, MONTHLY or YEARLY in FREQ, not \"HOURLY\"",
                #"alarms[0].repeat: has an unknown part, "BYWEEKNO""#,
                #"alarms[0].weekly.monday: must be a weekday, mon to sun, not "monday""#,
                #"alarms[0].weekly.tue: must be a time such as "07:45", or "off", not "7""#,
                #"alarms[0].dates.2026-02-30: must be a date such as "2026-01-15", not "2026-02-30""#,
                #"alarms[0].pause[0]: \#(Self.dateExpected) "tomorrow""#,
                #"alarms[0].zone: "my home" is not the name of a time zone such as Europe/Berlin"#,
                "alarms[0].late: must be between 0 and 43200 seconds, not 43201",
                "alarms[0].ring.volume: must be between 0.0 and 1.0, not 1.5",
                "alarms[0].ring.ramp: must be between 0 and 600 seconds, not -1",
                "alarms[0].snooze.max: must be between 0 and 100, not 101",
                "alarms[0].challenges[0].level: must be between 1 and 3, not 4",
                "alarms[0].challenges[0].count: must be between 1 and 20, not 0",
                "alarms[0].challenges[1].count: must be between 10 and 500, not 9",
            ])
    }

    static let misfits: [(field: String, expected: [String])] = [
        (#""id": 5"#, ["id: must be a text in quotes, not 5"]),
        (#""label": ["x"]"#, ["label: must be a text in quotes, not a list"]),
        (#""late": 1.5"#, ["late: must be a whole number, not 1.5"]),
        (#""late": 99999999999999999999"#, ["late: must be a whole number, not 99999999999999999999"]),
        (#""late": "60""#, [#"late: must be a whole number, not "60""#]),
        (#""ring": []"#, ["ring: must be an object { … }, not a list"]),
        (#""ring": {"volume": 1e999}"#, ["ring.volume: must be a number, not 1e999"]),
        (
            #""ring": {"volume": true, "for": {}}"#,
            [
                "ring.volume: must be a number, not true", "ring.for: must be a whole number, not an object",
            ]
        ),
        (#""date": "2026-02-29""#, [#"date: must be a date such as "2026-01-15", not "2026-02-29""#]),
        (
            #""skip": ["2026-01-02/2026-01-01", "2026-01-01/", "2026-01-01/x/2026-01-02", 5]"#,
            [
                #"skip[0]: must not end before it begins, as "2026-01-02/2026-01-01" does"#,
                #"skip[1]: \#(Self.dateExpected) "2026-01-01/""#,
                #"skip[2]: \#(Self.dateExpected) "2026-01-01/x/2026-01-02""#,
                "skip[3]: \(Self.dateExpected) 5",
            ]
        ),
        (#""weekly": {"Mon": "07:00"}"#, [#"weekly.Mon: must be a weekday, mon to sun, not "Mon""#]),
        (#""challenges": {}"#, ["challenges: must be a list, not an object"]),
    ]

    @Test(arguments: misfits)
    func invalidField_isReportedByName(field: String, expected: [String]) throws {
        let id = field.hasPrefix(#""id""#) ? "" : #""id": "a", "#
        let found = try problems(of: #"{\#(id)"time": "07:00", \#(field)}"#)
        #expect(found == expected.map { "alarms[0].\($0)" })
    }

    @Test func wholeNumbers_areAccepted_inEveryNotation() throws {
        let alarm = try alarm(#"{"id": "a", "time": "07:00", "late": 6e2, "ring": {"volume": 1, "ramp": 60.0}}"#)
        #expect(alarm.lateWindowSeconds == 600 && alarm.ring.volume == 1.0 && alarm.ring.rampSeconds == 60)
    }

    @Test func invalidCalendars_areReportedByName() throws {
        let reading = try reading(
            """
            {"calendars": {"good": {"weekdays": ["sun"]}, "bad": {"weekdays": ["mon", "Tues"], "from": "soon",
               "off": ["2026-01-01", "x"]}, "worse": 5, "turned": {"from": "2026-01-02", "until": "2026-01-01"}},
             "alarms": [{"id": "a", "time": "07:00", "days": "bad"}, {"id": "b", "time": "07:00", "days": "good"}]}
            """)
        #expect(reading.file.calendars.keys.sorted() == ["good"])
        #expect(reading.file.alarms.map(\.id) == ["b"])
        #expect(
            reading.problems.map(\.description) == [
                #"calendars.bad.weekdays[1]: must be a weekday, mon to sun, not "Tues""#,
                #"calendars.bad.from: must be a date such as "2026-01-15", not "soon""#,
                #"calendars.bad.off[1]: \#(Self.dateExpected) "x""#,
                "calendars.worse: must be an object { … }, not 5",
                "calendars.turned.until: must be 2026-01-02 or later, not 2026-01-01",
            ])
        #expect(
            reading.setAside.flatMap(\.problems).map(\.description) == [
                #"alarms[0].days: there is no calendar "bad""#
            ])
    }

    @Test func alarms_areNotRead_whenThereAreTooMany() {
        let nulls = [JSON](repeating: .null, count: AlarmsFile.alarmsMax + 1)
        let reading = AlarmsFileReading(.object([.init("alarms", .array(nulls))]))
        #expect(reading.setAside.isEmpty)
        #expect(
            reading.problems.map(\.description) == ["alarms: must have at most 10000 alarms, not 10001"])
        #expect(!reading.isWhole)
    }
}
