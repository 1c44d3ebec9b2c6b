// The tests of bad alarms files: each problem has its position, and a bad alarm keeps no good one out.

import JSON
import Testing

@testable import Alarms

@Suite struct AlarmsFileProblemsTests {
    static let dateExpected = #"is not a date such as "2026-01-15" or a range "2026-02-01/2026-02-08""#

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
                #"format: "rooster/2" is not what this Rooster reads, rooster/1"#
            ])
        #expect(!reading.isWhole)
        #expect(reading.file == AlarmsFile())
    }

    @Test(arguments: [("[]", "a list"), ("5", "5"), ("\"rooster/1\"", "\"rooster/1\""), ("null", "null")])
    func file_isRefused_whenItIsNoObject(text: String, shown: String) throws {
        let reading = try reading(text)
        #expect(reading.problems.map(\.description) == ["the file is \(shown); it should be an object { … }"])
        #expect(!reading.isWhole)
    }

    @Test func invalidSettings_areReported_andKeepTheirDefaults() throws {
        let reading = try reading(
            #"{"settings": {"lock": -1, "snooze": {"min": 0, "max": 100000}, "preflight": "late", "emergency": 1}}"#)
        #expect(
            reading.problems.map(\.description) == [
                "settings.lock: -1 is not between 0 and 86400 seconds",
                "settings.snooze.min: 0 is not between 1 and 86400 seconds",
                "settings.snooze.max: 100000 is not between 1 and 86400 seconds",
                #"settings.preflight: "late" is not a time such as "07:45", or "off""#,
                "settings.emergency: 1 is not true or false",
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
                "codes[1]: 5 is not an object { … }",
                "codes[2].label: is missing: give the code a name",
                "codes[2].digest: is blank",
                "codes[3].kind: math is nothing that can be enrolled: qr or tag",
                "codes[5].digest: 7 is not a text in quotes",
                "codes[5].digest: is blank",
                #"codes[6].kind: "iris" is nothing that can be enrolled: qr or tag"#,
                #"codes[7].kind: "" is nothing that can be enrolled: qr or tag"#,
                #"codes: there are two codes named "bathroom""#,
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
                #"alarms[1].time: "7 am" is not a time such as "07:00""#,
                "alarms[2]: 5 is not an object { … }",
                "alarms[4].id: alarms[0] has the same id",
                "alarms[5].id: is missing: each alarm needs one of its own",
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
                #"alarms[0].enabled: "yes" is not true or false"#,
                #"alarms[0].time: "25:00" is not a time such as "07:00""#,
                "alarms[0].repeat: FREQ=HOURLY is not DAILY, WEEKLY, MONTHLY or YEARLY",
                #"alarms[0].repeat: "BYWEEKNO" is not a part that alarms can have"#,
                #"alarms[0].weekly.monday: "monday" is not a weekday, mon to sun"#,
                #"alarms[0].weekly.tue: "7" is not a time such as "07:45", or "off""#,
                #"alarms[0].dates.2026-02-30: "2026-02-30" is not a date such as "2026-01-15""#,
                #"alarms[0].pause[0]: "tomorrow" \#(Self.dateExpected)"#,
                #"alarms[0].zone: "my home" is not the name of a time zone; they look like Europe/Berlin"#,
                "alarms[0].late: 43201 is not between 0 and 43200 seconds",
                "alarms[0].ring.volume: 1.5 is not between 0.0 and 1.0",
                "alarms[0].ring.ramp: -1 is not between 0 and 600 seconds",
                "alarms[0].snooze.max: 101 is not between 0 and 100",
                "alarms[0].challenges[0].level: 4 is not between 1 and 3",
                "alarms[0].challenges[0].count: 0 is not between 1 and 20",
                "alarms[0].challenges[1].count: 9 is not between 10 and 500",
            ])
    }

    static let misfits: [(field: String, expected: [String])] = [
        (#""id": 5"#, ["id: 5 is not a text in quotes"]),
        (#""label": ["x"]"#, ["label: a list is not a text in quotes"]),
        (#""late": 1.5"#, ["late: 1.5 is not a whole number"]),
        (#""late": 99999999999999999999"#, ["late: 99999999999999999999 is not a whole number"]),
        (#""late": "60""#, [#"late: "60" is not a whole number"#]),
        (#""ring": []"#, ["ring: a list is not an object { … }"]),
        (#""ring": {"volume": 1e999}"#, ["ring.volume: 1e999 is not a number"]),
        (
            #""ring": {"volume": true, "for": {}}"#,
            [
                "ring.volume: true is not a number", "ring.for: an object is not a whole number",
            ]
        ),
        (#""date": "2026-02-29""#, [#"date: "2026-02-29" is not a date such as "2026-01-15""#]),
        (
            #""skip": ["2026-01-02/2026-01-01", "2026-01-01/", "2026-01-01/x/2026-01-02", 5]"#,
            [
                #"skip[0]: "2026-01-02/2026-01-01" ends before it begins"#,
                #"skip[1]: "2026-01-01/" "# + Self.dateExpected,
                #"skip[2]: "2026-01-01/x/2026-01-02" "# + Self.dateExpected,
                "skip[3]: 5 " + Self.dateExpected,
            ]
        ),
        (#""weekly": {"Mon": "07:00"}"#, [#"weekly.Mon: "Mon" is not a weekday, mon to sun"#]),
        (#""challenges": {}"#, ["challenges: an object is not a list"]),
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
                #"calendars.bad.weekdays[1]: "Tues" is not a weekday, mon to sun"#,
                #"calendars.bad.from: "soon" is not a date such as "2026-01-15""#,
                #"calendars.bad.off[1]: "x" \#(Self.dateExpected)"#,
                "calendars.worse: 5 is not an object { … }",
                "calendars.turned.until: 2026-01-01 is before 2026-01-02",
            ])
        #expect(
            reading.setAside.flatMap(\.problems).map(\.description) == [
                #"alarms[0].days: there is no calendar "bad", or it could not be read"#
            ])
    }

    @Test func alarms_areNotRead_whenThereAreTooMany() {
        let nulls = [JSON](repeating: .null, count: AlarmsFile.alarmsMax + 1)
        let reading = AlarmsFileReading(.object([.init("alarms", .array(nulls))]))
        #expect(reading.setAside.isEmpty)
        #expect(
            reading.problems.map(\.description) == ["alarms: there are 10001 alarms; Rooster keeps at most 10000"])
        #expect(!reading.isWhole)
    }
}
