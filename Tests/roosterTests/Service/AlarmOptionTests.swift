// The tests of the options that set and change alarms: requests, output and exit status.

import Oracles
import ScriptedService
import Testing

@Suite struct AlarmOptionTests {
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
        (["7:00", "--no-shake"], #"{"time":"07:00","ring":{"shake":false}}"#),
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
        (["7:00", "--light", "30m"], #"{"time":"07:00","light":1800}"#),
        (["7:00", "--light", "0"], #"{"time":"07:00","light":0}"#),
        (["7:00", "--check", "5/90s"], #"{"time":"07:00","check":{"after":300,"within":90}}"#),
        (["7:00", "--check", "1h"], #"{"time":"07:00","check":{"after":3600}}"#),
        (["7:00", "--check", "none"], #"{"time":"07:00","check":null}"#),
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
            #"{"path":"ring.shake","message":"this device has no shaker, so the alarm only sounds"}"#,
            "--shake: this device has no shaker, so the alarm only sounds. See 'shaker' in /etc/rooster/rooster.conf."
        ),
        (
            #"{"path":"","message":"the ring of 2026-11-24 was put off","code":"postponementEnded"}"#,
            "The ring of 2026-11-24 was put off"
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
}
