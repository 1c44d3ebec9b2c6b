// The tests of alarms files: they are read, and written without losing any field.

import CivilTime
import Oracles
import Testing

@testable import Alarms

@Suite struct AlarmsFileTests {
    /// The example of the file format's description, verbatim.
    static let example = """
        {
          "format": "rooster/1",
          "settings": { "zone": "America/New_York", "enabled": true },
          "calendars": {
            "school": { "weekdays": ["mon","tue","wed","thu","fri"], "from": "2025-08-18", "until": "2026-06-03",
                        "off": ["2025-11-24/2025-11-28", "2026-01-19"], "on": ["2026-02-21"] }
          },
          "alarms": [
            { "id": "6F9619FF-8B86-D011-B42D-00CF4FC964FF",
              "label": "School morning",
              "enabled": true,
              "time": "07:00",
              "date": null,
              "start": "2025-08-18",
              "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
              "zone": null,
              "days": "school",
              "weekly": { "tue": "07:45", "fri": "off" },
              "dates": { "2026-01-15": "off", "2026-01-16": "09:00" },
              "ring": { "sound": "chimes01", "volume": 0.8, "ramp": 30, "for": 1800 },
              "snooze": { "seconds": 540, "max": 3 },
              "challenges": [ { "kind": "qr", "codes": ["bathroom"] }, { "kind": "math", "level": 2, "count": 3 } ],
              "late": 3600,
              "note": "", "category": "Home" }
          ]
        }
        """

    @Test func exampleFile_isReadAsDocumented() throws {
        let file = try read(Self.example)
        #expect(file.settings.zoneName == "America/New_York")
        #expect(file.settings.isEnabled)
        let school = try #require(file.calendars["school"])
        #expect(school.weekdays == .weekdays)
        #expect(school.from == CivilDate("2025-08-18"))
        #expect(school.until == CivilDate("2026-06-03"))
        let (thanksgiving, friday) = try (date("2025-11-24"), date("2025-11-28"))
        let (king, extra) = try (date("2026-01-19"), date("2026-02-21"))
        #expect(school.off == DateSet([thanksgiving...friday, king...king]))
        #expect(school.on == DateSet([extra...extra]))

        #expect(file.alarms.count == 1)
        let alarm = try #require(file.alarms.first)
        #expect(alarm.id == "6F9619FF-8B86-D011-B42D-00CF4FC964FF")
        #expect(alarm.label == "School morning")
        #expect(alarm.isEnabled)
        #expect(alarm.time == ClockTime("07:00"))
        #expect(alarm.date == nil)
        #expect(alarm.start == CivilDate("2025-08-18"))
        #expect(alarm.recurrence?.frequency == .weekly)
        #expect(alarm.recurrence?.weekdays == .weekdays)
        #expect(alarm.zoneName == nil)
        #expect(alarm.calendarName == "school")
        let (quarterTo, nine) = try (#require(ClockTime("07:45")), #require(ClockTime("09:00")))
        #expect(alarm.weekly == [.tuesday: .at(quarterTo), .friday: .off])
        let (fifteenth, sixteenth) = try (date("2026-01-15"), date("2026-01-16"))
        #expect(alarm.dates == [fifteenth: .off, sixteenth: .at(nine)])
        #expect(alarm.ring == RingSettings())
        #expect(alarm.snooze == SnoozeSettings())
        #expect(
            alarm.challenges == [
                Challenge(.code(labels: ["bathroom"])), Challenge(.sums(level: 2, count: 3, limitSeconds: 60)),
            ])
        #expect(alarm.lateWindowSeconds == 3600)
        #expect(alarm.note == "")
        #expect(alarm.category == "Home")
        #expect(alarm.unknown.isEmpty && file.settings.file.unknown.isEmpty)

        let again = try read(file.json.indented)
        #expect(again == file)
    }

