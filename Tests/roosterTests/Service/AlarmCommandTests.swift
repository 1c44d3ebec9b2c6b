// The tests of the commands that find, switch, skip, pause and delete alarms.

import Oracles
import ScriptedService
import Testing

@Suite struct AlarmCommandTests {
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
}
