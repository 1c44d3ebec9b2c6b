// The tests of `rooster plan`: its JSON is a contract for scripts, and its lines are for people.

import Oracles
import Testing

/// Runs `rooster plan` with a file on standard input.
func plan(
    _ file: String, from: String, until: String, _ options: String..., environment: [String: String]? = nil
) throws -> Program {
    let arguments = ["plan", "-", "--from", from, "--until", until] + options
    return try Program(Program.built("rooster"), arguments, input: file, environment: environment)
}

@Suite struct PlanTests {
    let weekdays = #"{"id": "work", "label": "Work", "time": "07:00", "repeat": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"}"#

    func file(_ alarms: String..., zone: String = "America/New_York") -> String {
        #"{"format": "rooster/1", "settings": {"zone": "\#(zone)"}, "alarms": [\#(alarms.joined(separator: ","))]}"#
    }

    @Test func json_hasOneLineForEachRing() throws {
        let night = #"{"id": "n", "label": "Night \"shift\"", "time": "02:30", "repeat": "FREQ=DAILY"}"#
        let run = try plan(file(night), from: "2024-03-09T00:00:00-05:00", until: "2024-03-11T00:00:00-04:00", "--json")
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        let start = #"{"at":"2024-03-"#
        let end = #","alarm":"n","label":"Night \"shift\"","layer":"base"}"#
        #expect(
            run.lines == [
                #"\#(start)09T07:30:00Z","local":"2024-03-09T02:30:00-05:00"\#(end)"#[...],
                #"\#(start)10T07:30:00Z","local":"2024-03-10T03:30:00-04:00"\#(end)"#[...],
            ])
        // The lines for people mention the time that the clocks skip.
        let words = try plan(file(night), from: "2024-03-09T00:00:00-05:00", until: "2024-03-11T00:00:00-04:00")
        #expect(
            words.lines == [
                "Sat 2024-03-09 02:30  Night \"shift\"  (every day)",
                "Sun 2024-03-10 03:30  Night \"shift\"  (every day; there is no 02:30 that night)",
            ])
    }

    /// The interval includes its start and excludes its end, to the fraction of a second.
    @Test(arguments: [
        ("12:00:00Z", "2026-01-13T12:00:00Z", 1), ("12:00:00Z", "2026-01-12T12:00:00Z", 0),
        ("12:00:00.5Z", "2026-01-12T17:00:00Z", 0), ("12:00:00Z", "2026-01-12T12:00:00.5Z", 1),
    ])
    func interval_holdsItsBeginningButNotItsEnd(from: String, until: String, count: Int) throws {
        let run = try plan(file(weekdays), from: "2026-01-12T\(from)", until: until, "--json")
        #expect(run.exitStatus == 0)
        #expect(run.lines.count == count)
        #expect(run.lines.allSatisfy { $0.contains("2026-01-12T12:00:00Z") })
    }

    @Test func dates_beginAtTheirMidnightInTheDevicesZone() throws {
        let hourly = (0..<24).map {
            #"{"id": "\#($0)", "time": "\#($0 < 10 ? "0" : "")\#($0):00", "repeat": "FREQ=DAILY"}"#
        }
        let file = #"{"settings": {"zone": "America/Santiago"}, "alarms": [\#(hourly.joined(separator: ","))]}"#
        // On 6 September 2026 the clocks there go from 00:00 straight to 01:00.
        let run = try plan(file, from: "2026-09-06", until: "2026-09-07", "--json")
        #expect(run.lines.count == 24)
        #expect(run.lines.first?.contains("2026-09-06T01:00:00-03:00") == true)
        #expect(run.lines.last?.contains("2026-09-06T23:00:00-03:00") == true)
    }

    /// If a rule has no start date, it counts from the day of `--from`, even from that day's midnight.
    @Test(arguments: [
        ("FREQ=DAILY;INTERVAL=2", ["01", "03", "05"]), ("FREQ=DAILY;COUNT=3", ["01", "02", "03"]),
        ("FREQ=MONTHLY", ["01"]), ("FREQ=WEEKLY", ["01"]),
    ])
    func intervals_countFromTheDayOfFrom(rule: String, days: [String]) throws {
        let alarm = #"{"id": "a", "time": "00:00", "repeat": "\#(rule)"}"#
        for from in ["2026-03-01T00:00:00-05:00", "2026-03-01"] {
            let run = try plan(file(alarm), from: from, until: "2026-03-06", "--json")
            #expect(run.lines.count == days.count)
            for (line, day) in zip(run.lines, days) {
                #expect(line.contains("2026-03-\(day)T00:00:00-05:00"), "\(line)")
            }
        }
    }

    @Test func plan_withoutAnInterval_coversAWeekFromNow() throws {
        let run = try Program(Program.built("rooster"), ["plan", "-", "--json"], input: file(weekdays))
        #expect(run.lines.count == 5)
        let alone = try Program(
            Program.built("rooster"), ["plan", "-", "--from", "2026-01-12", "--json"], input: file(weekdays))
        #expect(alone.lines.count == 5)
    }

    @Test func zoneOption_overridesTheFilesZone() throws {
        let run = try plan(
            file(weekdays), from: "2026-01-12T00:00:00Z", until: "2026-01-13T00:00:00Z", "--zone=Asia/Tokyo", "--json")
        #expect(run.output.contains(#""local":"2026-01-13T07:00:00+09:00""#))
    }

    @Test func text_namesTheReasonOfEachRing() throws {
        let night = #"{"id": "n", "time": "23:30", "repeat": "FREQ=DAILY", "zone": "Europe/Berlin"}"#
        let tuesday = weekdays.dropLast() + #", "weekly": {"tue": "07:45"}, "dates": {"2026-01-14": "09:00"}}"#
        let run = try plan(
            file(night, String(tuesday)), from: "2026-01-12T10:00:00Z", until: "2026-01-14T20:00:00Z")
        #expect(
            run.output == """
                Mon 2026-01-12 07:00  Work  (weekdays)
                Mon 2026-01-12 17:30  n  (every day; Mon 23:30 in Europe/Berlin)
                Tue 2026-01-13 07:45  Work  (Tue has its own time)
                Tue 2026-01-13 17:30  n  (every day; Tue 23:30 in Europe/Berlin)
                Wed 2026-01-14 09:00  Work  (this date has its own time)

                """)
        let nothing = try plan(file(), from: "2026-01-12T10:00:00Z", until: "2026-01-14T20:00:00Z")
        #expect(nothing.output == "Nothing rings in that time\n")
    }

    /// Files come from strangers; their labels must not drive the reader's terminal.
    @Test func controlCharactersInALabel_areEscaped() throws {
        let label = #"{"id": "a", "label": "x\u001b[2J\n\u202ey", "time": "07:00", "repeat": "FREQ=DAILY"}"#
        let run = try plan(file(label), from: "2026-01-12T00:00:00Z", until: "2026-01-13T00:00:00Z")
        #expect(run.lines == [#"Mon 2026-01-12 07:00  x\u{1B}[2J\n\u{202E}y  (every day)"#])
    }
}