    @Test func missingFields_haveTheirDefaults() throws {
        let alarm = try alarm(#"{"id": "a", "time": "07:00"}"#)
        var expected = Alarm(id: "a")
        expected.time = ClockTime("07:00")
        #expect(alarm == expected)
        #expect(alarm.isEnabled && alarm.lateWindowSeconds == 3600 && alarm.challenges.isEmpty)
        #expect(alarm.ring.sound == "chimes01" && alarm.ring.volume == 0.8)
        #expect(alarm.ring.rampSeconds == 30 && alarm.ring.ringSeconds == 1800)
        #expect(alarm.escalation == nil && alarm.escalationSteps == [EscalationStep(after: 300, sound: "square520")])
        #expect(alarm.ring.rounds == 3 && alarm.ring.restSeconds == 300)
        #expect(alarm.snooze.seconds == 540 && alarm.snooze.max == 3)
        let file = try read("{}")
        #expect(file == AlarmsFile())
        #expect(file.settings.isEnabled && file.settings.zoneName == nil)
        let calendar = try read(#"{"calendars": {"all": {}}}"#).calendars["all"]
        #expect(calendar == DayCalendar(weekdays: .everyDay))
    }

    @Test func null_isAMissingField_exceptForUnlimitedSnoozes() throws {
        let names = [
            "label", "enabled", "date", "start", "repeat", "zone", "days", "weekly", "dates", "skip", "pause", "ring",
            "snooze", "challenges", "late", "notices", "note", "category",
        ]
        let nulls = names.map { #""\#($0)": null"# }.joined(separator: ", ")
        let ofNulls = try alarm(#"{"id": "a", "time": "07:00", \#(nulls)}"#)
        let plain = try alarm(#"{"id": "a", "time": "07:00"}"#)
        #expect(ofNulls == plain)
        let unlimited = try alarm(#"{"id": "a", "time": "07:00", "snooze": {"seconds": null, "max": null}}"#)
        #expect(unlimited.snooze.max == nil && unlimited.snooze.seconds == 540)
        let never = try alarm(#"{"id": "a", "time": "07:00", "snooze": {"max": 0}}"#)
        #expect(never.snooze.max == 0)
    }

    @Test func challenges_withoutFields_haveTheirDefaults() throws {
        let alarm = try alarm(
            """
            {"id": "a", "time": "07:00", "challenges": [
              {"kind": "math"}, {"kind": "steps"}, {"kind": "pattern"}, {"kind": "tag", "tags": ["fridge"]},
              {"kind": "roulette", "of": [{"kind": "steps", "count": 50}, {"kind": "pattern", "length": 8}]}]}
            """)
        #expect(
            alarm.challenges.map(\.task) == [
                .sums(level: 1, count: 3, limitSeconds: 60), .steps(count: 30), .pattern(length: 5),
                .tag(labels: ["fridge"]),
                .roulette([Challenge(.steps(count: 50)), Challenge(.pattern(length: 8))]),
            ])
    }

    @Test func files_readBackAsTheyWereWritten() throws {
        var random = RandomAlarmsFile(seed: 41)
        let zones = try RandomAlarmsFile.zoneNames.map { try zone($0) }
        let validationContext = ValidationContext(zones: ZoneCatalogue(closed: zones))
        var alarmCount = 0
        for _ in 0..<Thoroughness.pick(400, full: 40_000) {
            let file = try random.file()
            let text = file.json.indented
            let again = try AlarmsFileReading(Array(text.utf8), among: validationContext)
            #expect(again.isWhole, "\(again.problems) \(again.setAside)")
            #expect(again.file == file, "\(text)")
            #expect(Array(again.file.json.indented.utf8) == Array(text.utf8))
            alarmCount += file.alarms.count
        }
        #expect(alarmCount > 500)
    }

    @Test func knownFields_areNotKeptAsUnknown() throws {
        let alarm = try #require(read(Self.example).alarms.first)
        for unknown in [alarm.unknown, alarm.ring.unknown, alarm.snooze.unknown] { #expect(unknown.capacity == 0) }
    }

    @Test func unknownFields_areWrittenBack_onEveryLevel() throws {
        func unknown(_ level: String) -> String {
            #""b-\#(level)":{"deep":[1.50,null,"\#(level)"]},"a-\#(level)":1e400"#
        }
        let levels = ["top", "settings", "calendar", "alarm", "ring", "snooze", "qr", "roulette", "drawn", "future"]
        let file = try read(
            """
            {"settings": {\(unknown("settings"))}, "calendars": {"school": {\(unknown("calendar"))}},
             "alarms": [{"id": "a", "time": "07:00", \(unknown("alarm")), "ring": {\(unknown("ring"))},
               "snooze": {\(unknown("snooze"))}, "challenges": [
                 {"kind": "qr", "codes": ["bathroom"], \(unknown("qr"))},
                 {"kind": "roulette", \(unknown("roulette")),
                  "of": [{"kind": "math", \(unknown("drawn"))}, {"kind": "steps"}]},
                 {"kind": "hum", \(unknown("future"))}]}], \(unknown("top"))}
            """)
        let written = file.json.description
        for level in levels { #expect(written.contains(unknown(level)), "\(level): \(written)") }
        let again = try read(written)
        #expect(again == file)
    }
}
