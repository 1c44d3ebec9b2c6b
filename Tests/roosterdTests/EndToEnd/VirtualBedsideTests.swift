// The tests that `roosterd --simulate` carries out every option that `rooster bedside` documents.

import Alarms
import Fixtures
import Foundation
import Oracles
import Testing

@Suite struct VirtualBedsideTests {
    /// Every documented option with each of its named values, in a valid order, and the expected output.
    private static let runs: [(arguments: [String], says: String)] = [
        (["--clock", "2024-03-10T01:59:00-05:00"], "Now it is Sun 2024-03-10 01:59"),
        (["--clock", "2024-03-09T16:00:00"], "Now it is Sat 2024-03-09 16:00"),
        (["--clock", "2024-03-10T02:30"], "Now it is Sun 2024-03-10 03:30"),
        (["--by", "8h"], "Now it is Sun 2024-03-10 11:30"), (["--by=-1h"], "Now it is Sun 2024-03-10 10:30"),
        (["--trusted", "no"], ""), (["--trusted", "yes"], ""),
        (["--card", "Speaker", "--unplug"], ""), (["--card", "Speaker", "--plug", "--fault", "stalls"], ""),
        (["--card", "Speaker", "--fault", "breaks"], ""), (["--card", "Speaker", "--fault", "refuses"], ""),
        (["--card", "Speaker", "--fault", "hangs"], ""), (["--card", "Speaker", "--fault", "none"], ""),
        (["--disk", "full"], ""), (["--disk", "failing"], ""), (["--disk", "ok"], ""),
        (["--camera", "dark"], ""), (["--camera", "blur"], ""), (["--camera", "freeze"], ""),
        (["--camera", "cut"], ""),
        (["--camera", "unplugged"], ""), (["--camera", "ok", "--show", "milk"], ""), (["--show", "nothing"], ""),
        (["--press", "snooze"], ""), (["--press", "both", "--hold", "1s"], ""), (["--step", "2"], ""),
        (["--tag", "04A2B3C4"], ""), (["--key", "7"], ""), (["--speed", "2"], ""), (["--zone", "Asia/Tokyo"], ""),
    ]

    private func bedside(_ daemon: DaemonFixture, _ arguments: [String]) throws -> Program {
        try Program(
            Program.built("rooster"), ["bedside"] + arguments,
            environment: ["ROOSTER_SOCKET": daemon.socket, "TZDIR": "/usr/share/zoneinfo"])
    }

    @Test func everyDocumentedOption_isAccepted() throws {
        let scratch = try Scratch()
        let file = try scratch.file("rooster.conf", holding: PeripheralDaemonTests.configuration)
        let daemon = try DaemonFixture(scratch.path, configuration: file.path)
        for (arguments, says) in Self.runs {
            let run = try bedside(daemon, arguments)
            #expect(run.exitStatus == 0, "\(arguments): \(run.errors)")
            #expect(run.output.hasPrefix(says), "\(arguments): \(run.output)")
        }
        let help = try Program(Program.built("rooster"), ["bedside", "--help"]).output
        let words: [Substring] = help.split { !$0.isLetter && $0 != "-" }
        let documented: Set<String> = Set(words.filter { $0.hasPrefix("--") }.map(String.init))
        let options: [String] = Self.runs.flatMap(\.arguments).filter { $0.hasPrefix("--") }
        let given: Set<String> = Set(options.map { String($0.prefix { $0 != "=" }) })
        #expect(given == documented.subtracting(["--simulate", "--json", "--socket"]))
    }

    /// The configuration also applies to simulated devices.
    @Test func bedsideWithoutACamera_refusesAScan() throws {
        let scratch = try Scratch()
        let file = try scratch.file("rooster.conf", holding: "camera: { use = false; };\n")
        let daemon = try DaemonFixture(scratch.path, configuration: file.path)
        let refused = try daemon.client().ask(#"{"do":"enrol","label":"bathroom"}"#)
        #expect(refused["error.code"] == .string("noCamera"))
        for arguments in [["--show", "milk"], ["--camera", "ok"]] {
            let run = try bedside(daemon, arguments)
            #expect(run.exitStatus == 1)
            #expect(run.errors.contains("needs a camera"), "\(run.errors)")
        }
    }

    @Test func localTime_isInTheZoneOfTheService() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let set = #"{"do":"configure","changes":{"zone":"Asia/Tokyo"}}"#
        #expect(try daemon.client().ask(set)["ok"] == .bool(true))
        let run = try bedside(daemon, ["--clock", "2024-03-11T07:00:00"])
        #expect(run.output.hasPrefix("Now it is Mon 2024-03-11 07:00"), "\(run.output)\(run.errors)")
        let status = try daemon.client().ask(#"{"do":"status"}"#)
        guard case .string(let now)? = status["status.now"] else { throw Client.Gone() }
        #expect(now.hasPrefix("2024-03-10T22:00:"))
    }

    /// The service must refuse a change that it cannot make, and no number may crash it.
    @Test func impossibleOptions_areRefused() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        func hour() throws -> Substring? {
            guard case .string(let local)? = try client.ask(#"{"do":"status"}"#)["status.local"] else { return nil }
            return local.prefix(13)
        }
        let before = try hour()
        for members in [
            #""zone":"Mars/Base""#, #""speed":1000000000"#, #""speed":0"#, #""speed":0.001"#,
            #""by":3600,"zone":"Mars/Base""#, #""by":-9223372036854775808"#, #""by":9223372036854775807"#, #""by":1.5"#,
        ] {
            #expect(
                try client.ask("{\"do\":\"simulate\",\(members)}")["error.code"] == .string("malformed"),
                "\(members)")
        }
        #expect(try client.ask(#"{"do":"status"}"#)["status.zone"] == .string("America/New_York"))
        // A refused change must not be made in part.
        #expect(try hour() == before)
    }

    /// The emergency exit takes a minute of the simulated clock, and a held button follows a later speed.
    @Test func holds_followTheSimulatedClock() throws {
        let scratch = try Scratch()
        let file = try scratch.file("rooster.conf", holding: PeripheralDaemonTests.configuration)
        let daemon = try DaemonFixture(scratch.path, configuration: file.path)
        let client = try daemon.client()
        func ring(_ id: String) throws {
            let alarm = #"{"id":"\#(id)","label":"\#(id)","challenges":[{"kind":"math"}]}"#
            try client.ask(#"{"do":"add","alarm":\#(alarm),"delaySeconds":2}"#)
            try daemon.follow { $0["sessions.0.alarm"] == .string(id) }
        }
        try ring("held")
        _ = try bedside(daemon, ["--press", "both", "--hold", "80s"])
        _ = try bedside(daemon, ["--speed", "30"])
        try daemon.follow { $0["sessions"] == .array([]) }
        try ring("asked")
        let run = try Program(
            Program.built("rooster"), ["emergency"],
            environment: ["ROOSTER_SOCKET": daemon.socket, "TZDIR": "/usr/share/zoneinfo"])
        #expect(run.exitStatus == 0, "\(run.errors)")
        let history = try client.ask(#"{"do":"history"}"#)
        #expect(history["history.0.ended"] == .string("emergency"))
        #expect(history["history.1.ended"] == .string("emergency"))
    }

    @Test func invalidTimes_areRefused() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        for text in ["soon", "2024-03-10", "2024-02-30T07:00:00", "07:00"] {
            let run = try bedside(daemon, ["--clock", text])
            #expect(run.exitStatus == 1)
            #expect(run.errors.contains(text), "\(run.errors)")
        }
    }
}
