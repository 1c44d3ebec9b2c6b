// The tests of the days on which an alarm does not ring, and of the rings that layers replace.

import CivilTime
import JSON
import Testing
import Text

@testable import Alarms

@Suite struct LeftOutDaysTests {
    private static let weekdays = #""id":"a","time":"07:00","repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR""#

    private func context(_ calendars: [String: DayCalendar] = [:]) throws -> PlanningContext {
        PlanningContext(
            zones: Zones(machine: try zone("Europe/Berlin"), others: []), settings: Settings(), calendars: calendars)
    }

    private func layers(_ members: String, isAllOff: Bool = false) throws -> ScheduleLayers {
        let off = DateSet([try date("2026-01-14")...date("2026-01-14")])
        var context = try context(["school": DayCalendar(off: off)])
        context.settings.isEnabled = !isAllOff
        var problems: [Problem] = []
        let json = try JSON(parsing: Array("{\(Self.weekdays)\(members)}".utf8))
        let alarm = try #require(Alarm.read(json, &problems))
        return ScheduleLayers(alarm, nil, in: context)
    }

    /// Returns the days from Monday 12 to Sunday 18 January 2026 without a ring.
    private func days(_ members: String, isAllOff: Bool = false) throws -> [String] {
        let layers = try layers(members, isAllOff: isAllOff)
        let week = RingsInOrder(
            [layers.everyDay], from: try instant("2026-01-11T23:00:00Z"), until: try instant("2026-01-18T23:00:00Z"))
        return week.compactMap { layers.leftOut($0.date) }.map { day in
            let instead = day.instead.map { "\($0.occurrence.at) \($0.layer.rawValue)" }
            return "\(day.date.day) \(day.reason.rawValue) \(instead ?? "-")"
        }
    }

    @Test(arguments: [
        ("", []),
        (#","skip":["2026-01-13"]"#, ["13 skip 2026-01-13T06:00:00Z base"]),
        (#","dates":{"2026-01-13":"off"}"#, ["13 date 2026-01-13T06:00:00Z base"]),
        (#","pause":["2026-01-13"]"#, ["13 pause 2026-01-13T06:00:00Z base"]),
        (#","days":"school""#, ["14 calendar 2026-01-14T06:00:00Z base"]),
        (#","weekly":{"fri":"off"}"#, ["16 weekday 2026-01-16T06:00:00Z base"]),
        // A date's own time is what its skip leaves out, and rings in a pause.
        (
            #","dates":{"2026-01-13":"09:00"},"skip":["2026-01-13"]"#, ["13 skip 2026-01-13T08:00:00Z date"]
        ),
        (#","dates":{"2026-01-13":"09:00"},"pause":["2026-01-13"]"#, []),
        // The first rule decides, and the one below leaves the day out as well.
        (#","skip":["2026-01-14"],"days":"school""#, ["14 skip -"]),
        (#","pause":["2026-01-14"],"days":"school""#, ["14 pause -"]),
        (#","weekly":{"wed":"off"},"days":"school""#, ["14 calendar -"]),
        (#","dates":{"2026-01-16":"off"},"weekly":{"fri":"off"}"#, ["16 date -"]),
        // A day on which no rule rings is not left out.
        (#","dates":{"2026-01-17":"off"},"skip":["2026-01-18"]"#, []),
        (#","weekly":{"sat":"10:00"},"skip":["2026-01-17"]"#, ["17 skip 2026-01-17T09:00:00Z weekly"]),
    ])
    func day_hasTheFirstRuleThatDecides(members: String, found: [String]) throws {
        #expect(try days(members) == found)
    }

    @Test func alarmThatIsOff_leavesOutEachDay() throws {
        let off = try days(#","enabled":false,"weekly":{"mon":"off","tue":"08:00"}"#)
        #expect(off.count == 5)
        #expect(off.first == "12 off -")
        #expect(off.dropFirst().first == "13 off 2026-01-13T07:00:00Z weekly")
        #expect(try days("", isAllOff: true).count == 5)
    }

    @Test func ring_namesTheRingThatItReplaces() throws {
        let members = #","weekly":{"tue":"08:00","sat":"10:00"},"dates":{"2026-01-13":"09:00","2026-01-15":"06:00"}"#
        let layers = try layers(members)
        let week = RingsInOrder(
            [layers.everyDay], from: try instant("2026-01-11T23:00:00Z"), until: try instant("2026-01-18T23:00:00Z"))
        let found = week.map { ring in
            "\(ring.date.day) \(layers.below(ring).map { "\($0.occurrence.at) \($0.layer.rawValue)" } ?? "-")"
        }
        #expect(
            found == [
                "12 -", "13 2026-01-13T07:00:00Z weekly", "14 -", "15 2026-01-15T06:00:00Z base", "16 -", "17 -",
            ])
    }

    /// A gap moves a ring over midnight.
    @Test func ringOfADate_isFound_alsoIfAGapMovesIt() throws {
        var alarm = Alarm(id: "a")
        (alarm.time, alarm.recurrence) = (ClockTime("23:59:59"), Recurrence(.daily))
        let schedule = Schedule(alarm, in: try zone("Africa/Cairo"))
        for day in 20...30 {
            let date = try date("2026-04-\(day)")
            #expect(schedule.ring(on: date)?.date == date)
        }
    }
}
