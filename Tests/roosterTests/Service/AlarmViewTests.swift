// The tests of the commands that show alarms.

import Oracles
import ScriptedService
import Testing

@Suite struct AlarmViewTests {
    @Test func list_showsEachAlarm_andWhenItRings() throws {
        let run = try CannedService.server().rooster("list")
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(
            run.output == """
                6f961  Work   07:00  weekdays                                   rings in 7 h 12 min, Tue 07:00, locked
                6f96a  Pills  21:30  every day, with other times on 2026-11-24  off

                """)
    }

    @Test func list_asJSON_hasOneLineForEachAlarm_unchanged() throws {
        let server = try CannedService.server()
        let run = try server.rooster("list", "--json")
        #expect(run.lines.count == 2)
        #expect(
            run.lines.last
                == #"{"alarm":\#(CannedService.pillsAlarm),"next":null,"days":"Every day","locked":false,"lockedFrom":null,"unmet":[],"replaced":null,"openRing":null,"revision":""}"#[
                    ...])
        #expect(run.errors.isEmpty)
        // A script needs a single request.
        #expect(server.requests.count == 1)
    }

    /// The next ring comes first, and alarms without one come last.
    @Test func list_isInTheOrderOfTheNextRings() throws {
        func alarm(_ id: String, _ category: String, next: String?) -> String {
            let ring = next.map {
                #"{"at":"\#($0)T06:00:00Z","local":"\#($0)T07:00:00+01:00","alarm":"\#(id)","label":"","layer":"base"}"#
            }
            return #"{"alarm":{"id":"\#(id)","label":"\#(id)","time":"07:00","category":"\#(category)"},"#
                + #""next":\#(ring ?? "null"),"days":"","locked":false,"unmet":[],"revision":""}"#
        }
        let alarms = [
            alarm("off-1", "jobs", next: nil), alarm("late", "jobs", next: "2026-12-24"), alarm("off-2", "", next: nil),
            alarm("soon", "Jobs", next: "2026-12-01"),
        ]
        let server = try CannedService.server(["alarms": #"{"ok":true,"alarms":[\#(alarms.joined(separator: ","))]}"#])
        func names(_ options: String...) throws -> [String] {
            try server.rooster(["list", "--json"] + options).lines.map { line in
                String(line.drop { $0 != ":" }.dropFirst(8).prefix { $0 != "\"" })
            }
        }
        #expect(try names() == ["soon", "late", "off-1", "off-2"])
        #expect(try names("--category", "jobs") == ["soon", "late", "off-1"])
        let none = try server.rooster("list", "--category", "cats")
        #expect(none.exitStatus == 1 && none.errors.contains(#"No alarm has the category "cats""#))
    }

    @Test func list_andShow_beginWithTheRingInProgress() throws {
        func server(_ state: String, _ left: String = "null") throws -> MockServer {
            try CannedService.server([
                "status": CannedService.status(sessions: CannedService.session(state: state, secondsLeft: left))
            ])
        }
        let ringing = try server("ringing").rooster("list").lines[0]
        #expect(ringing.contains("  RINGS; rings in 7 h 12 min"), "\(ringing)")
        let snoozed = try server("snoozed", "540").rooster("list").lines[0]
        #expect(snoozed.contains("  snoozed until 23:57; rings in 7 h 12 min"), "\(snoozed)")
        let shown = try server("snoozed", "540").rooster("show", "work").lines
        #expect(shown.contains("  now         snoozed until 23:57"), "\(shown)")
    }

    @Test func list_reportsNoAlarms_orThatAllAreOff() throws {
        let none = try CannedService.server(["alarms": #"{"ok":true,"alarms":[]}"#]).rooster("list")
        #expect(none.output == "There is no alarm yet: 'rooster add 7:00 weekdays' adds one\n")
        let run = try CannedService.server(["status": CannedService.status(enabled: false)]).rooster("list")
        #expect(run.output.contains("all alarms are off"))
        #expect(run.errors.contains("'rooster settings --enabled on'"))
    }

    /// Labels may come from a stranger's file.
    @Test(arguments: ["list", "show", "status", "edit", "delete"])
    func controlCharactersInALabel_areEscaped(command: String) throws {
        let label = #"x\u001b[2J\n\u202e\u009by"#
        let alarm = #"{"id":"a-b-c-d","label":"\#(label)","time":"07:00","note":"\#(label)","category":"\#(label)"}"#
        let ring = CannedService.workRing.replacing("Work", with: label)
        let server = try CannedService.server([
            "alarms": #"{"ok":true,"alarms":[{"alarm":\#(alarm),"next":\#(ring),"days":"\#(label)","locked":false}]}"#,
            "status": CannedService.status(
                sessions: CannedService.session(label: label), next: ring,
                health: #"{"part":"disk","grade":"broken","text":"\#(label)"}"#,
                speaker: #"{"output":"\#(label)","decibels":-3}"#, warnings: #""\#(label)""#),
            "edit": CannedService.outcome("a-b-c-d", next: ring, warnings: #""\#(label)""#),
            "delete": CannedService.outcome("a-b-c-d"),
        ])
        let words = ["show", "edit", "delete"].contains(command) ? ["a-b-c-d"] : []
        let changes = command == "edit" ? ["8:00"] : []
        for json in [[], ["--json"]] {
            let run = try server.rooster([command] + words + changes + json)
            #expect(run.exitStatus == 0, "\(run.errors)")
            let unsafe = (run.output + run.errors).unicodeScalars.filter {
                ["\u{1B}", "\u{202E}", "\u{9B}"].contains($0)
            }
            #expect(unsafe.isEmpty, "\(run.output.debugDescription)")
            #expect(run.output.contains(command == "delete" && json == ["--json"] ? "a-b-c-d" : "x"))
        }
    }

    @Test func show_printsEveryField() throws {
        let run = try CannedService.server().rooster("show", "work")
        #expect(run.exitStatus == 0, "\(run.errors)")
        let lines = [
            "Work", "  time        07:00", "  days        Weekdays",
            "  to stop it  show the camera the code \"bathroom\"", "  then        solve 3 sums of level 2",
            "  snooze      3 times, 9 min each", "  next        rings in 7 h 12 min, Tue 07:00",
            "  sound       chimes01, up to 80 % within 30 s",
            "  escalates   square520 after 5 min",
            "  rings for   30 min at a time, 3 times, with 5 min of rest between",
        ]
        for line in lines { #expect(run.lines.contains(line[...]), "\(line) in \(run.output)") }
        #expect(run.output.contains("until it has rung or its challenges are done: 'rooster unlock Work' begins them"))
        let ringing = try CannedService.server(["status": CannedService.status(sessions: CannedService.session())])
            .rooster("show", "work")
        #expect(ringing.output.contains("until its ring is over or its challenges are done: 'rooster stop' begins"))
        #expect(
            try CannedService.server().rooster("show", "pills").output.hasSuffix(
                "'rooster enable Pills' switches it on\n"))
        let json = try CannedService.server().rooster("show", "work", "--json")
        #expect(json.lines.count == 1)
        #expect(json.output.hasPrefix(#"{"alarm":{"id":"6f9619ff-8b86-d011""#))
    }

    /// Every view shows omitted dates, and the missing code that keeps an alarm disabled.
    @Test func obstaclesToARing_areShown() throws {
        let days = CannedService.workAlarm.replacing(
            #""zone":null"#, with: #""zone":null,"skip":["2026-11-24"],"pause":["2026-12-01/2026-12-05"]"#)
        let hall =
            #"{"id":"7a","label":"Hall","enabled":false,"time":"05:00","challenges":[{"kind":"qr","codes":["x"]}]}"#
        let over = #"{"id":"7b","label":"Over","enabled":false,"time":"05:00","date":"2026-11-20"}"#
        let unmet = #"["challenges[0].codes: no code named \"x\" is enrolled"]"#
        let entries = [(days, "[]"), (hall, unmet), (over, "[]")].map { alarm, unmet in
            #"{"alarm":\#(alarm),"next":null,"days":"","locked":false,"unmet":\#(unmet)}"#
        }
        let missed = #"""
            {"alarm":"7b","at":"2026-11-20T04:00:00Z","local":"2026-11-20T05:00:00+01:00","label":"Over",
            "ended":"missed","end":"2026-11-20T08:00:00Z","snoozes":0,"challenges":[]}
            """#
        let server = try CannedService.server([
            "alarms": #"{"ok":true,"alarms":[\#(entries.joined(separator: ","))]}"#,
            "history": #"{"ok":true,"history":[\#(missed.replacing("\n", with: ""))]}"#,
        ])
        let list = try server.rooster("list").lines
        let why = #"off: no code named "x" is enrolled"#
        #expect(list[0].hasSuffix("no ring to come; skipped 2026-11-24; paused 2026-12-01 to 2026-12-05"), "\(list)")
        #expect(list[1].hasSuffix(why) && list[2].hasSuffix("off: it was missed"), "\(list)")
        let status = try server.rooster("status").lines
        #expect(status.contains("  Work: skipped 2026-11-24; paused 2026-12-01 to 2026-12-05"), "\(status)")
        #expect(status.contains("  Hall is \(why)"), "\(status)")
        let remedy = "'rooster code enrol LABEL' enrols one, 'rooster edit Hall --code LABEL' chooses another"
        let show = try server.rooster("show", "hall").lines.suffix(2)
        #expect(show.first?.hasSuffix(why) == true && show.last?.hasSuffix(" \(remedy)") == true, "\(show)")
    }

    /// Every view names the challenges that others will replace, while the owner can mend the device.
    @Test func replacedChallenges_areShown() throws {
        let text = "5 sums instead of the tag (this device has no tag reader)"
        let replaced = #"[{"kind":"tag","by":{"kind":"math","level":3,"count":5,"limit":60},"text":"\#(text)"}]"#
        let entry =
            #"{"alarm":\#(CannedService.workAlarm),"next":null,"days":"","locked":false,"unmet":[],"#
            + #""replaced":\#(replaced)}"#
        let server = try CannedService.server(["alarms": #"{"ok":true,"alarms":[\#(entry)]}"#])
        #expect(try server.rooster("list").lines[0].hasSuffix("no ring to come; 5 sums instead of the tag"))
        #expect(try server.rooster("status").lines.contains("  Work: \(text)"))
        #expect(try server.rooster("show", "work").lines.contains { $0.hasSuffix("for now     \(text)") })
    }
}
