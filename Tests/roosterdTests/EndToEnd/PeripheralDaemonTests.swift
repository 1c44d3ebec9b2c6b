// The tests of buttons, steps, tags and keys: a real roosterd from its configuration to the silence.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite struct PeripheralDaemonTests {
    /// The configuration of all input devices.
    static let configuration = """
        buttons: { snooze = "GPIO17"; stop = "GPIO27"; };
        steps: { line = "GPIO22"; };
        tags: { use = true; };

        """
    private let scratch: Scratch
    private let daemon: DaemonFixture
    private let client: Client

    init() throws {
        scratch = try Scratch()
        let file = try scratch.file("rooster.conf", holding: Self.configuration)
        daemon = try DaemonFixture(scratch.path, configuration: file.path)
        client = try daemon.client()
    }

    private func simulate(_ members: String) throws {
        let answer = try client.ask("{\"do\":\"simulate\",\(members)}")
        #expect(answer["ok"] == .bool(true), "\(members): \(answer)")
    }

    private func save(_ time: String, _ challenges: String) throws {
        let alarm = #"{"id":"at \#(time)","time":"\#(time)","challenges":[\#(challenges)]}"#
        let answer = try client.ask(#"{"do":"add","alarm":\#(alarm)}"#)
        #expect(answer["ok"] == .bool(true), "\(answer)")
    }

    @Test func buttons_snoozeAndStop() throws {
        try save("15:10", "")
        try simulate(#""clock":"2024-03-09T15:09:59""#)
        try daemon.follow { $0.isRinging }
        try simulate(#""press":"stop""#)
        try daemon.follow { $0["sessions"] == .array([]) }
        try save("15:15", "")
        try simulate(#""clock":"2024-03-09T15:14:59""#)
        try daemon.follow { $0.isRinging }
        try simulate(#""press":"snooze""#)
        try daemon.follow { $0["sessions.0.state"] == .string("snoozed") }
        try client.ask(#"{"do":"stop"}"#)
        try daemon.follow { $0["sessions"] == .array([]) }
        try save("15:20", #"{"kind":"steps","count":10}"#)
        try simulate(#""clock":"2024-03-09T15:19:59""#)
        try daemon.follow { $0.isRinging }
        try simulate(#""press":"both","holdMilliseconds":61000"#)
        try daemon.follow { status in (1...60).contains { status["sessions.0.emergencySeconds"] == .number($0) } }
        // The press succeeds although the ring goes on, and the doctor finds the buttons in order.
        try simulate(#""press":"stop""#)
        #expect(try client.ask(#"{"do":"doctor"}"#).description.contains(#"{"part":"buttons","grade":"ok""#))
    }

    @Test func stepsATagAndSums_completeTheirChallenges() throws {
        let enrolling = try daemon.client()
        enrolling.say(Array("{\"do\":\"enrol\",\"label\":\"fridge\",\"kind\":\"tag\"}\n".utf8))
        try daemon.follow { $0["scan.kind"] == .string("tag") }
        try simulate(#""tag":"04a2b3c4d5e6f7""#)
        #expect(try enrolling.hear()["code.kind"] == .string("tag"))
        try save("15:10", #"{"kind":"steps","count":12},{"kind":"tag","tags":["fridge"]},{"kind":"math","count":1}"#)
        try simulate(#""clock":"2024-03-09T15:09:59""#)
        try daemon.follow { $0.isRinging }
        try simulate(#""steps":12"#)
        try daemon.follow { $0["sessions.0.asked.kind"] == .string("tag") }
        try simulate(#""tag":"04000000000001""#)
        try simulate(#""tag":"04a2b3c4d5e6f7""#)
        let status = try daemon.follow { $0["sessions.0.asked.kind"] == .string("math") }
        guard case .string(let sum)? = status["sessions.0.asked.sum"] else { throw Client.Gone() }
        try simulate(#""key":\#(Sums.result(of: sum))"#)
        try daemon.follow { $0["sessions"] == .array([]) }
    }
}
