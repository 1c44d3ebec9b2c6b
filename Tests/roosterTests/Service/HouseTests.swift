// The tests of the owner's choices for the whole house: defaults of new alarms, hours, reset.

import Oracles
import ScriptedService
import Testing

@Suite struct HouseTests {
    private static let settings = #"""
        {"ok":true,"settings":{"hours":12,"preflight":"21:00","defaults":{"ring":{"volume":0.5,"shake":true},
        "escalate":[{"after":120,"shaker":true}],"check":{"after":300},"light":600,
        "snooze":{"seconds":600,"max":1},"challenges":[{"kind":"qr","codes":["hall"]},{"kind":"math","count":2}]}},
        "revision":"1"}
        """#.replacing("\n", with: "")

    private func server(_ others: [String: String] = [:]) throws -> MockServer {
        let house = ["settings": Self.settings, "configure": Self.settings, "resetSettings": Self.settings]
        return try CannedService.server(house.merging(others) { $1 })
    }

    @Test func defaults_areShown() throws {
        let run = try server().rooster("defaults")
        #expect(
            run.output == """
                sound       chimes01, up to 50 % within 30 s
                shaker      shakes the bed while it rings
                light       rises for 10 min before each ring
                escalates   shaker after 2 min
                rings for   30 min at a time, 3 times, with 5 min of rest between
                snooze      once, 10 min
                to stop it  show the camera the code "hall"
                then        solve 2 sums of level 1
                check       5 min after the challenges; rings again if nobody answers within 3 min

