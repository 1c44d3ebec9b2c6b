// The worked examples W1 to W12 of the product's rules, unchanged.

import Alarms
import CivilTime
import Testing

@Suite struct WorkedExamplesTests {
    /// Returns the instants (UTC) and layers of an alarm's rings between two instants.
    func rings(
        _ alarm: String, zone: String = "America/New_York", from: String, until: String, calendars: String = "{}"
    ) throws -> [String] {
        let text = #"{"calendars": \#(calendars), "alarms": [\#(alarm)]}"#
        let reading = try AlarmsFileReading(Array(text.utf8))
        #expect(reading.isWhole, "\(reading.problems) \(reading.setAside)")
        var zones = ZoneCatalogue()
        let from = try #require(Instant(from, rounding: .down))
        let until = try #require(Instant(until, rounding: .down))
        let plan = Plan(
            reading.file, deviceZone: try zones.zone(named: zone), zones: &zones, from: from)
        return plan.rings(from: from, until: until).map { "\($0.occurrence.at) \($0.layer.rawValue)" }
    }

    @Test func w1_timeInTheGap_ringsOnceAfterIt() throws {
        let found = try rings(
            #"{"id": "a", "time": "02:30", "repeat": "FREQ=DAILY"}"#,
            from: "2024-03-09T00:00:00Z", until: "2024-03-11T12:00:00Z")
        #expect(found == ["2024-03-09T07:30:00Z base", "2024-03-10T07:30:00Z base", "2024-03-11T06:30:00Z base"])
    }

    @Test func w2_timeInTheFold_ringsOnceAtTheFirst() throws {
        let found = try rings(
            #"{"id": "a", "time": "01:30", "repeat": "FREQ=DAILY"}"#,
            from: "2024-11-02T00:00:00Z", until: "2024-11-04T12:00:00Z")
        #expect(found == ["2024-11-02T05:30:00Z base", "2024-11-03T05:30:00Z base", "2024-11-04T06:30:00Z base"])
    }

    @Test(arguments: [("02:00", "2024-03-10T07:00:00Z"), ("02:59", "2024-03-10T07:59:00Z")])
    func w3_edgesOfTheGap_ringAfterIt(time: String, at: String) throws {
        let found = try rings(
            #"{"id": "a", "time": "\#(time)", "repeat": "FREQ=DAILY"}"#,
            from: "2024-03-10T05:00:00Z", until: "2024-03-11T04:00:00Z")
        #expect(found == ["\(at) base"])
    }

    @Test func w4_weekdays_onFridayEvening_ringNextOnMonday() throws {
        let found = try rings(
            #"{"id": "a", "time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}"#,
            from: "2024-03-09T01:00:00Z", until: "2024-03-12T00:00:00Z")
        #expect(found == ["2024-03-11T11:00:00Z base"])
    }

    @Test(arguments: [("America/New_York", "13:00:00Z"), ("America/Los_Angeles", "16:00:00Z")])
    func w5_deviceZone_movesTheInstantNotTheClockTime(zone: String, at: String) throws {
        let found = try rings(
            #"{"id": "a", "time": "09:00"}"#, zone: zone, from: "2024-06-15T00:00:00Z", until: "2024-06-17T00:00:00Z")
        #expect(found == ["2024-06-15T\(at) base"])
    }

    @Test func w6_monthlyOnThe31st_ringsOnceInEachMonth() throws {
        let found = try rings(
            #"{"id": "a", "time": "12:00", "start": "2025-01-31", "repeat": "FREQ=MONTHLY;BYMONTHDAY=31"}"#,
            zone: "UTC", from: "2025-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z")
        let days = [
            "01-31", "02-28", "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30", "10-31", "11-30", "12-31",
        ]
        #expect(found == days.map { "2025-\($0)T12:00:00Z base" })
    }

    @Test func w7_yearlyOn29February_ringsEachYear() throws {
        let found = try rings(
            #"{"id": "a", "time": "12:00", "start": "2024-02-29", "repeat": "FREQ=YEARLY"}"#,
            zone: "UTC", from: "2024-01-01T00:00:00Z", until: "2028-12-31T00:00:00Z")
        let days = ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"]
        #expect(found == days.map { "\($0)T12:00:00Z base" })
    }

    @Test func w8_lastFriday_ringsOnceInEachMonth() throws {
        let found = try rings(
            #"{"id": "a", "time": "12:00", "repeat": "FREQ=MONTHLY;BYDAY=-1FR"}"#,
            zone: "UTC", from: "2026-01-01T00:00:00Z", until: "2026-06-01T00:00:00Z")
        #expect(found == ["01-30", "02-27", "03-27", "04-24", "05-29"].map { "2026-\($0)T12:00:00Z base" })
    }

    @Test func w9_every90Days_countFromTheStart() throws {
        let found = try rings(
            #"{"id": "a", "time": "12:00", "start": "2025-11-15", "repeat": "FREQ=DAILY;INTERVAL=90"}"#,
            zone: "UTC", from: "2025-11-01T00:00:00Z", until: "2026-06-01T00:00:00Z")
        #expect(found == ["2025-11-15", "2026-02-13", "2026-05-14"].map { "\($0)T12:00:00Z base" })
    }

    static let layered = """
        {"id": "a", "time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "DAYS": 0,
         "weekly": {"tue": "07:45", "fri": "off"}, "dates": {"2026-01-15": "off", "2026-01-17": "09:00"}}
        """

    @Test func w10_layers_firstMatchWins() throws {
        let found = try rings(
            Self.layered, zone: "UTC", from: "2026-01-12T00:00:00Z", until: "2026-01-18T00:00:00Z")
        #expect(
            found == [
                "2026-01-12T07:00:00Z base", "2026-01-13T07:45:00Z weekly", "2026-01-14T07:00:00Z base",
                "2026-01-17T09:00:00Z date",
            ])
    }

    @Test func w11_weeklyRule_doesNotRing_onADayOff() throws {
        let found = try rings(
            Self.layered.replacing(#""DAYS": 0"#, with: #""days": "school""#), zone: "UTC",
            from: "2026-01-12T00:00:00Z", until: "2026-01-18T00:00:00Z",
            calendars: #"{"school": {"off": ["2026-01-13"]}}"#)
        #expect(
            found == ["2026-01-12T07:00:00Z base", "2026-01-14T07:00:00Z base", "2026-01-17T09:00:00Z date"])
    }

    @Test(arguments: [
        ("SU,MO,TU,WE,TH,FR,SA,SA,FR,TH,WE,TU,MO,SU", "Every day"), ("FR,MO,TH,TU,WE", "Weekdays"),
        ("SU,SA", "Weekends"), ("MO,FR,SU", "Sun, Mon, Fri"),
    ])
    func w12_chosenDays_areDescribedBriefly(days: String, summary: String) throws {
        #expect(try Recurrence(parsing: "FREQ=WEEKLY;BYDAY=\(days)").summary() == summary)
    }
}
