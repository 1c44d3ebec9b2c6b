// The tests of the commands that set and change alarms: requests, output and exit status.

import Oracles
import ScriptedService
import Testing

@Suite struct AlarmCommandTests {
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

    /// A misspelt name or option gets a hint.
    @Test(arguments: [
        (["show", "wrok"], "There is no alarm \"wrok\". Did you mean \"Work\"?"),
        (["add", "7:00", "--lable", "x"], "'add' has no option \"--lable\". Did you mean --label?"),
        (["list", "--all"], "'list' has no option \"--all\"\n"),
    ])
    func misspelling_getsAHint(words: [String], reason: String) throws {
        let run = try CannedService.server().rooster(words)
        #expect(run.errors.hasPrefix("rooster: \(reason)"), "\(run.errors)")
    }

    @Test(arguments: [("Europe/Berln", "Did you mean Europe/Berlin?"), ("tokyo", "Did you mean Asia/Tokyo?")])
    func misspeltZone_getsAHint(zone: String, hint: String) throws {
        let refused = #"{"ok":false,"reason":"problems","message":"","problems":["zone: there is no time zone x"]}"#
        let run = try CannedService.server(["configure": refused]).rooster("settings", "--zone", zone)
        #expect(run.errors.contains(hint), "\(run.errors)")
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

    @Test(arguments: [
        ("6f9619ff-8b86-d011", true), ("6F9619FF-8B86-d011", true), ("6f961", true), ("WORK", true), (" work ", true),
        ("6f9", false), ("6f96", false), ("Wor", false), ("nobody", false), ("", false), ("1", false),
    ])
    func alarm_isFound_byIdPrefixOrLabel(name: String, isFound: Bool) throws {
        let server = try CannedService.server()
        let run = try server.rooster("disable", name)
        #expect(run.exitStatus == (isFound ? 0 : 1), "\(run.errors)")
        #expect(server.request("enable") == (isFound ? #"{"alarm":"6f9619ff-8b86-d011","on":false}"# : nil))
        guard !isFound else { return }
        #expect(run.complaints.count == 1)
        let reason =
            name == "6f96"
            ? "may mean any of 2 alarms. Name one by its id: Work (6f9619ff, 07:00 weekdays), Pills (6f96aaaa, 21:30 "
            : "There is no alarm"
        #expect(run.errors.contains(reason), "\(run.errors)")
        #expect(run.errors.contains("An id needs at least four letters") == (name == "6f9"))
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

    @Test(arguments: [
        (["7:00"], #"{"time":"07:00"}"#),
        (
            ["7:00", "weekdays", "--label", "Work", "--sound", "bells01", "--math", "3"],
            #"{"time":"07:00","date":null,"repeat":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR","start":null,"label":"Work","#
                + #""ring":{"sound":"bells01"},"challenges":[{"kind":"math","count":3}]}"#
        ),
        (["7:15", "2026-12-24"], #"{"time":"07:15","date":"2026-12-24","repeat":null,"start":null}"#),
        (["7:00", "tomorrow"], #"{"time":"07:00","repeat":null,"start":null},"daysAhead":1"#),
        (
            ["7:00", "today", "--zone", "Asia/Tokyo"],
            #"{"time":"07:00","repeat":null,"start":null,"zone":"Asia/Tokyo"},"daysAhead":0"#
        ),
        (
            ["7:00", "--snooze", "5", "--snoozes", "none", "--late", "2h", "--ramp", "1min", "--for", "10"],
            #"{"time":"07:00","snooze":{"seconds":300,"max":0},"late":7200,"ring":{"ramp":60,"for":600}}"#
        ),
        (
            ["7:00", "--escalate", "2=bells01,10min=horn01"],
            #"{"time":"07:00","escalate":[{"after":120,"sound":"bells01"},{"after":600,"sound":"horn01"}]}"#
        ),
        (
            ["7:00", "--shake", "--sound", "none", "--escalate", "2=shaker,3=horn01+shaker"],
            #"{"time":"07:00","ring":{"shake":true,"sound":"none"},"escalate":[{"after":120,"shaker":true},"#
                + #"{"after":180,"sound":"horn01","shaker":true}]}"#
        ),
        (["7:00", "--escalate", "none"], #"{"time":"07:00","escalate":[]}"#),
        (["7:00", "--escalate", "usual"], #"{"time":"07:00","escalate":null}"#),
        (
            ["7:00", "--rounds", "5", "--rest", "10min"], #"{"time":"07:00","ring":{"rounds":5,"rest":600}}"#
        ),
        (
            ["7:00", "--snooze", "90s", "--snoozes", "unlimited"],
            #"{"time":"07:00","snooze":{"seconds":90,"max":null}}"#
        ),
        (["in", "20", "min"], #"{},"delaySeconds":1200"#),
        (["in", "20min", "--zone", "Asia/Tokyo"], #"{"zone":"Asia/Tokyo"},"delaySeconds":1200"#),
        (
            ["--on", "tue=7.45,fri=off,sat,sun=9h30"],
            #"{"weekly":{"tue":"07:45","fri":"off","sat":"09:30","sun":"09:30"}}"#
        ),
        (["7:00", "--volume", "50%"], #"{"time":"07:00","ring":{"volume":0.5}}"#),
        (
            ["7:00", "--code", "bath", "--math", "2:3", "--code", "hall", "--tag", "door"],
            #"{"time":"07:00","challenges":[{"kind":"qr","codes":["bath","hall"]},"#
                + #"{"kind":"math","count":2,"level":3},{"kind":"tag","tags":["door"]}]}"#
        ),
        (
            ["7:00", "--steps", "40", "--pattern", "6"],
            #"{"time":"07:00","challenges":[{"kind":"steps","count":40},{"kind":"pattern","length":6}]}"#
        ),
        (
            ["7:00", "--math", "3:2", "--limit", "2min"],
            #"{"time":"07:00","challenges":[{"kind":"math","count":3,"level":2,"limit":120}]}"#
        ),
        (
            ["7:00", "--roulette", "math=3:2", "--roulette", "code=bath=room", "--roulette=steps=40"],
            #"{"time":"07:00","challenges":[{"kind":"roulette","of":[{"kind":"math","count":3,"level":2},"#
                + #"{"kind":"qr","codes":["bath=room"]},{"kind":"steps","count":40}]}]}"#
        ),
        (["7:00", "--no-challenges"], #"{"time":"07:00","challenges":[]}"#),
        (
            ["--on", "sat,sun=9:00", "--on", "2026-12-24=off", "--off"],
            #"{"weekly":{"sat":"09:00","sun":"09:00"},"dates":{"2026-12-24":"off"},"enabled":false}"#
        ),
        (
            ["--days", "school", "7am", "--note", "-", "--category=Home"],
            #"{"time":"07:00","days":"school","note":"-","category":"Home"}"#
        ),
        (["7:00", "--notice", "7d,24h,30M"], #"{"time":"07:00","notices":["7d","24h","30m"]}"#),
        (["7:00", "--notice", "none"], #"{"time":"07:00","notices":[]}"#),
    ])
    func add_sendsTheGivenFields(words: [String], alarm: String) throws {
        let server = try CannedService.server()
        let run = try server.rooster(["add"] + words)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(server.request("add") == #"{"alarm":\#(alarm)}"#)
    }

    @Test func add_printsTheNextRing_andWarnings() throws {
        let warned = CannedService.saved.replacing(
            "[]", with: #"["ring.volume: must be louder","label: another alarm is called \"Work\""]"#)
        let server = try CannedService.server(["add": warned])
        let run = try server.rooster("add", "7:00", "weekdays", "--label", "Work")
        #expect(run.output == "Added Work (6f9619ff), 07:00 weekdays: rings in 7 h 12 min, Tue 07:00\n")
        #expect(
            run.errors == """
                rooster: warning: --volume must be louder
                rooster: warning: --label: another alarm is called "Work"

                """)
        // One round trip.
        #expect(server.requests.count == 1)
        let json = try server.rooster("add", "7:00", "--json")
        #expect(json.output.hasSuffix(#"\"Work\""}]}"# + "\n"))
        #expect(json.errors.isEmpty)
    }

    /// A warning names the option or the member, and the command that shows more.
    @Test(arguments: [
        (
            #"{"path":"","message":"no speaker works now, so the alarm may be silent","code":"noSpeaker"}"#,
            "No speaker works now, so the alarm may be silent. 'rooster speakers' shows each."
        ),
        (
            #"{"path":"challenges[0]","message":"the camera does not work now","code":"brokenPart"}"#,
            "--code: the camera does not work now. 'rooster doctor' shows why."
        ),
        (
            #"{"path":"dates.2026-12-24","message":"has its own time, 09:00, but is skipped","code":"ownTimeOnDayOff"}"#,
            "2026-12-24 has its own time, 09:00, but is skipped"
        ),
        (
            #"{"path":"pause","message":"the alarm has no day left","code":"noRing"}"#, "The alarm has no day left"
        ),
    ])
    func warning_ofAnAlarm_isASentence(warning: String, text: String) throws {
        let server = try CannedService.server([
            "add": CannedService.saved.replacing(#""warnings":[]"#, with: #""warnings":[\#(warning)]"#)
        ])
        let run = try server.rooster("add", "7:00", "--code", "bath")
        #expect(run.errors == "rooster: warning: \(text)\n")
    }

    @Test func limit_withoutSums_isWrongUsage() throws {
        let server = try CannedService.server()
        #expect(try server.rooster("add", "7:00", "--limit", "90").exitStatus == 2)
        #expect(try server.rooster("edit", "pills", "--limit", "90").exitStatus == 2)
        for choice in ["math", "math=", "sums=3", "steps=many", "roulette=math"] {
            #expect(try server.rooster("add", "7:00", "--roulette", choice).exitStatus == 2, "\(choice)")
        }
    }

    @Test(
        arguments: [
            (["7:00"], #"{"time":"07:00"}"#),
            (["in", "8h"], #"{},"delaySeconds":28800"#),
            (["weekends"], #"{"date":null,"repeat":"FREQ=WEEKLY;BYDAY=SA,SU","start":null}"#),
            (["--sound", "tone01", "--volume", "1"], #"{"ring":{"sound":"tone01","volume":1.0}}"#),
            (["--on", "tue=usual", "--on", "fri=8:00"], #"{"weekly":{"tue":null,"fri":"08:00"}}"#),
            // The other settings of the alarm's sums are kept.
            (
                ["--math", "5"],
                #"{"challenges":[{"kind":"qr","codes":["bathroom"]},"#
                    + #"{"kind":"math","level":2,"count":5,"limit":60,"mood":"grim"}]}"#
            ),
            (["--no-math"], #"{"challenges":[{"kind":"qr","codes":["bathroom"]}]}"#),
            (
                ["--limit", "90"],
                #"{"challenges":[{"kind":"qr","codes":["bathroom"]},"#
                    + #"{"kind":"math","level":2,"count":3,"limit":90,"mood":"grim"}]}"#
            ),
            (
                ["--no-code", "--no-math", "--steps", "20", "--no-zone", "--no-days"],
                #"{"zone":null,"days":null,"challenges":[{"kind":"steps","count":20}]}"#
            ),
            (["--no-challenges"], #"{"challenges":[]}"#),
            // Null has a meaning here and is kept.
            (["--snoozes", "unlimited", "--snooze", "5"], #"{"snooze":{"max":null,"seconds":300}}"#),
        ])
    func edit_sendsOnlyTheGivenFields(words: [String], changes: String) throws {
        let server = try CannedService.server()
        let run = try server.rooster(["edit", "work"] + words)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("Work, "))
        #expect(run.output.hasSuffix(": rings in 7 h 12 min, Tue 07:00\n"))
        #expect(server.request("edit") == #"{"alarm":"6f9619ff-8b86-d011","changes":\#(changes)}"#)
    }

    /// The owner has not seen the file, so the message names the option and a command as a remedy.
    @Test(arguments: [
        (
            ["enable", "work"], #"challenges[0].codes: no code named \"hall\" is enrolled"#,
            #"No code named "hall" is enrolled. 'rooster code enrol LABEL' enrols one, 'rooster edit Work --code LABEL' chooses another."#
        ),
        (
            ["enable", "work"], #"challenges[1].tags: no tag named \"key\" is enrolled"#,
            #"No tag named "key" is enrolled. 'rooster code enrol LABEL --tag' enrols one, 'rooster edit Work --tag LABEL' chooses another."#
        ),
        (
            ["enable", "work"], "challenges[0]: this device has no camera",
            "This device has no camera. 'rooster edit Work --no-code' removes this challenge."
        ),
        (
            ["enable", "work"], "challenges[1]: asks for the same as challenges[0]",
            "Its tag challenge asks for the same as another one. 'rooster edit Work --no-tag' removes this challenge."
        ),
        (
            ["enable", "work"], "challenges[0].limit: must be between 15 and 300 seconds, not 5",
            "The limit of its code challenge must be between 15 s and 5 min, not 5 s. "
                + "'rooster edit Work --code …' corrects it."
        ),
        (
            ["enable", "work"], "ring.volume: must be louder",
            "--volume must be louder. 'rooster edit Work --volume …' corrects it."
        ),
        // The service reports the file's seconds, but the owner typed minutes.
        (
            ["edit", "work", "--late", "9999"], "late: must be between 0 and 43200 seconds, not 599940",
            "--late must be between 0 s and 12 h, not 9999 min"
        ),
        (
            ["edit", "work", "--for", "99h"], "ring.for: 356400 is not between 1 and 43200 seconds",
            "--for: 99h is not between 1 s and 12 h"
        ),
        (
            ["edit", "work", "--rest", "31"], "ring.rest: must be between 60 and 1800 seconds, not 1860",
            "--rest must be between 1 min and 30 min, not 31 min"
        ),
        (
            ["edit", "work", "--ramp", "700"], "ring.ramp: must be between 0 and 600 seconds, not 700",
            "--ramp must be between 0 s and 10 min, not 700 s"
        ),
        (
            ["edit", "work", "--snooze", "120"],
            "snooze.seconds: this device snoozes for 300 to 3600 seconds, so it will be 3600",
            "--snooze: this device snoozes for 5 min to 1 h, so it will be 1 h"
        ),
        // A message about a missing code, tag, calendar or device names a remedy.
        (
            ["add", "7:00", "--code", "attic"], #"challenges[0].codes: no code named \"attic\" is enrolled"#,
            #"--code: no code named "attic" is enrolled. 'rooster code enrol LABEL' enrols one, 'rooster code list' shows all."#
        ),
        (
            ["add", "7:00", "--tag", "attic"], #"challenges[0].tags: no tag named \"attic\" is enrolled"#,
            #"--tag: no tag named "attic" is enrolled. 'rooster code enrol LABEL --tag' enrols one, 'rooster code list' shows all."#
        ),
        (
            ["add", "7:00", "--days", "x"], #"days: there is no calendar \"x\""#,
            #"--days: there is no calendar "x". 'rooster calendar' lists all."#
        ),
        (
            ["add", "7:00", "--steps", "30"], "challenges[0]: this device has no step sensor",
            "--steps: this device has no step sensor. See 'steps' in /etc/rooster/rooster.conf."
        ),
        (
            ["add", "7:00", "--pattern", "5"], "challenges[0]: this device does not have both buttons",
            "--pattern: this device does not have both buttons. See 'buttons' in /etc/rooster/rooster.conf."
        ),
    ])
    func problem_isReportedByItsOption(words: [String], problem: String, said: String) throws {
        let refused = #"{"ok":false,"reason":"problems","message":"x","problems":["\#(problem)"]}"#
        let sums = #"{"kind":"math","level":2,"count":3,"limit":60,"mood":"grim"}"#
        let alarms = CannedService.alarms.replacing(sums, with: #"{"kind":"tag","tags":["key"]}"#)
        let server = try CannedService.server([words[0]: refused, "alarms": alarms])
        #expect(try server.rooster(words).errors == "rooster: \(said)\n")
    }

    @Test func enableAndDisable_printTheNewState() throws {
        let server = try CannedService.server()
        let on = try server.rooster("enable", "pills")
        #expect(on.output == "Pills is on: rings in 7 h 12 min, Tue 07:00\n")
        #expect(server.request("enable") == #"{"alarm":"6f96aaaa-1111","on":true}"#)
        #expect(try server.rooster("disable", "pills").output == "Pills is off\n")
        #expect(server.request("enable") == #"{"alarm":"6f96aaaa-1111","on":false}"#)
        let warned = CannedService.saved.replacing("[]", with: #"["ring.volume: must be louder"]"#)
        let quiet = try CannedService.server(["enable": warned]).rooster("enable", "pills")
        #expect(
            quiet.errors == "rooster: warning: --volume must be louder. 'rooster edit Pills --volume …' corrects it.\n")
    }

    @Test func changeOfARingingAlarm_warnsThatTheRingContinues() throws {
        let open = CannedService.outcome(open: true)
        let server = try CannedService.server(["delete": open, "enable": open])
        let ringsOn = "Its ring goes on: 'rooster stop' ends it, or begins its challenges.\n"
        #expect(try server.rooster("delete", "work").output == "Deleted Work (weekdays). \(ringsOn)")
        #expect(try server.rooster("disable", "work").output == "Work is off. \(ringsOn)")
    }

    @Test func delete_printsTheDeletedAlarm() throws {
        let server = try CannedService.server()
        let run = try server.rooster("delete", "work")
        #expect(run.output == "Deleted Work (weekdays)\n")
        #expect(server.request("delete") == #"{"alarm":"6f9619ff-8b86-d011"}"#)
        for other in ["rm", "del"] { #expect(try server.rooster(other, "work").output == run.output) }
        #expect(try server.rooster("ls").output == server.rooster("list").output)
        #expect(try server.rooster("rm", "work", "--json").output.hasPrefix(#"{"id":"6f9619ff-8b86-d011","#))
    }

    /// Without a date the service chooses one, so the message must name the skipped date.
    @Test func skip_printsTheSkippedDay() throws {
        let later = CannedService.saved.replacing("2026-11-24T0", with: "2026-11-25T0").replacing(
            #""ok":true"#, with: #""ok":true,"date":"2026-11-24""#)
        let server = try CannedService.server(["skip": later])
        let run = try server.rooster("skip", "work")
        #expect(
            run.output == "Work skips Tue 2026-11-24. It rings in 31 h 12 min, Wed 07:00.\n",
            "\(run.errors)")
        #expect(server.request("skip") == #"{"alarm":"6f9619ff-8b86-d011"}"#)
        _ = try server.rooster("skip", "work", "2026-11-24")
        #expect(server.request("skip") == #"{"alarm":"6f9619ff-8b86-d011","date":"2026-11-24"}"#)
        _ = try server.rooster("skip", "work", "tomorrow")
        #expect(server.request("skip") == #"{"alarm":"6f9619ff-8b86-d011","date":"2026-11-24"}"#)
        #expect(try server.rooster("skip", "work", "soon").exitStatus == 2)
        let nothing = try server.rooster("skip", "pills")
        #expect(nothing.exitStatus == 1)
        #expect(nothing.errors == "rooster: Pills is off: there is no ring to skip\n")
        let off = try server.rooster("unskip", "pills")
        #expect(off.output == "Pills is off: 'rooster enable Pills' switches it on\n")
        let unskipped = try server.rooster("unskip", "work").output
        #expect(unskipped == "Work had no skip. Work rings in 7 h 12 min, Tue 07:00.\n")
    }

    @Test(arguments: [
        ("1h", #""seconds":3600"#), ("90min", #""seconds":5400"#), ("1h30", #""seconds":5400"#),
        ("tomorrow", #""days":1"#), ("3d", #""days":3"#), ("1week", #""days":7"#), ("2weeks", #""days":14"#),
    ])
    func postpone_sendsTheLength(word: String, members: String) throws {
        let server = try CannedService.server(["postpone": CannedService.saved])
        let run = try server.rooster("postpone", "work", word)
        #expect(run.output == "Work is put off. It rings in 7 h 12 min, Tue 07:00.\n", "\(run.errors)")
        #expect(server.request("postpone") == #"{"alarm":"6f9619ff-8b86-d011",\#(members)}"#)
    }

    @Test func done_namesTheRing() throws {
        let ring =
            #"{"at":"2026-01-12T06:00:00Z","local":"2026-01-12T07:00:00+01:00","alarm":"6f9619ff-8b86-d011","#
            + #""label":"Work","ended":"missed","end":"2026-01-12T07:00:00Z","endLocal":"2026-01-12T08:00:00+01:00","#
            + #""snoozes":0,"challenges":[],"unheard":false,"shaken":false}"#
        let saved = CannedService.saved.dropLast() + ",\"done\":\(ring)}"
        let run = try CannedService.server(["done": String(saved)]).rooster("done", "work")
        #expect(run.output == "Work (Mon 2026-01-12 07:00) is done. It rings in 7 h 12 min, Tue 07:00.\n")
    }

    @Test(arguments: ["1", "soon", "1y", "1000d"])
    func postpone_refusesOtherLengths(word: String) throws {
        let run = try CannedService.server().rooster("postpone", "work", word)
        #expect(run.exitStatus == 2)
        #expect(run.errors.contains("LENGTH must be such as 1h, 90min, tomorrow, 3d or 1week, not \"\(word)\""))
    }

    @Test func pause_sendsItsDates_andCanEnd() throws {
        let server = try CannedService.server()
        let run = try server.rooster("pause", "work", "2026-12-21/2027-01-03", "2027-02-01")
        #expect(
            run.output
                == "Work is paused on 2026-12-21 to 2027-01-03, 2027-02-01. It rings in 7 h 12 min, Tue 07:00.\n")
        #expect(
            server.request("pause")
                == #"{"alarm":"6f9619ff-8b86-d011","dates":["2026-12-21/2027-01-03","2027-02-01"]}"#)
        #expect(try server.rooster("pause", "work", "--end").output.hasPrefix("Work was not paused. "))
        #expect(server.request("pause") == #"{"alarm":"6f9619ff-8b86-d011","dates":[]}"#)
        _ = try server.rooster("pause", "work", "today", "tomorrow/2026-12-01")
        #expect(
            server.request("pause")
                == #"{"alarm":"6f9619ff-8b86-d011","dates":["2026-11-23","2026-11-24/2026-12-01"]}"#)
        let single = #"{"id":"7b","label":"Over","time":"05:00","date":"2026-12-20"}"#
        let once = try CannedService.server([
            "alarms": #"{"ok":true,"alarms":[{"alarm":\#(single),"next":null,"days":"","locked":false}]}"#,
            "pause": CannedService.outcome("7b"),
        ])
        #expect(
            try once.rooster("pause", "over", "2026-12-20").output == "Over is paused on 2026-12-20, its only day\n")
        let backwards = try server.rooster("pause", "work", "2027-01-03/2026-12-21")
        #expect(backwards.errors.contains("\"2027-01-03/2026-12-21\" ends before it begins"), "\(backwards.errors)")
    }
}
