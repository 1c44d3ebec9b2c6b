// The tests of the status of the device: its next rings, its faults, its scans, and the terminal's width.

import API
import JSON
import ScriptedService
import Testing

@testable import rooster

@Suite struct StatusTests {
    @Test func idleService_showsTheNextRing_andThatItIsReady() throws {
        #expect(
            try statusLines(CannedService.status(next: "\(CannedService.workRing),\(CannedService.pillsRing)")) == [
                "  Mon 2026-11-23 23:48:00  Europe/Berlin",
                "○ Work rings in 7 h 12 min, Tue 07:00",
                "  then Pills, Tue 21:30 (this date has its own time)",
                "✓ Ready: speaker",
            ])
    }

    @Test(arguments: [
        ("planned", "☼ The light of Work rises Tue 06:30 to 07:00"),
        ("rising", "☼ The light of Work rises, and is full at 07:00"), ("full", "☼ The light of Work is full"),
    ])
    func sunrise_isShown(state: String, line: String) throws {
        let light =
            #""sunrise":{"alarm":"6f9619ff-8b86-d011","label":"Work","state":"\#(state)","from":"2026-11-24T05:30:00Z","#
            + #""fromLocal":"2026-11-24T06:30:00+01:00","until":"2026-11-24T06:00:00Z","#
            + #""untilLocal":"2026-11-24T07:00:00+01:00","level":0.5},"recentProblems""#
        let status = CannedService.status().replacing(#""recentProblems""#, with: light)
        #expect(try statusLines(status).contains(line))
    }

    @Test(arguments: [
        (#""next":"2026-11-24T21:30:00Z","nextLocal":"2026-11-24T22:30:00+01:00""#, "☾ Next bedtime Tue 22:30"),
        (#""inBed":"2026-11-23T21:41:10Z","inBedLocal":"2026-11-23T22:41:10+01:00""#, "☾ In bed since today 22:41"),
        // The next bedtime is another evening's.
        (
            #""next":"2026-11-24T21:30:00Z","nextLocal":"2026-11-24T22:30:00+01:00","#
                + #""inBed":"2026-11-22T21:41:10Z","inBedLocal":"2026-11-22T22:41:10+01:00""#,
            "☾ In bed since Sun 2026-11-22 22:41; next bedtime Tue 22:30"
        ),
    ])
    func bedtime_isShown(members: String, line: String) throws {
        let bedtime = #""bedtime":{\#(members)},"recentProblems""#
        let status = CannedService.status().replacing(#""recentProblems""#, with: bedtime)
        #expect(try statusLines(status).contains(line))
    }

    @Test func problems_areShown() throws {
        let broken = #"{"part":"camera","grade":"broken","text":"plug it in"},{"part":"disk","grade":"ok","text":""}"#
        let lines = try statusLines(
            CannedService.status(
                next: "", health: broken, warnings: #""rooster.conf:3: volum is unknown""#, trusted: false))
        #expect(
            lines == [
                "  Mon 2026-11-23 23:48:00  Europe/Berlin, clock not set", "  No alarm is going to ring",
                "✗ camera: plug it in",
                "! clock: The clock may be wrong: connect this machine to a network. 'timedatectl' shows whether it is synchronised.",
                "✓ In order: disk", "! rooster.conf:3: volum is unknown",
            ])
        #expect(
            try statusLines(CannedService.status(enabled: false)).contains {
                $0.hasPrefix("! All alarms are off")
            })
    }

    @Test func runningScan_isShown() throws {
        let enrolling = CannedService.status(scan: #"{"purpose":"enrol","label":"bathroom"}"#)
        #expect(
            try statusLines(enrolling).contains(
                "▸ The code \"bathroom\" is being enrolled: hold it in front of the camera"))
        // A tag needs no camera, so a camera's problem is omitted.
        let tag = CannedService.status(
            health: #"{"part":"camera","grade":"broken","text":"It is gone"}"#,
            scan: #"{"purpose":"enrol","label":"key","kind":"tag"}"#)
        let shown = try statusLines(tag)
        #expect(shown.contains("▸ The tag \"key\" is being enrolled: hold it to the reader"))
        #expect(shown.last == "✗ camera: It is gone", "\(shown)")
        let testing = CannedService.status(scan: #"{"purpose":"test"}"#)
        #expect(try statusLines(testing).contains("▸ A code is being tested: hold it in front of the camera"))
        let said = "23:48 Work will ring Tue 07:00. A code is being tested: hold it in front of the camera"
        #expect(try followedLines(CannedService.status(), testing) == ["23:48 Work will ring Tue 07:00", said])
    }

    private static func past(_ ended: String, alarm: String = "6f96a") -> String {
        #"""
        {"at":"2026-11-23T06:00:00Z","local":"2026-11-23T07:00:00+01:00","alarm":"\#(alarm)","label":"Pills",
        "ended":"\#(ended)","end":"2026-11-23T09:00:00Z","fired":null,"lateSeconds":null,"snoozes":0,"challenges":[],
        "firstMissed":null}
        """#.replacing("\n", with: "")
    }

    /// After an alarm that failed, the owner looks at the status first.
    @Test(arguments: [
        ("missed", "! Pills did not ring today 07:00: Rooster was off, or the clock was set past that time"),
        ("unanswered", "! Pills rang today 07:00, but nobody answered"),
        ("emergency", "! Pills (today 07:00) was ended by the emergency exit"),
    ])
    func recentProblem_isShown(ended: String, words: String) throws {
        let answer = CannedService.status(recentProblems: Self.past(ended))
        let lines = try statusLines(answer)
        #expect(lines.contains(words), "\(lines)")
        let first = "23:48 Work will ring Tue 07:00"
        #expect(try followedLines(CannedService.status(), answer) == [first, "\(first). \(words.dropFirst(2))."])
    }

    @Test func missedAlarm_isListedAsMissed() throws {
        for (rule, words) in [("null", "off: missed today 07:00\n"), (#""FREQ=DAILY""#, "off\n")] {
            let alarm = #"{"id":"6f96a","label":"Pills","enabled":false,"time":"07:00","repeat":\#(rule)}"#
            let run = try CannedService.server([
                "alarms": #"{"ok":true,"alarms":[{"alarm":\#(alarm),"next":null,"days":"","locked":false}]}"#,
                "status": CannedService.status(recentProblems: Self.past("missed")),
            ]).rooster("list")
            #expect(run.output.hasSuffix(words), "\(run.output)")
        }
    }

    @Test func untrustedClock_isShownOnce() throws {
        let clock = #"{"part":"clock","grade":"warning","text":"Nobody knows whether the time is right"}"#
        let lines = try statusLines(CannedService.status(health: clock, trusted: false))
        #expect(lines.filter { $0.hasPrefix("!") } == ["! clock: Nobody knows whether the time is right"])
    }

    @Test func lines_fitTheTerminal() throws {
        let wide = CannedService.session(
            label: String(repeating: "早上", count: 30), asked: #"{"kind":"math","sum":"12 + 30","left":2}"#)
        let answer = CannedService.status(
            sessions: wide, speaker: #"{"output":"A very long name of a speaker","decibels":-3}"#,
            warnings: #""\#(String(repeating: "long ", count: 50))""#)
        for columns in [1, 20, 40, 79] {
            for line in try statusLines(answer, Style(columns: columns)) {
                #expect(Columns.width(line) <= columns, "\(line)")
            }
        }
    }

    @Test func colours_areUsedOnlyOnATerminal() throws {
        let coloured = try statusLines(
            CannedService.status(sessions: CannedService.session()), Style(isColoured: true, columns: 80))
        #expect(coloured.contains { $0.hasPrefix("\u{1B}[1;31m● Work RINGS") && $0.hasSuffix("\u{1B}[0m") })
        #expect(try !statusLines(CannedService.status(sessions: CannedService.session())).joined().contains("\u{1B}"))
    }

    @Test func levels_areBars() {
        #expect(StatusLines.bar(0) == String(repeating: "█", count: 24))
        #expect(StatusLines.bar(-40) == String(repeating: "░", count: 24))
        #expect(StatusLines.bar(-.infinity) == StatusLines.bar(-40))
        #expect(StatusLines.bar(6) == StatusLines.bar(0))
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (60, "1 min"), (90, "1 min 30 s"), (299, "4 min 59 s"), (300, "5 min"),
        (719, "11 min"),
        (3600, "1 h"), (25_920, "7 h 12 min"), (172_799, "47 h 59 min"), (172_800, "2 days"), (262_800, "3 days 1 h"),
        (-5, "0 s"),
    ])
    func lengths_areDescribedInWords(seconds: Int, words: String) {
        #expect(TimeText.length(seconds) == words)
    }

    @Test func status_asJSON_isTheServicesStatus() throws {
        let run = try CannedService.server().rooster("status", "--json")
        let report: StatusReport = try JSON(parsing: Array(run.output.utf8)).decoded()
        #expect(try report == status(CannedService.status()))
    }
}
