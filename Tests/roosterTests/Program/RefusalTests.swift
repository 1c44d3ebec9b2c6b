// The tests of errors of `rooster`: scripts and people rely on the messages and exit statuses.

import Oracles
import Testing

@Suite struct RefusalTests {
    let interval = ["--from", "2026-01-12T00:00:00Z", "--until", "2026-01-13T00:00:00Z"]
    let sound = #"{"id": "s", "time": "07:00", "repeat": "FREQ=DAILY"}"#

    func run(_ arguments: [String], input: String = "") throws -> Program {
        try Program(Program.built("rooster"), arguments, input: input)
    }

    @Test(arguments: [
        (["plam"], #"There is no command "plam". Did you mean 'plan'?"#),
        (["scan"], "FILE is missing"), (["plan", "a", "b"], #"The argument "b" is not expected"#),
        (["plan", "-", "--from"], "--from needs a value"),
        (["plan", "-", "--json", "--json"], "--json is given twice"),
        (["plan", "-", "--jsn"], #"'plan' has no option "--jsn""#),
        (["plan", "-", "--json=yes"], #"'plan' has no option "--json=yes""#),
        (
            ["plan", "-", "--from", "2026-01-12T07:00", "--until", "2026-01-13T00:00:00Z"],
            "--from must be an instant such as 2026-01-12T07:00:00+01:00 or a date, not \"2026-01-12T07:00\""
        ),
        (["plan", "/dev/stdin", "--from=2026-01-13", "--until=2026-01-12"], "--until is before --from"),
        (["sound", "save", "bells01"], "ID or FILE is missing"), (["pause"], "ALARM is missing"),
    ])
    func wrongUsage_exitsWith2_andShowsTheUsage(arguments: [String], reason: String) throws {
        let run = try run(arguments, input: "{}")
        #expect(run.exitStatus == 2)
        #expect(run.output.hasPrefix(#"{"error":{"code":"usage","message":""#) == arguments.contains("--json"))
        #expect(run.output.isEmpty != arguments.contains("--json"))
        #expect(run.complaints.count == 2, "\(run.errors)")
        #expect(run.errors.hasPrefix("rooster: \(reason)"), "\(run.errors)")
        #expect(run.errors.contains("Usage: rooster "))
    }

    /// The error shows the usage of the intended subcommand, or a hint to the help if that is unclear.
    @Test(arguments: [
        (["sound", "save", "bells01"], "rooster sound save ID FILE.wav"),
        (["sound"], "rooster sound … ('rooster sound --help' lists all forms)\n"),
        (["calendar", "delete"], "rooster calendar delete NAME [OPTIONS] ('rooster calendar --help' explains it)\n"),
    ])
    func wrongUsage_showsTheUsageOfTheIntendedCommand(arguments: [String], usage: String) throws {
        #expect(try run(arguments).errors.contains("\nUsage: \(usage)"))
    }

    /// Every error is one JSON object for programs.
    @Test(arguments: [
        (["plan", "/nowhere/a", "--json"], "notFound", "/nowhere/a cannot be read: no such file or directory"),
        (["plan", "/", "--json"], "refused", "/ cannot be read: is a directory"),
        (["frob", "--json"], "usage", #"There is no command \"frob\""#),
        (["plan", "-", "--zone", "Mars/Base", "--json"], "refused", #"--zone: there is no time zone \"Mars/Base\""#),
    ])
    func refusal_isOneJSONObject(arguments: [String], name: String, words: String) throws {
        let run = try run(arguments, input: "{}")
        #expect(run.output.hasPrefix(#"{"error":{"code":"\#(name)","message":"\#(words)"#), "\(run.output)")
        #expect(run.output.hasSuffix("\",\"problems\":[]}}\n") && run.lines.count == 1)
        let behind = try self.run(arguments.dropLast() + ["--", "--json"], input: "{}")
        #expect(behind.output.isEmpty)
    }

    /// Scripts may pass `--socket` to every command, even one without the service.
    @Test func socketOption_isAccepted_byCommandsWithoutAService() throws {
        let run = try run(["--socket", "/nowhere", "plan", "-", "--socket=/s"] + interval, input: "{}")
        #expect(run.exitStatus == 2 && run.errors.hasPrefix("rooster: --socket is given twice"))
        let scratch = try Scratch()
        for words in [["plan", "-"] + interval, ["journal", "check", scratch.path]] {
            let plain = try self.run(words, input: "{}")
            let named = try self.run(["--socket", "/nowhere"] + words, input: "{}")
            #expect(named.output == plain.output && named.errors == plain.errors)
        }
    }

    @Test(arguments: [
        [], ["--help"], ["-h"], ["help"], ["plan", "--help"], ["plan", "-h", "--jsn"], ["help", "plan"],
        ["--socket", "/s", "--help"], ["--socket=/s", "-h"], ["--socket", "/s", "help", "plan"],
    ])
    func help_exitsWith0(arguments: [String]) throws {
        let run = try run(arguments)
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        #expect(run.output.hasPrefix("Usage: rooster \(arguments.contains("plan") ? "plan [FILE]" : "COMMAND")"))
    }

    @Test func textThatIsNotJSON_isRefused_withItsPlace() throws {
        let run = try run(["plan", "-"] + interval, input: "{\"alarms\": [\n  {\"id\": \"a\",}\n]}")
        #expect(run.exitStatus == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("rooster: Standard input:2:14: "), "\(run.errors)")
        #expect(run.complaints.count == 1)
    }

    /// A bad alarm must not silence another one.
    @Test func badAlarm_isRefusedWithEveryReason_whileTheOthersArePlanned() throws {
        let bad = #"{"id": "b", "label": "Bad", "time": "25:00", "weekly": {"tue": "7"}, "snooze": {"max": -1}}"#
        let run = try run(["plan", "-", "--json"] + interval, input: #"{"alarms": [\#(bad), \#(sound)]}"#)
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 1)
        #expect(run.output.contains(#""alarm":"s""#))
        #expect(run.complaints.count == 4)
        for place in ["alarms[0].time: ", "alarms[0].weekly.tue: ", "alarms[0].snooze.max: "] {
            #expect(run.complaints.contains { $0.hasPrefix("rooster: Standard input: \(place)") }, "\(run.errors)")
        }
        let end = #"alarms[0]: "Bad" is left out because of its mistakes"#
        #expect(run.complaints.last == "rooster: Standard input: \(end)")
    }

    /// Unknown fields are kept without an effect, but these are almost certainly typing mistakes.
    @Test func misspeltField_isWarnedOf() throws {
        let alarm = #"{"id": "s", "time": "07:00", "repeet": "FREQ=DAILY", "snooze": {"sceonds": 60}, "owner": "Ann"}"#
        let run = try run(["plan", "-", "--json"] + interval, input: #"{"alarms": [\#(alarm)], "calendar": {}}"#)
        #expect(run.exitStatus == 0)
        #expect(run.lines.count == 1)
        let warnings = [
            #"calendar: is an unknown field: did you mean "calendars"?"#,
            #"alarms[0].snooze.sceonds: is an unknown field: did you mean "seconds"?"#,
            #"alarms[0].repeet: is an unknown field: did you mean "repeat"?"#,
        ]
        #expect(Set(run.complaints) == Set(warnings.map { "rooster: Standard input: warning: \($0)" }))
    }

    @Test func missingZoneData_isNamed_notTakenForUTC() throws {
        let run = try plan(
            #"{"alarms": [\#(sound)]}"#, from: "2026-01-12T00:00:00Z", until: "2026-01-13T00:00:00Z",
            "--zone=Europe/Berlin", environment: ["TZDIR": "/nowhere"])
        #expect(run.exitStatus == 1)
        #expect(run.errors.contains("Europe/Berlin"), "\(run.errors)")
        #expect(run.errors.contains("/nowhere"), "\(run.errors)")
    }

    @Test func unwritableOutput_exitsWith1() throws {
        let command = #"exec "$0" --help >/dev/full"#
        let run = try Program("/bin/sh", ["-c", command, Program.built("rooster")])
        #expect(run.exitStatus == 1)
        #expect(run.errors == "rooster: Standard output cannot be written: no space left on device\n")
    }
}