                """, "\(run.errors)")
        let json = try server().rooster("defaults", "--json").output
        #expect(json.hasPrefix(#"{"ring":{"sound":"chimes01","volume":0.5,"#), "\(json)")
    }

    @Test(arguments: [
        (["--volume", "60%", "--snooze", "5"], #"{"ring":{"volume":0.6},"snooze":{"seconds":300}}"#),
        // The challenges are sent as a whole.
        (
            ["--math", "4", "--no-code"],
            #"{"challenges":[{"kind":"math","level":1,"count":4,"limit":60}]}"#
        ),
        (["--no-challenges"], #"{"challenges":[]}"#), (["--reset"], "null"),
        (
            ["--shake", "--check", "5min/1min", "--light", "30", "--escalate", "none"],
            #"{"ring":{"shake":true},"check":{"after":300,"within":60},"light":1800,"escalate":[]}"#
        ),
        (["--no-shake", "--check", "none"], #"{"ring":{"shake":false},"check":null}"#),
    ])
    func defaults_areChanged(words: [String], changes: String) throws {
        let server = try server()
        let run = try server.rooster(["defaults"] + words)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(server.request("configure") == #"{"changes":{"defaults":\#(changes)}}"#)
    }

    /// A problem of a default names the option that sets it.
    @Test func problemOfADefault_namesItsOption() throws {
        let problems = [
            (#"{"path":"defaults.ring.volume","message":"must be louder"}"#, "--volume must be louder"),
            (#"{"path":"defaults.challenges[0].level","message":"must be less"}"#, "The level of --math must be less"),
        ]
        for (problem, text) in problems {
            let refusal = #"{"ok":false,"error":{"code":"problems","message":"x","problems":[\#(problem)]}}"#
            let server = try server([
                "settings": #"{"ok":true,"settings":{},"revision":"1"}"#, "configure": refusal,
            ])
            let run = try server.rooster("defaults", "--volume", "1%", "--math", "2:9")
            #expect(run.errors == "rooster: \(text)\n")
        }
    }

    @Test(arguments: [
        (
            "22:30",
            #"{"mon":"22:30","tue":"22:30","wed":"22:30","thu":"22:30","fri":"22:30","sat":"22:30","sun":"22:30"}"#
        ),
        ("fri,sat=11:30pm", #"{"fri":"23:30","sat":"23:30"}"#),
        ("off,sun=22:00", #"{"mon":null,"tue":null,"wed":null,"thu":null,"fri":null,"sat":null,"sun":"22:00"}"#),
        ("none,sun=22:00", #"{"mon":null,"tue":null,"wed":null,"thu":null,"fri":null,"sat":null,"sun":"22:00"}"#),
        ("sat=none", #"{"sat":null}"#),
    ])
    func bedtime_isSetByWeekday(text: String, changes: String) throws {
        let settings = #"{"bedtime":{"mon":"22:30","tue":"22:30","fri":"23:30"},"bedtimeChime":true}"#
        let server = try CannedService.server([
            "settings": #"{"ok":true,"settings":\#(settings)}"#, "configure": #"{"ok":true,"settings":\#(settings)}"#,
        ])
        let run = try server.rooster("settings", "--bedtime", text)
        #expect(server.request("configure") == #"{"changes":{"bedtime":\#(changes)}}"#)
        #expect(run.output.contains("Mon, Tue 22:30, Fri 23:30, with a chime"), "\(run.output)")
    }

    @Test(arguments: ["22:3x", "fri", "", "fri=", "22:30,23:30"])
    func otherBedtimes_areWrongUsage(text: String) throws {
        #expect(try CannedService.server().rooster("settings", "--bedtime", text).exitStatus == 2)
    }

    @Test func owner_goesToBed() throws {
        let server = try CannedService.server(["inBed": #"{"ok":true}"#])
        #expect(try server.rooster("in-bed").output == "Good night: the hours in bed count from now\n")
        #expect(server.request("inBed") == "{}")
    }

    @Test func settings_areReset_alone() throws {
        let server = try server()
        #expect(try server.rooster("settings", "--reset").exitStatus == 0)
        #expect(server.request("resetSettings") == "{}")
        #expect(try server.rooster("settings", "--reset", "--lock", "5").exitStatus == 2)
        #expect(try server.rooster("defaults", "--reset", "--volume", "1").exitStatus == 2)
        #expect(try server.rooster("settings", "--hours", "12").exitStatus == 0)
        #expect(server.request("configure") == #"{"changes":{"hours":12}}"#)
        #expect(try server.rooster("settings", "--hours", "13").exitStatus == 2)
    }

    @Test func twelveHours_areShownEverywhere() throws {
        let device = CannedService.device().dropLast() + #","hours":12}"#
        let server = try server([
            "status": CannedService.status().replacing(#""enabled":true,"#, with: #""enabled":true,"hours":12,"#),
            "add": CannedService.saved.replacing(CannedService.device(), with: String(device)),
            "history": #"{"ok":true,"success":null,"history":[{"alarm":"a","label":"Tea","at":"2026-11-23T06:00:00Z","#
                + #""local":"2026-11-23T07:00:00+01:00","ended":"dismissed","end":"2026-11-23T06:10:00Z","#
                + #""endLocal":"2026-11-23T07:10:00+01:00","snoozes":0,"challenges":[],"unheard":false}]}"#,
        ])
        let list = try server.rooster("list").output
        #expect(list.contains("7:00 am"), "\(list)")
        #expect(list.contains("9:30 pm"), "\(list)")
        #expect(list.contains("Tue 7:00 am, locked"), "\(list)")
        let status = try server.rooster("status").output
        #expect(status.contains("Mon 2026-11-23 11:48:00 pm"), "\(status)")
        #expect(status.contains("rings in 7 h 12 min, Tue 7:00 am"), "\(status)")
        #expect(try server.rooster("add", "7:00").output.contains("7:00 am once: rings in 7 h 12 min, Tue 7:00 am"))
        #expect(try server.rooster("show", "pills").output.contains("9:30 pm"))
        #expect(try server.rooster("history").output.hasPrefix("Mon 2026-11-23 7:00 am  Tea"))
        #expect(try server.rooster("settings").output.contains("9:00 pm"))
    }

    @Test func plan_ofTheService_hasDaysWithoutARing() throws {
        let instead = #""at":"2026-11-27T06:00:00Z","local":"2026-11-27T07:00:00+01:00","layer":"base""#
        let tuesday = CannedService.workRing.dropLast(#""layer":"base"}"#.count)
        let server = try server([
            "plan": #"{"ok":true,"rings":[\#(tuesday)"layer":"weekly","insteadOf":{\#(instead)}}],"leftOut":["#
                + #"{"date":"2026-11-27","alarm":"6f9619ff-8b86-d011","label":"Work","reason":"skip","instead":{\#(instead)}},"#
                + #"{"date":"2026-11-28","alarm":"6f9619ff-8b86-d011","label":"Work","reason":"off"},"#
                + #"{"date":"2026-11-26","alarm":"6f9619ff-8b86-d011","label":"Work","reason":"pause"}]}"#
        ])
        let run = try server.rooster("plan")
        #expect(
            run.output == """
                Tue 2026-11-24 07:00  Work  (Tue has its own time, instead of 07:00)
                Thu 2026-11-26 –  Work  (paused)
                Fri 2026-11-27 –  Work  (skipped, instead of 07:00)

                """, "\(run.errors)")
        #expect(
            server.request("plan") == #"{"until":"2026-11-30T22:48:00Z","from":"2026-11-23T22:48:00Z"}"#)
        #expect(try server.rooster("plan", "--json").lines.count == 4)
        #expect(try server.rooster("plan", "--zone", "UTC").exitStatus == 2)
    }
}
