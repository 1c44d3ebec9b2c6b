// The tests that `roosterd --simulate` carries out every option that `rooster bedside` documents.

import Alarms
import Fixtures
import Foundation
import JSON
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
        (["--picture", "\(Checkout.path)/Tests/Fuzz/corpus/picture/code.png"], ""),
        (["--press", "snooze"], ""), (["--press", "both", "--hold", "1s"], ""), (["--release", "both"], ""),
        (["--step", "2"], ""),
        (["--tag", "04A2B3C4"], ""), (["--key", "7"], ""), (["--speed", "2"], ""), (["--zone", "Asia/Tokyo"], ""),
        (["--power", "cut"], ""),
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

    /// The state has each change, and words for people.
    @Test func state_followsTheChanges() throws {
        let scratch = try Scratch()
        let lines = "\(PeripheralDaemonTests.configuration)lamps: { status = \"GPIO5\"; };\n"
        let file = try scratch.file("rooster.conf", holding: lines)
        let daemon = try DaemonFixture(scratch.path, configuration: file.path)
        let client = try daemon.client()
        func state() throws -> JSON { try client.ask(#"{"do":"bedside"}"#) }
        let first = try state()
        #expect(first["inputs"] == .array(["snooze", "stop", "keypad", "steps", "tags"].map { .string($0) }))
        #expect(first["cards.1.id"] == .string("Headphones") && first["cards.1.plugged"] == .bool(true))
        #expect(first["lamps.0.lamp"] == .string("status") && first["output"] == .null)
        _ = try bedside(
            daemon, ["--card", "Headphones", "--unplug", "--disk", "full", "--camera", "dark", "--show", "milk"])
        try client.ask(#"{"do":"simulate","trusted":false,"speed":2}"#)
        let second = try state()
        #expect(second["cards.1.plugged"] == .bool(false) && second["disk"] == .string("full"))
        #expect(second["camera.state"] == .string("dark") && second["camera.codes.0"] == .string("milk"))
        #expect(second["trusted"] == .bool(false) && second["speed"] == .number(2.0))
        try client.ask(#"{"do":"simulate","disk":"ok"}"#)
        try client.ask(#"{"do":"add","alarm":{"id":"now","label":"Now"},"delaySeconds":1}"#)
        try daemon.follow { $0["sessions.0.alarm"] == .string("now") }
        while try state()["decibels"] == nil { usleep(10_000) }
        let ringing = try state()
        #expect(ringing["output"] == .string("Speaker") && ringing["lamps.0.light"] == .string("blinking"))
        let words = try bedside(daemon, []).output
        for part in ["Headphones  unplugged", "not trusted", "Speaker, ", #", "milk""#, "blinking"] {
            #expect(words.contains(part), "\(words)")
        }
        #expect(try bedside(daemon, ["--json"]).output.hasPrefix(#"{"local":"#))
    }

    /// A held button is down until it is released: only then is it a short press.
    @Test func release_endsAPress() throws {
        let scratch = try Scratch()
        let file = try scratch.file("rooster.conf", holding: PeripheralDaemonTests.configuration)
        let daemon = try DaemonFixture(scratch.path, configuration: file.path)
        let client = try daemon.client()
        try client.ask(#"{"do":"add","alarm":{"id":"held","challenges":[{"kind":"math"}]},"delaySeconds":1}"#)
        try daemon.follow { $0["sessions.0.state"] == .string("ringing") }
        try client.ask(#"{"do":"simulate","press":"both","holdMilliseconds":600000}"#)
        try daemon.follow { $0["sessions.0.emergencySeconds"] != nil && $0["sessions.0.emergencySeconds"] != .null }
        try client.ask(#"{"do":"simulate","release":"both"}"#)
        try daemon.follow { ($0["sessions.0.emergencySeconds"] ?? .null) == .null }
        try client.ask(#"{"do":"simulate","press":"snooze","holdMilliseconds":600000}"#)
        try client.ask(#"{"do":"simulate","release":"snooze"}"#)
        try daemon.follow { $0["sessions.0.state"] == .string("snoozed") }
    }

    /// The code in a picture is what the camera sees. Another process reads the picture.
    @Test func picture_isReadByTheCamera() throws {
        let scratch = try Scratch()
        let daemon = try DaemonFixture(scratch.path)
        let client = try daemon.client()
        let code = "\(Checkout.path)/Tests/Fuzz/corpus/picture/code"
        for path in ["\(code).png", "\(code).jpg"] {
            let run = try bedside(daemon, ["--picture", path])
            #expect(run.exitStatus == 0, "\(run.errors)")
            let scanned = try Program(Program.built("rooster"), ["scan", path]).output
            guard case .string(let text)? = try client.ask(#"{"do":"bedside"}"#)["camera.codes.0"] else {
                throw Client.Gone()
            }
            #expect(scanned.contains(text) && !text.isEmpty, "\(scanned)")
        }
        try client.ask(#"{"do":"enrol","label":"kitchen"}"#)
        try daemon.follow { $0["scan"] == .null }
        #expect(try client.ask(#"{"do":"codes"}"#)["codes.0.label"] == .string("kitchen"))
        for (picture, reason) in [("AAAA", "cannot be read"), ("no base64", "base64"), ("", "cannot be read")] {
            let refused = try client.ask(#"{"do":"simulate","by":60,"picture":"\#(picture)"}"#)
            guard case .string(let text)? = refused["error.message"] else { throw Client.Gone() }
            #expect(text.contains(reason), "\(text)")
        }
    }

    /// The service ends as by a power cut, and its clock goes on when the power is back.
    @Test func powerCut_killsTheService() throws {
        let scratch = try Scratch()
        let options = ["--simulate", "--silent", "--state", scratch.path, "--socket", "\(scratch.path)/s"]
        func start() throws -> Dialogue {
            let daemon = try Dialogue(Program.built("roosterd"), options)
            _ = try #require(daemon.hear("Ready"))
            return daemon
        }
        let daemon = try start()
        let client = try Client(of: "\(scratch.path)/s")
        try client.ask(#"{"do":"add","alarm":{"id":"kept"},"delaySeconds":7200}"#)
        #expect(try client.ask(#"{"do":"simulate","by":3600,"power":"cut"}"#)["ok"] == .bool(true))
        #expect(daemon.exitStatus() == -SIGKILL)
        let again = try start()
        let status = try Client(of: "\(scratch.path)/s").ask(#"{"do":"status"}"#)
        guard case .string(let now)? = status["status.now"] else { throw Client.Gone() }
        let date = try Date(now, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: now.contains(".")))
        #expect((3500...3700).contains(date.timeIntervalSinceNow), "\(now)")
        #expect(status["status.next.0.alarm"] == .string("kept"))
        again.signal(SIGTERM)
        #expect(again.exitStatus() == 0)
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
