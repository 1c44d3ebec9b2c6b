// The tests of the device's commands: preflight, history, settings, calendars, backups, virtual bedside.

import Foundation
import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite struct DeviceCommandTests {
    @Test func doctor_printsOneLineForEachPart_andFailsForABrokenPart() throws {
        let well = #"{"part":"speaker","grade":"ok","text":""}"#
        let ill = #"{"part":"camera","grade":"broken","text":"it is not plugged in: plug it in"}"#
        let server = try CannedService.server(["doctor": #"{"ok":true,"health":[\#(well),\#(ill)]}"#])
        let run = try server.rooster("doctor")
        #expect(run.exitStatus == 1)
        #expect(run.output == "ok      speaker  in order\nbroken  camera   it is not plugged in: plug it in\n")
        #expect(run.errors == "rooster: Broken: camera\n")
        // A part in order shows details in place of a problem.
        let parts = ["speaker", "clock", "codes", "disk", "alarms"].map {
            #"{"part":"\#($0)","grade":"ok","text":""}"#
        }
        let speaker = #"{"output":null,"routes":[{"id":"usb","name":"USB speaker","health":"unknown"}]}"#
        let fine = try CannedService.server([
            "doctor": #"{"ok":true,"health":[\#(parts.joined(separator: ","))]}"#,
            "status": CannedService.status(speaker: speaker),
        ]).rooster("doctor")
        #expect(
            fine.output == """
                ok  speaker  USB speaker
                ok  clock    set by the network
                ok  codes    2 enrolled
                ok  disk     in order
                ok  alarms   Work rings in 7 h 12 min, Tue 07:00

                """)
        let json = try server.rooster("doctor", "--json")
        #expect(json.lines.count == 2 && json.lines.allSatisfy { $0.hasSuffix(#""causes":[]}"#) }, "\(json.output)")
        #expect(json.exitStatus == 1)
        #expect(
            try CannedService.server(["doctor": #"{"ok":true,"health":[\#(well)]}"#]).rooster("doctor").exitStatus == 0)
    }

    @Test func doctor_callsThePartsByTheirNames() throws {
        let parts = ["buttons", "keypad", "steps", "tags"].map { #"{"part":"\#($0)","grade":"broken","text":"out"}"# }
        let run = try CannedService.server(["doctor": #"{"ok":true,"health":[\#(parts.joined(separator: ","))]}"#])
            .rooster("doctor")
        #expect(run.lines.count == 4 && run.lines.last == "broken  tag reader   out")
        #expect(run.errors == "rooster: Broken: buttons, keypad, step sensor, tag reader\n")
    }

    let past = #"""
        {"alarm":"6f96","at":"2026-11-23T06:00:00Z","local":"2026-11-23T07:00:00+01:00","label":"Work, \"early\"",
        "ended":"dismissed","end":"2026-11-23T06:12:30Z","fired":"2026-11-23T06:02:00Z","lateSeconds":120,"snoozes":1,
        "challenges":[{"kind":"qr","done":"2026-11-23T06:12:00Z"},{"kind":"math","done":null}],"test":false,
        "firstMissed":null,"with":"6f97","unheard":true,"by":"page","client":"Anna","note":"At 8","category":"Office"}
        """#.replacing("\n", with: "")
    let formula = #"""
        {"alarm":"-1","at":"2026-11-24T06:00:00Z","local":"2026-11-24T07:00:00+01:00","label":"=HYPERLINK(\"x\")\u001b\ny",
        "ended":"missed","end":"2026-11-24T08:00:00Z","fired":null,"lateSeconds":null,"snoozes":0,"challenges":[],
        "test":false,"firstMissed":"2026-11-20T06:00:00Z"}
        """#.replacing("\n", with: "")

    /// The history shows whether the sleeper had to leave the bed.
    @Test func history_namesReplacedChallenges() throws {
        let replaced = past.replacing(
            #""done":"2026-11-23T06:12:00Z""#,
            with: #""done":"2026-11-23T06:12:00Z","replacedBy":{"kind":"math","level":3,"count":10,"limit":60}"#)
        let server = try CannedService.server(["history": #"{"ok":true,"history":[\#(replaced)]}"#])
        let line = try server.rooster("history").output
        #expect(line.contains("same challenges, 10 sums instead of the code, by Anna, At 8 (Office)\n"), "\(line)")
        #expect(try server.rooster("history", "--csv").output.contains("Anna,qr=10 sums,At 8,Office,,,,0,0\r\n"))
    }

    @Test func history_printsOneLineForEachRing() throws {
        let server = try CannedService.server([
            "history": #"{"ok":true,"history":[\#(past),\#(formula)],"success":0.875}"#
        ])
        let run = try server.rooster("history")
        #expect(
            run.output
                == #"""
                Mon 2026-11-23 07:00  Work, "early"             dismissed  2 min late, 1 snooze, after 10 min, unheard: no speaker and no buzzer played, ended by another alarm with the same challenges, by Anna, At 8 (Office)
                Tue 2026-11-24 07:00  =HYPERLINK("x")\u{1B}\ny  missed     missed since 2026-11-20
                Of the rings with challenges, 88 % were ended by them

                """#)
        let lines = try server.rooster("history", "--json").lines
        #expect(lines.map { $0.contains(#""ended":"dismissed""#) } == [true, false])
        let shaken = past.replacing(#""unheard":true"#, with: #""unheard":true,"shaken":true"#)
        let felt = try CannedService.server(["history": #"{"ok":true,"history":[\#(shaken)]}"#]).rooster("history")
        #expect(felt.output.contains("after 10 min, shaken, not heard, "), "\(felt.output)")
        let night = past.replacing(
            #""unheard":true"#, with: #""unheard":true,"inBed":"2026-11-22T22:12:30Z","inBedSeconds":28800"#)
        let slept = try CannedService.server(["history": #"{"ok":true,"history":[\#(night)]}"#])
        #expect(try slept.rooster("history").output.contains("after 10 min, 8 h in bed, "))
        #expect(try slept.rooster("history", "--csv").output.hasSuffix(",2026-11-22T22:12:30Z,28800,0,0\r\n"))
        // After a single missed ring, the line must not say "since".
        let once = formula.replacing("2026-11-20T06:00:00Z", with: "2026-11-24T06:00:00Z")
        let single = try CannedService.server(["history": #"{"ok":true,"history":[\#(once)]}"#]).rooster("history")
        #expect(single.output.contains("missed") && !single.output.contains("since"), "\(single.output)")
        // The service was off, and ended the ring at its next start.
        let unanswered = past.replacing("dismissed", with: "unanswered").replacing(
            #""end":"2026-11-23"#, with: #""end":"2026-11-27"#)
        let found = try CannedService.server(["history": #"{"ok":true,"history":[\#(unanswered)]}"#])
        #expect(try found.rooster("history").output.contains("1 snooze, found 4 days later, "))
        #expect(try server.rooster("history", "--days", "7").exitStatus == 0)
        #expect(server.request("history") == #"{"days":7}"#)
        let empty = try CannedService.server(["history": #"{"ok":true,"history":[],"success":null}"#])
        #expect(try empty.rooster("history").output == "No alarm has rung yet\n")
        let first = try CannedService.server([
            "history": #"{"ok":true,"history":[],"success":null}"#,
            "status": CannedService.status(sessions: CannedService.session()),
        ])
        #expect(try first.rooster("history").output.hasPrefix("No ring is over yet: "))
    }

    private static let events = #"""
        {"ok":true,"history":[],"events":[{"at":"2026-11-23T06:00:01Z","local":"2026-11-23T07:00:01+01:00",
        "name":"stop_refused","text":"A stop of \"Work\" by a button was refused\u001b[2J","alarm":"6f98","label":"Gone"}],
        "successes":[{"group":"alarm","name":"","alarm":"6f961234-5678","rings":4,"dismissed":3,"inTenMinutes":2},
        {"group":"week","name":"2026-11-23","rings":0,"dismissed":0,"inTenMinutes":0}]}
        """#.replacing("\n", with: "")

    @Test func events_areSentences_andSuccessIsByGroup() throws {
        let server = try CannedService.server(["history": Self.events])
        #expect(
            try server.rooster("history", "--events").output
                == #"Mon 2026-11-23 07:00:01  A stop of "Work" by a button was refused\u{1B}[2J"# + "\n")
        #expect(server.request("history") == #"{"events":true}"#)
        #expect(try server.rooster("history", "--events", "--json").lines.count == 1)
        #expect(
            try server.rooster("history", "--success").output == """
                alarm  Alarm 6f961234   3 of 4 dismissed  75 %  2 in 10 min
                week   from 2026-11-23  0 of 0 dismissed  –     0 in 10 min

                """)
        #expect(try server.rooster("history", "--success", "--json").lines.count == 2)
    }

    @Test func history_isFiltered() throws {
        let server = try CannedService.server(["history": #"{"ok":true,"history":[\#(past)]}"#])
        func request(_ options: String...) throws -> String? {
            #expect(try server.rooster(["history"] + options).exitStatus == 0, "\(options)")
            return server.request("history")
        }
        let work = CannedService.workAlarm.prefix { $0 != "," }.dropFirst(6)
        #expect(try request("work") == #"{"alarm":\#(work)}"#)
        #expect(try request("--since", "2026-11-20", "--days", "9") == #"{"days":9,"since":"2026-11-20"}"#)
        #expect(try request("--since", "yesterday") == #"{"since":"2026-11-22"}"#)
        #expect(try request("--category", "Jobs", "--events") == #"{"category":"Jobs","events":true}"#)
        // A deleted alarm is found by the label in its rings.
        #expect(try request("WORK, \"early\"") == #"{"alarm":"6f96"}"#)
        let gone = try CannedService.server(["history": Self.events])
        #expect(try gone.rooster("history", "gone").exitStatus == 0)
        #expect(gone.request("history") == #"{"alarm":"6f98"}"#)
        let unknown = try server.rooster("history", "nobody")
        #expect(unknown.exitStatus == 1 && unknown.errors.contains("There is no alarm \"nobody\""))
        let none = try CannedService.server(["history": #"{"ok":true,"history":[],"events":[]}"#])
        #expect(try none.rooster("history", "--days", "1").output == "No ring of this choice is over\n")
        #expect(try none.rooster("history", "--events").output == "No event is recorded\n")
        #expect(try none.rooster("history", "--success").output == "No ring is over\n")
    }

    @Test func clear_keepsTheLastDay() throws {
        let server = try CannedService.server(["clearHistory": #"{"ok":true}"#])
        #expect(
            try server.rooster("history", "--clear").output == "The history is cleared, but for the last 24 hours\n")
        #expect(server.request("clearHistory") == "{}")
    }

    @Test func history_asCSV_isRFC4180_withoutFormulas() throws {
        let server = try CannedService.server([
            "history": #"{"ok":true,"history":[\#(past),\#(formula)],"success":null}"#
        ])
        let run = try server.rooster("history", "--csv")
        let heading = """
            at,local,alarm,label,ended,end,fired,late_seconds,snoozes,challenges,first_missed,with,unheard,shaken,done_at,by,client,\
            replaced,note,category,early_seconds,in_bed,in_bed_seconds,checks,failed_checks
            """
        let work = """
            2026-11-23T06:00:00Z,2026-11-23T07:00:00+01:00,6f96,"Work, ""early""\",dismissed,2026-11-23T06:12:30Z,\
            2026-11-23T06:02:00Z,120,1,qr=2026-11-23T06:12:00Z math,,6f97,yes,,,page,Anna,,At 8,Office,,,,0,0
            """
        let link = """
            2026-11-24T06:00:00Z,2026-11-24T07:00:00+01:00,-1,"'=HYPERLINK(""x"") \ny",missed,2026-11-24T08:00:00Z,,,0,,\
            2026-11-20T06:00:00Z,,,,,,,,,,,,,0,0
            """
        #expect(run.output == "\(heading)\r\n\(work)\r\n\(link)\r\n")
    }

    @Test func settings_areShown_andChanged() throws {
        let settings = #"""
            {"zone":null,"enabled":true,"lock":1800,"snooze":{"min":300,"max":3600},"preflight":"21:00","emergency":true,"mine":1}
            """#
        let server = try CannedService.server([
            "settings": #"{"ok":true,"settings":\#(settings)}"#, "configure": #"{"ok":true,"settings":\#(settings)}"#,
        ])
        let run = try server.rooster("settings")
        #expect(
            run.output == """
                enabled    on
                zone       the machine's (Europe/Berlin)
                lock       from 30 min before an alarm with challenges
                snooze     5 min to 1 h
                preflight  21:00
                emergency  on
                bedtime    none
                hours      24

                """)
        #expect(server.request("configure") == nil)
        let changed = try server.rooster(
            "settings", "--enabled", "off", "--zone", "Europe/Berlin", "--lock", "0", "--snooze-min", "2",
            "--snooze-max", "1h", "--preflight", "8:30pm", "--emergency", "off", "--json")
        #expect(changed.output == "\(settings)\n")
        #expect(
            server.request("configure") == #"""
                {"changes":{"enabled":false,"zone":"Europe/Berlin","lock":0,"snooze":{"min":120,"max":3600},"preflight":"20:30","emergency":false}}
                """#)
        #expect(try server.rooster("settings", "--zone", "machine", "--preflight", "off").exitStatus == 0)
        #expect(server.request("configure") == #"{"changes":{"zone":null,"preflight":"off"}}"#)
    }

    @Test func calendars_areListed_setAndDeleted() throws {
        let school =
            #"{"weekdays":["mon","tue","wed","thu","fri"],"from":"2026-08-17","until":null,"off":["2026-11-23/2026-11-27"],"on":[]}"#
        let server = try CannedService.server([
            "calendars": #"{"ok":true,"calendars":[{"name":"school","calendar":\#(school)}]}"#
        ])
        let run = try server.rooster("calendar")
        #expect(run.output == "school  Weekdays, from 2026-08-17, not 2026-11-23/2026-11-27\n")
        #expect(
            try server.rooster("calendar", "list", "--json").output
                == #"{"name":"school","calendar":\#(school),"revision":""}"# + "\n")
        let saved = try server.rooster(
            "calendar", "save", "work", "--weekdays", "mon-wed,fri", "--until", "2027-06-30", "--off", "2026-12-24",
            "--off", "2026-12-25/2026-12-26", "--on", "2026-12-12")
        #expect(saved.output == "Saved the calendar \"work\"\n", "\(saved.errors)")
        #expect(
            server.request("saveCalendar") == #"""
                {"name":"work","calendar":{"weekdays":["mon","tue","wed","fri"],"until":"2027-06-30","off":["2026-12-24","2026-12-25/2026-12-26"],"on":["2026-12-12"]}}
                """#)
        #expect(try server.rooster("calendar", "save", "work", "--file", "-", input: school).exitStatus == 0)
        #expect(server.request("saveCalendar") == #"{"name":"work","calendar":\#(school)}"#)
        #expect(try server.rooster("calendar", "delete", "school").exitStatus == 0)
        #expect(server.request("deleteCalendar") == #"{"name":"school"}"#)
        let unknown = try server.rooster("calendar", "delete", "scool")
        #expect(unknown.exitStatus == 1)
        #expect(unknown.errors.hasPrefix(#"rooster: There is no calendar "scool"."#))
        let off = #"{"ok":false,"reason":"problems","message":"x","problems":["off[0]: \"y\" is not a date"]}"#
        let misread = try CannedService.server(["saveCalendar": off])
        #expect(
            try misread.rooster("calendar", "save", "a", "--off", "y").errors == "rooster: --off: \"y\" is not a date\n"
        )
        let file = try misread.rooster("calendar", "save", "a", "--file", "-", input: school)
        #expect(file.errors == "rooster: off[0]: \"y\" is not a date\n")
    }

    let file = #"{"format":"rooster/1","alarms":[{"id":"a","label":"x\u009b"}]}"#

    @Test func export_isIndentedText_orOneLineWithJSON() throws {
        let server = try CannedService.server(["export": #"{"ok":true,"file":\#(file)}"#])
        let run = try server.rooster("export")
        #expect(
            run.output == #"""
                {
                  "format": "rooster/1",
                  "alarms": [
                    {
                      "id": "a",
                      "label": "x\u009B"
                    }
                  ]
                }

                """#)
        #expect(try server.rooster("export", "--json").output == file.replacing("9b", with: "9B") + "\n")
    }

    @Test func export_intoAnExistingFile_isRefused() throws {
        let server = try CannedService.server(["export": #"{"ok":true,"file":\#(file)}"#])
        let scratch = try Scratch()
        let path = "\(scratch.path)/backup.json"
        #expect(try server.rooster("export", path).exitStatus == 0)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("{\n  \"format\""))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try server.rooster("export", path)
        #expect(again.exitStatus == 1)
        #expect(again.errors == "rooster: \(path) exists already. Choose another name.\n")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(try server.rooster("export", "/nowhere/backup.json").exitStatus == 1)
    }

    @Test func import_sendsTheFile_andNamesTheAlarmsSetAside() throws {
        let server = try CannedService.server([
            "import": #"{"ok":true,"alarms":1,"setAside":[],"warnings":["a: soft"]}"#
        ])
        let run = try server.rooster("import", "-", input: file)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.output == "Imported 1 alarm\n")
        #expect(run.errors == "rooster: warning: a: soft\n")
        #expect(server.request("import") == #"{"file":\#(file.replacing(#"\u009b"#, with: "\u{9B}")),"backup":false}"#)
        #expect(try server.rooster("import", "-", "--backup", input: "{}").exitStatus == 0)
        #expect(server.request("import") == #"{"file":{},"backup":true}"#)
        let partly = try CannedService.server([
            "import": #"{"ok":true,"alarms":1,"setAside":["alarms[0].time: is wrong"]}"#
        ])
        #expect(try partly.rooster("import", "-", input: #"{"alarms":[{},{}]}"#).output == "Imported 1 of 2 alarms\n")
        let rest = try partly.rooster("import", "-", "--json", input: "{}")
        #expect(rest.exitStatus == 1)
        #expect(
            rest.output == #"{"alarms":1,"setAside":[{"path":"alarms[0].time","message":"is wrong"}],"codes":[]}"#
                + "\n"
        )
        #expect(rest.errors == "rooster: Standard input: alarms[0].time: is wrong\n")
    }

    @Test(arguments: [("code", ""), ("tag", " --tag")])
    func import_namesTheImportedCodes_andARemedyForMissingOnes(kind: String, option: String) throws {
        let missing = #"alarms[0].challenges[0].x: no \#(kind) named \"hall\" is enrolled; the alarm is off"#
        let server = try CannedService.server([
            "import": #"{"ok":true,"alarms":1,"codes":["kitchen","my \"bath\""],"setAside":["\#(missing)"]}"#
        ])
        let run = try server.rooster("import", "-", input: #"{"alarms":[{}]}"#)
        let codes = #""kitchen", "my \"bath\"": they can end a ring from now on. 'rooster code list' shows all."#
        #expect(run.output == "Imported 1 alarm\nImported the new codes \(codes)\n")
        let advice = "'rooster code enrol LABEL\(option)' enrols one, then 'rooster enable' switches the alarm on.\n"
        #expect(run.errors.hasSuffix("the alarm is off. \(advice)"), "\(run.errors)")
    }

    @Test func import_ofInvalidJSON_isNotSent() throws {
        let server = try CannedService.server()
        let run = try server.rooster("import", "-", input: "{\n  \"alarms\": [,]}")
        #expect(run.exitStatus == 1)
        #expect(run.errors.hasPrefix("rooster: Standard input:2:14: "), "\(run.errors)")
        #expect(server.requests.isEmpty)
        #expect(try server.rooster("import", "/nowhere/a.json").errors.contains("no such file"))
    }

    @Test(arguments: [
        (
            ["--clock", "2024-03-10T01:59:00-05:00", "--speed", "60"],
            #"{"clock":"2024-03-10T01:59:00-05:00","speed":60.0}"#
        ),
        (["--by=-1h"], #"{"by":-3600}"#), (["--by", "90s", "--zone", "Asia/Tokyo"], #"{"by":90,"zone":"Asia/Tokyo"}"#),
        (["--trusted", "no"], #"{"trusted":false}"#), (["--disk", "full"], #"{"disk":"full"}"#),
        (["--camera", "dark", "--show", "milk"], #"{"camera":"dark","show":"milk"}"#),
        (["--show", "nothing"], #"{"show":""}"#), (["--camera", "ok"], #"{"camera":"ok"}"#),
        (["--card", "usb", "--unplug"], #"{"card":{"id":"usb","plugged":false}}"#),
        (["--card", "usb", "--plug", "--fault", "none"], #"{"card":{"id":"usb","fault":"none","plugged":true}}"#),
        (["--card", "usb", "--fault", "hangs"], #"{"card":{"id":"usb","fault":"hangs"}}"#),
        (["--press", "snooze"], #"{"press":"snooze"}"#), (["--press", "stop"], #"{"press":"stop"}"#),
        (["--hold", "60s", "--press", "both"], #"{"press":"both","holdMilliseconds":60000}"#),
        (["--step"], #"{"steps":1}"#), (["--step", "30"], #"{"steps":30}"#), (["--step=2"], #"{"steps":2}"#),
        (["--step", "--by", "9"], #"{"by":9,"steps":1}"#),
        (["--tag", "04a2b3c4d5e6f7"], #"{"tag":"04a2b3c4d5e6f7"}"#),
        (["--tag", "04:A2:B3:c4"], #"{"tag":"04a2b3c4"}"#),
        (["--key", "42"], #"{"key":42}"#), (["--key", "-7"], #"{"key":-7}"#),
    ])
    func bedside_sendsTheEvent(words: [String], fields: String) throws {
        let server = try CannedService.server()
        let run = try server.rooster(["bedside"] + words)
        // Only a change of the clock changes the time.
        let setsTime = words.contains { $0.hasPrefix("--by") || ["--clock", "--speed", "--zone"].contains($0) }
        #expect(run.output == (setsTime ? "Now it is Mon 2026-11-23 23:48\n" : "Done\n"), "\(run.errors)")
        #expect(server.request("simulate") == fields)
    }
}
