// The tests of the status: lines, colours, the terminal's width, and changes.

import API
import Foundation
import JSON
import Oracles
import ScriptedService
import System
import Testing

@testable import rooster

@Suite struct StatusTests {
    static func status(_ answer: String) throws -> StatusReport {
        let server = try MockServer(["status": answer])
        return try RunningService(socket: server.path).status()
    }

    func lines(_ answer: String, _ style: Style = .plain) throws -> [String] {
        StatusLines(try Self.status(answer), style).lines
    }

    /// Returns the lines of `status --follow` without a terminal.
    private func followed(_ answers: String...) throws -> [String] {
        let server = try MockServer.following(answers.map { .line($0) })
        return try server.rooster("status", "--follow").lines.map(String.init)
    }

    @Test func idleService_showsTheNextRing_andThatItIsReady() throws {
        #expect(
            try lines(CannedService.status(next: "\(CannedService.workRing),\(CannedService.pillsRing)")) == [
                "  Mon 2026-11-23 23:48:00  Europe/Berlin",
                "○ Work rings in 7 h 12 min, Tue 07:00",
                "  then Pills, Tue 21:30 (this date has its own time)",
                "✓ Ready: speaker",
            ])
    }

    /// At night the service sends nothing for hours. The clock on the screen must still advance.
    @Test func shownStatus_followsTheClock() throws {
        let shown = ShownStatus(try Self.status(CannedService.status()))
        let later = shown.now("/nowhere", uptime: Uptime.milliseconds + 61_500)
        #expect(
            StatusLines(later, .plain).lines.prefix(2) == [
                "  Mon 2026-11-23 23:49:01  Europe/Berlin", "○ Work rings in 7 h 10 min, Tue 07:00",
            ])
    }

    @Test func ring_showsItsAssignment() throws {
        let sum = #"{"kind":"math","sum":"12 + 30","left":2}"#
        let ringing = CannedService.status(
            sessions: CannedService.session(asked: sum), speaker: #"{"output":"Headphones","decibels":-20}"#)
        #expect(
            try lines(ringing).dropFirst().dropLast(2) == [
                "● Work RINGS since 23:45", "    ✓ Code   ▸ Math",
                "  ▸ Solve: 12 + 30 — rooster answer N (2 sums left)", "    rooster snooze (2 snoozes left)",
                "    ████████████░░░░░░░░░░░░ -20 dB  Headphones",
            ])
    }

    @Test func ring_showsItsNoteAndCategory() throws {
        for (members, shown) in [
            (#""note":"Take the\ntrain","category":"Office","#, #"    Take the\ntrain (Office)"#),
            (#""category":"Office","#, "    (Office)"),
        ] {
            let session = CannedService.session().replacing(#""state""#, with: #"\#(members)"state""#)
            #expect(try lines(CannedService.status(sessions: session))[2] == shown)
        }
    }

    private static func check(secondsToAsk: Int) -> String {
        let check = #""check":{"number":1,"asks":"2026-11-23T22:52:00Z","secondsToAsk":\#(secondsToAsk)},"lateSeconds""#
        return CannedService.session(state: "checking", secondsLeft: "480").replacing(#""lateSeconds""#, with: check)
    }

    @Test func lockOut_offersNoSnooze() throws {
        let sum = #"{"kind":"math","sum":"12 + 30","left":2,"lockedOutSeconds":20}"#
        let lines = try lines(CannedService.status(sessions: CannedService.session(asked: sum)))
        #expect(lines.contains { $0.contains("12 + 30") } && !lines.contains { $0.contains("snooze") })
    }

    @Test(arguments: [
        (CannedService.session(), "  ▸ rooster snooze (2 snoozes left), rooster stop begins the challenges"),
        (CannedService.session(max: "1"), "  ▸ rooster stop begins the challenges; no snooze is left"),
        (CannedService.session(max: "0"), "  ▸ rooster stop begins the challenges; it cannot be snoozed"),
        (CannedService.session(max: "null"), "  ▸ rooster snooze, rooster stop begins the challenges"),
        (
            CannedService.session(state: "snoozed", secondsLeft: "480"),
            "◐ Work rings again in 8 min, at 23:56 (2 snoozes left)"
        ),
        (
            CannedService.session(state: "resting", secondsLeft: "480"),
            "◐ Work pauses because nobody answered, and rings again in 8 min, at 23:56"
        ),
        (check(secondsToAsk: 240), "◐ Work asks in 4 min, at 23:52, whether you are awake"),
        (
            check(secondsToAsk: 0),
            "◐ Work asks whether you are awake; without an answer it rings again in 8 min, at 23:56"
        ),
        (check(secondsToAsk: 0), "  ▸ rooster awake, or press a button"),
        (CannedService.session(state: "waiting"), "● Work waits to ring since 23:45"),
        (
            CannedService.session().replacing(#""lateSeconds""#, with: #""shaking":true,"lateSeconds""#),
            "● Work RINGS since 23:45, shaken, not heard"
        ),
        (
            CannedService.session().replacing(
                #""lateSeconds""#, with: #""shaking":true,"sound":"horn01","lateSeconds""#),
            "● Work RINGS since 23:45, and shakes the bed"
        ),
        (round(1), "● Work RINGS since 23:45"), (round(2), "● Work RINGS since 23:45 (round 2 of 3)"),
        (
            round(1, state: "resting"),
            "◐ Work pauses because nobody answered, and rings again in 8 min, at 23:56 (round 1 of 3)"
        ),
    ])
    func sessions_areShown_withTheWaysToEndThem(session: String, line: String) throws {
        let lines = try lines(CannedService.status(sessions: session, next: ""))
        #expect(lines.contains(line), "\(lines)")
        // The alarm rings, or will ring again, so no line may say that it does not.
        #expect(lines.contains("  No other alarm is going to ring"), "\(lines)")
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
        #expect(try lines(status).contains(line))
    }

    @Test(arguments: [
        (#""next":"2026-11-24T21:30:00Z","nextLocal":"2026-11-24T22:30:00+01:00""#, "☾ Bedtime Tue 22:30"),
        (#""inBed":"2026-11-23T21:41:10Z","inBedLocal":"2026-11-23T22:41:10+01:00""#, "☾ In bed since 22:41"),
    ])
    func bedtime_isShown(members: String, line: String) throws {
        let bedtime = #""bedtime":{\#(members)},"recentProblems""#
        let status = CannedService.status().replacing(#""recentProblems""#, with: bedtime)
        #expect(try lines(status).contains(line))
    }

    private static func round(_ round: Int, state: String = "ringing") -> String {
        CannedService.session(state: state, secondsLeft: "480").replacing(
            #""lateSeconds""#, with: #""round":\#(round),"rounds":3,"lateSeconds""#)
    }

    /// In the hour before clocks are set back, the end of a snooze looks like a time in the past.
    @Test func snooze_intoTheFold_isMarked() throws {
        let late = CannedService.status(
            sessions: CannedService.session(state: "snoozed", secondsLeft: "1800", max: "1"), next: ""
        )
        .replacing("2026-11-23T22:48:00.250Z", with: "2026-10-25T00:48:00.250Z")
        .replacing("2026-11-23T23:48:00+01:00", with: "2026-10-25T02:48:00+02:00")
        let words = "◐ Work rings again in 30 min, at 02:18 after the clocks go back (no snooze is left)"
        #expect(try lines(late).contains(words))
    }

    @Test func problems_areShown() throws {
        let broken = #"{"part":"camera","grade":"broken","text":"plug it in"},{"part":"disk","grade":"ok","text":""}"#
        let lines = try lines(
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
            try self.lines(CannedService.status(enabled: false)).contains {
                $0.hasPrefix("! All alarms are off")
            })
    }

    /// The camera's problem stands next to the challenge, and only there.
    @Test func missingCamera_isShown_besideACodeChallenge() throws {
        let gone = #"{"part":"camera","grade":"broken","text":"The camera is gone: plug it in again"}"#
        let asked = CannedService.session(asked: #"{"kind":"qr","labels":["bathroom"]}"#)
        let ringing = CannedService.status(sessions: asked, health: #"\#(gone),{"part":"disk","grade":"ok","text":""}"#)
        let lines = try lines(ringing)
        let place = try #require(lines.firstIndex(of: "  ▸ Show the code \"bathroom\" to the camera"))
        #expect(lines[place + 2] == "✗ The camera is gone: plug it in again")
        #expect(!lines.contains { $0.contains("✗ camera") } && lines.last == "✓ In order: disk")
        #expect(
            try self.lines(CannedService.status(health: gone)).contains(
                "✗ camera: The camera is gone: plug it in again"))
        let refusal = CannedService.refusal(
            "challengeOpen", "Complete it", asked: #"{"kind":"qr","labels":["bathroom"]}"#, status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        let camera = "Show the code \"bathroom\" to the camera. The camera is gone: plug it in again"
        #expect(stop.errors == "rooster: Work rings on. \(camera).\n")
    }

    /// The reason why no code is accepted stands next to the challenge. With `--follow` it ends the line.
    @Test(arguments: [
        (#"{"frame":{"dark":true},"wrongCodes":0}"#, "Too dark: turn on a light"),
        (
            #"{"frame":{"codes":[{"sizePercent":40}]},"wrongCodes":1,"wrongInView":true}"#,
            "This is the wrong code for this alarm"
        ),
        (
            #"{"problem":"no camera is plugged in","frame":null}"#,
            "The camera gives no pictures: no camera is plugged in"
        ),
    ])
    func cameraView_isShown_duringTheRing(camera: String, words: String) throws {
        let asked = CannedService.session(asked: #"{"kind":"qr","labels":["bathroom"]}"#)
        let ringing = CannedService.status(sessions: asked, camera: camera)
        #expect(try lines(ringing).contains("! \(words)"))
        let refusal = CannedService.refusal("challengeOpen", "Complete it", status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        #expect(stop.errors == "rooster: Work rings on. Show the code \"bathroom\" to the camera. \(words).\n")
        let quiet = CannedService.status(sessions: asked, camera: #"{"frame":{}}"#)
        let summary = "23:48 Work rings. Show the code \"bathroom\" to the camera"
        #expect(try followed(quiet, quiet, ringing) == [summary, "\(summary). \(words)."])
    }

    /// The status must explain why an alarm with a code asks for sums.
    @Test func sumsInPlaceOfACode_areExplained() throws {
        let gone = #"{"part":"camera","grade":"broken","text":"The camera is gone: plug it in again"}"#
        let sum = #"{"kind":"math","sum":"12 + 30","left":10}"#
        let five = #"{"kind":"math","level":3,"count":5,"limit":60}"#
        let open = #"{"kind":"qr","done":false,"replacedBy":\#(five)},{"kind":"math","done":false}"#
        let ringing = CannedService.status(
            sessions: CannedService.session(asked: sum, challenges: open, max: "1"), health: gone)
        let words = "Solve: 12 + 30 — rooster answer N (10 sums left), instead of the code"
        let lines = try lines(ringing)
        let place = try #require(lines.firstIndex(of: "  ▸ \(words)"))
        #expect(lines[(place + 1)...].prefix(2) == ["    no snooze is left", "✗ The camera is gone: plug it in again"])
        let refusal = CannedService.refusal("challengeOpen", "Complete it", asked: sum, status: ringing)
        let stop = try CannedService.server(["stop": refusal]).rooster("stop")
        #expect(stop.errors == "rooster: Work rings on. \(words). The camera is gone: plug it in again.\n")
        // Sums that the alarm itself asks for are no substitute.
        let solved = #"{"kind":"qr","done":true,"replacedBy":\#(five)},{"kind":"math","done":false}"#
        let usual = CannedService.status(sessions: CannedService.session(asked: sum, challenges: solved), health: gone)
        #expect(try self.lines(usual).contains("  ▸ Solve: 12 + 30 — rooster answer N (10 sums left)"))
        #expect(try self.lines(usual).contains("    ✓ Code (5 sums)   ▸ Math"))
    }

    @Test func runningScan_isShown() throws {
        let enrolling = CannedService.status(scan: #"{"purpose":"enrol","label":"bathroom"}"#)
        #expect(
            try lines(enrolling).contains("▸ The code \"bathroom\" is being enrolled: hold it in front of the camera"))
        // A tag needs no camera, so a camera's problem is omitted.
        let tag = CannedService.status(
            health: #"{"part":"camera","grade":"broken","text":"It is gone"}"#,
            scan: #"{"purpose":"enrol","label":"key","kind":"tag"}"#)
        let shown = try lines(tag)
        #expect(shown.contains("▸ The tag \"key\" is being enrolled: hold it to the reader"))
        #expect(shown.last == "✗ camera: It is gone", "\(shown)")
        let testing = CannedService.status(scan: #"{"purpose":"test"}"#)
        #expect(try lines(testing).contains("▸ A code is being tested: hold it in front of the camera"))
        let said = "23:48 Work will ring Tue 07:00. A code is being tested: hold it in front of the camera"
        #expect(try followed(CannedService.status(), testing) == ["23:48 Work will ring Tue 07:00", said])
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
        let lines = try lines(answer)
        #expect(lines.contains(words), "\(lines)")
        let first = "23:48 Work will ring Tue 07:00"
        #expect(try followed(CannedService.status(), answer) == [first, "\(first). \(words.dropFirst(2))."])
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
        let lines = try lines(CannedService.status(health: clock, trusted: false))
        #expect(lines.filter { $0.hasPrefix("!") } == ["! clock: Nobody knows whether the time is right"])
    }

    /// A wrong tag or sum is shown for some seconds, as a wrong code is. Meanwhile no snooze is offered.
    @Test func wrongAnswer_isShown() throws {
        let asked = #"{"kind":"tag","labels":["key"],"wrong":true}"#
        let session = CannedService.session(asked: asked).replacing(#""test":"#, with: #""busy":true,"test":"#)
        let shown = try lines(CannedService.status(sessions: session))
        #expect(shown.contains("  ! This tag is not the one for this alarm"), "\(shown)")
        #expect(!shown.contains { $0.contains("rooster snooze") }, "\(shown)")
        let unlocked = CannedService.status().replacing(
            #""scan""#, with: #""unlocked":[{"alarm":"6f96","label":"Work"}],"scan""#)
        #expect(try lines(unlocked).contains("✓ Work is unlocked: it can be changed until it rings"))
        #expect(try followed(unlocked)[0].hasSuffix(". Work is unlocked: it can be changed until it rings"))
    }

    @Test func lines_fitTheTerminal() throws {
        let wide = CannedService.session(
            label: String(repeating: "早上", count: 30), asked: #"{"kind":"math","sum":"12 + 30","left":2}"#)
        let answer = CannedService.status(
            sessions: wide, speaker: #"{"output":"A very long name of a speaker","decibels":-3}"#,
            warnings: #""\#(String(repeating: "long ", count: 50))""#)
        for columns in [1, 20, 40, 79] {
            for line in try lines(answer, Style(columns: columns)) {
                #expect(Columns.width(line) <= columns, "\(line)")
            }
        }
    }

    @Test func colours_areUsedOnlyOnATerminal() throws {
        let coloured = try lines(
            CannedService.status(sessions: CannedService.session()), Style(isColoured: true, columns: 80))
        #expect(coloured.contains { $0.hasPrefix("\u{1B}[1;31m● Work RINGS") && $0.hasSuffix("\u{1B}[0m") })
        #expect(try !lines(CannedService.status(sessions: CannedService.session())).joined().contains("\u{1B}"))
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
        let status: StatusReport = try JSON(parsing: Array(run.output.utf8)).decoded()
        #expect(try status == Self.status(CannedService.status()))
    }

    /// A new problem and its end are changes. A new level of the sound is none.
    @Test func follow_printsALineForEachChange() throws {
        let broken = CannedService.status(
            health: #"{"part":"disk","grade":"broken","text":"it is full"}"#, warnings: #""rooster.conf:3: volum""#)
        let loud = CannedService.status(
            sessions: CannedService.session(), speaker: #"{"output":"Headphones","decibels":-3}"#)
        let louder = CannedService.status(
            sessions: CannedService.session(), speaker: #"{"output":"Headphones","decibels":-2}"#)
        let snoozed = CannedService.status(sessions: CannedService.session(state: "snoozed", secondsLeft: "540"))
        let states = [CannedService.status(), broken, broken, CannedService.status(), loud, louder, louder, snoozed]
        let server = try MockServer.following(states.map { .line($0) })
        let run = try server.rooster("status", "--follow")
        #expect(
            run.output == """
                23:48 Work will ring Tue 07:00
                23:48 Work will ring Tue 07:00. disk: it is full. rooster.conf:3: volum.
                23:48 Work will ring Tue 07:00
                23:48 Work rings
                23:48 Work rings again in 9 min, at 23:57

                """)
        // After the service closed the connection, the command connected again, and was refused.
        #expect(run.exitStatus == 1)
        #expect(
            run.errors
                == "rooster: The service has stopped or is restarting. Waiting until it runs.\nrooster: This is the end\n"
        )
        #expect(server.requests.count == 2)
        let json = try MockServer.following(states.map { .line($0) }).rooster("status", "--follow", "--json")
        #expect(json.lines.last?.hasPrefix(#"{"error":{"code":"busy""#) == true)
        #expect(json.lines.count == states.count + 1)
        #expect(json.lines.dropLast().allSatisfy { $0.hasPrefix(#"{"now":"2026-11-23T22:48:00.250Z""#) })
    }

    /// On a terminal the command redraws in place. `script` provides the terminal.
    @Test(.enabled(if: access("/usr/bin/script", X_OK) == 0)) func follow_redrawsOnATerminal() throws {
        let states = [CannedService.status(), CannedService.status(sessions: CannedService.session())]
        func server() throws -> MockServer {
            try MockServer.following(states.map { .line($0) }, others: ["status": states[1]])
        }
        let (coloured, uncoloured) = (try server(), try server())
        let command = "\(Program.built("rooster")) status --follow"
        func environment(_ server: MockServer) -> [String: String] {
            ["ROOSTER_SOCKET": server.path, "TERM": "xterm", "TZDIR": "/usr/share/zoneinfo"]
        }
        let run = try Program(
            "/usr/bin/script", ["-qec", command, "/dev/null"], environment: environment(coloured))
        #expect(run.output.contains("\u{1B}[3F"), "\(run.output.debugDescription)")
        #expect(run.output.contains("Work RINGS"))
        let plain = try Program(
            "/usr/bin/script", ["-qec", command, "/dev/null"],
            environment: environment(uncoloured).merging(["NO_COLOR": "1"]) { $1 })
        #expect(plain.output.contains("Work RINGS"))
        #expect(!plain.output.contains("\u{1B}[1;31m"))
        #expect(run.output.contains("\u{1B}[1;31m"))
    }

    /// The command sends one request and then waits. It must not give up if no change comes for a while.
    @Test(.enabled(if: access("/usr/bin/script", X_OK) == 0)) func follow_continues_withoutAChange() throws {
        let ringing = CannedService.status(sessions: CannedService.session())
        let server = try MockServer.following([
            .line(CannedService.status()), .pause(milliseconds: 2500), .line(ringing),
        ])
        let run = try Program(
            "/usr/bin/script", ["-qec", "\(Program.built("rooster")) status --follow", "/dev/null"],
            environment: ["ROOSTER_SOCKET": server.path, "TERM": "xterm", "TZDIR": "/usr/share/zoneinfo"])
        #expect(run.output.contains("Work RINGS"), "\(run.output.debugDescription)")
        #expect(run.output.contains("The service has stopped or is restarting"))
        #expect(server.requests.count == 2)
    }
}
