// The tests of the details by which a page shows a ring, a past ring and the parts, over a real socket.

import Fixtures
import JSON
import Sound
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct SessionDetailsTests {
    /// Runs a service whose alarm rings, and which has no problem.
    private func withRing(
        _ members: String, _ body: (SocketFixture, Client, (String) throws -> JSON?) async throws -> Void
    ) async throws {
        try await withSocket { fixture in
            fixture.base.speaker.status = SpeakerStatus(routes: [RouteStatus(Route(id: "a", kind: .usb), .good)])
            fixture.base.speaker.status.isReady = true
            let client = try Client(of: fixture.path)
            let alarm = #"{"id":"work","time":"15:01",\#(members)}"#
            #expect(try client.ask(#"{"do":"add","alarm":\#(alarm)}"#)["ok"] == .bool(true))
            await fixture.base.advance(byMilliseconds: 60_000)
            await fixture.base.waitUntil { !$0.status.sessions.isEmpty }
            try await body(fixture, client) { try client.ask(#"{"do":"status"}"#)["status.sessions.0.\($0)"] }
        }
    }

    @Test func ring_hasItsSnoozeRampAndChallenge() async throws {
        let challenges = #""challenges":[{"kind":"math","level":1,"count":2,"limit":90}]"#
        try await withRing(#""snooze":{"seconds":400,"max":1},"ring":{"ramp":20},\#(challenges)"#) {
            fixture, client, session in
            let length = try session("snoozeSeconds")
            #expect(length == .number(400))
            #expect(try session("snoozeRefused") == .null)
            #expect(try session("challenges.0.count") == .number(2))
            #expect(try session("rampOver") == .bool(false))
            #expect(try client.ask(#"{"do":"stop"}"#)["error.code"] == .string("challengesOpen"))
            await fixture.base.advance(byMilliseconds: 30_000)
            #expect(try session("rampOver") == .bool(true))
            for (name, number) in [("total", 2), ("left", 2), ("limitSeconds", 90), ("secondsLeft", 60)] {
                #expect(try session("asked.\(name)") == .number(number), "\(name)")
            }
            #expect(try client.ask(#"{"do":"answer","number":-1}"#)["correct"] == .bool(false))
            #expect(try session("snoozeRefused") == .string("validating"))
        }
    }

    @Test func history_hasTheSnoozes_andTheRingsThatCount() async throws {
        try await withRing(#""snooze":{"max":1}"#) { fixture, client, session in
            #expect(try client.ask(#"{"do":"snooze"}"#)["state"] == .string("snoozed"))
            await fixture.base.advance(byMilliseconds: 540_000)
            await fixture.base.waitUntil { $0.status.sessions.first?.session.isRinging == true }
            #expect(try session("snoozeRefused") == .string("noSnoozeLeft"))
            #expect(try client.ask(#"{"do":"stop"}"#)["state"] == .string("stopped"))
            let history = try client.ask(#"{"do":"history"}"#)
            #expect(history["history.0.snoozedAt.0"] == history["history.0.fired"], "\(history)")
            #expect(history["history.0.snoozedAt.1"] == nil)
            // A ring without challenges does not count.
            #expect(history["success"] == nil && history["successRings"] == nil)
        }
    }

    @Test func part_hasTheTimeOfItsTest() async throws {
        try await withRing(#""label":"Work""#) { fixture, client, _ in
            let parts = try client.list("health", in: #"{"do":"doctor"}"#)
            let disk = try #require(parts.first { $0["part"] == .string("disk") })
            let now = try client.ask(#"{"do":"status"}"#)["status.now"]
            guard case .string(let tested)? = disk["at"], case .string(let now)? = now else {
                Issue.record("\(disk)")
                return
            }
            #expect(tested.prefix(16) == now.prefix(16))
        }
    }

    /// A page that edits an alarm or aims a code has the limits from the service.
    @Test func capabilities_haveTheLimitsOfAimingAndOfEarlyRings() async throws {
        try await withSocket { fixture in
            let limits = try Client(of: fixture.path).ask(#"{"do":"capabilities"}"#)
            #expect(limits["limits.codeSizePercentMin"] == .number(12), "\(limits)")
            #expect(limits["limits.sharpnessMin"] == .number(20))
            #expect(limits["limits.earlySeconds.max"] == .number(1800))
        }
    }
}
