// The tests of pairing over the socket for clients over HTTP: by presses, and by an invitation.

import API
import Alarms
import Devices
import Engine
import Fixtures
import JSON
import Oracles
import SimulatedDevices
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct PairingTests {
    private let buttons = VirtualButtons()

    private func withButtons(in directory: Scratch? = nil, _ body: (WebFixture) async throws -> Void) async throws {
        try await withWebSocket(in: directory, addButtons: { [buttons] in $0.buttons = buttons }) { fixture in
            buttons.report(.found(.stop, isDown: false))
            try await body(fixture)
        }
    }

    private func text(_ json: JSON?) throws -> String {
        guard case .string(let text)? = json else { throw Client.Gone() }
        return text
    }

    /// Begins an attempt. Returns its id, and the number of presses of the one button.
    private func pair(_ client: Client) throws -> (id: String, count: Int) {
        let answer = try client.ask(webLine("pair", nil, #","name":"Anna's phone""#))
        guard case .array(let presses)? = answer["presses"] else { throw Client.Gone() }
        #expect(presses.allSatisfy { $0 == .string("stop") } && (2...6).contains(presses.count), "\(answer)")
        #expect(answer["seconds"] == .number(60))
        return (try text(answer["pairing"]), presses.count)
    }

    private func state(_ id: String, _ client: Client) throws -> JSON {
        try client.ask(webLine("pairing", nil, #","pairing":"\#(id)""#))
    }

    private func press(_ count: Int, in fixture: WebFixture) async {
        for _ in 0..<count {
            await fixture.base.base.advance(byMilliseconds: 300)
            let now = fixture.base.base.clock.reading.uptimeMilliseconds
            buttons.report(.moved(.stop, isDown: true, uptime: now))
            buttons.report(.moved(.stop, isDown: false, uptime: now + 50))
        }
    }

    @Test func presses_giveTheClientItsToken_once() async throws {
        try await withButtons { fixture in
            let client = try fixture.client()
            #expect(try client.ask(webLine("hello"))["ways.0"] == .string("presses"))
            let (id, count) = try pair(client)
            #expect(try state(id, client)["state"] == .string("waiting"))
            await press(count, in: fixture)
            while try state(id, client)["pressed"] != .number(count) {}
            await fixture.base.base.advance(byMilliseconds: 2000)
            await fixture.base.base.waitUntil { !$0.engine.knownClients.isEmpty }
            let paired = try state(id, client)
            #expect(
                paired["state"] == .string("paired") && paired["client.name"] == .string("Anna's phone"), "\(paired)")
            let token = try text(paired["token"])
            #expect(token.count == 43)
            #expect(try client.ask(webLine("alarms", token))["ok"] == .bool(true))
            #expect(try state(id, client)["error.code"] == .string("noSuchPairing"))
        }
    }

    /// Without the text of the attempt, and after a restart, no client gets a token.
    @Test func attempt_isKnownToItsClientOnly_andNotAfterARestart() async throws {
        let scratch = try Scratch()
        var id = ""
        try await withButtons(in: scratch) { fixture in
            let client = try fixture.client()
            // Two strangers may choose the same id for their requests.
            let line = webLine("pair", nil, #","name":"phone","id":"1""#)
            let first = try client.ask(line)
            id = try text(first["pairing"])
            let second = try client.ask(line)
            #expect(second["error.code"] == .string("pairedTwice"), "\(second)")
            #expect(try state(id, client)["code"] == .string("pairedTwice"))
            let third = try client.ask(line)
            #expect(
                third["error.code"] == .string("pairLater") && third["error.retrySeconds"] == .number(5), "\(third)")
            #expect(try state("guess", client)["error.code"] == .string("noSuchPairing"))
        }
        try await withButtons(in: scratch) { fixture in
            let answer = try state(id, try fixture.client())
            #expect(answer["error.code"] == .string("noSuchPairing"), "\(answer)")
        }
    }

    @Test func invitation_pairsOneClient() async throws {
        try await withWebSocket { fixture in
            let client = try fixture.client()
            #expect(try client.ask(webLine("invite"))["error.code"] == .string("unpaired"))
            #expect(try client.ask(webLine("hello"))["ways"] == .array([.string("invitation")]))
            let invitation = try fixture.control().ask(webLine("invite"))
            let secret = try text(invitation["secret"])
            #expect(secret.count == 22 && invitation["seconds"] == .number(120))
            let claim = webLine("claim", nil, #","name":"phone","secret":"\#(secret)""#)
            let token = try text(try client.ask(claim)["token"])
            #expect(try client.ask(claim)["error.code"] == .string("noInvitation"))
            // A paired client may invite another.
            let next = try text(try client.ask(webLine("invite", token))["secret"])
            let second = try client.ask(webLine("claim", nil, #","name":"tablet","secret":"\#(next)""#))
            #expect(second["client.kind"] == .string("page") && second["client.may"] == .string("change"), "\(second)")
            #expect(try client.ask(webLine("status", try text(second["token"])))["ok"] == .bool(true))
        }
    }

    /// Refusals are no commands: strangers must not push the replies to real requests out of the engine's memory.
    @Test func refusedStrangers_areForgotten() async throws {
        try await withWebSocket { fixture in
            let before = await fixture.base.base.service.engine.writes.requests.answerCount
            let client = try fixture.client()
            for request in ["pair", "claim", "pairing"] {
                for _ in 0..<10 {
                    _ = try client.ask(webLine(request, nil, RequestExamples.fields[request].map { ",\($0)" } ?? ""))
                }
            }
            #expect(await fixture.base.base.service.engine.writes.requests.answerCount == before)
        }
    }
}
