// The tests of the socket for clients over HTTP: each request needs a token, and the right that it grants.

import API
import Clients
import Engine
import Fixtures
import JSON
import Oracles
import Testing

@testable import ControlServer

@Suite(.timeLimit(.minutes(10))) struct ClientTokenTests {
    private static let needy = RequestSpec.all.map { $0.spec }.filter { $0.may != nil }.map(\.name)

    /// Neither a request without a token nor one with a wrong token learns anything, not even its own mistakes.
    @Test func requestWithoutAKnownToken_isUnpaired() async throws {
        try await withWebSocket { fixture in
            let client = try fixture.client()
            for token in [nil, "", "AAAA", String(repeating: "a", count: 43), String(repeating: "a", count: 500)] {
                for name in Self.needy + ["nonsense"] {
                    let answer = try client.ask(webLine(name, token))
                    #expect(answer["error.code"] == .string("unpaired"), "\(name): \(answer)")
                }
            }
            #expect(await fixture.base.base.service.engine.alarms.count == 1)
        }
    }

    /// Each right admits exactly the requests of the table that need no greater one.
    @Test(arguments: Permission.allCases) func client_maySendTheRequestsOfItsRight(may: Permission) async throws {
        try await withWebSocket { fixture in
            let (client, token) = (try fixture.client(), try fixture.token("doorbell", may: may))
            // A follower would receive no further response, and this client must not forget itself.
            for type in RequestSpec.all where type.spec.name != "follow" {
                let answer = try client.ask(RequestExamples.line(type, #""token":"\#(token)""#))
                let isRefused = answer["error.code"] == .string("notAllowed")
                #expect(isRefused == (type.spec.may.map { $0 > may } ?? false), "\(type.spec.name): \(answer)")
            }
        }
    }

    @Test func clientThatOnlyLooks_mayForgetItselfAlone() async throws {
        try await withWebSocket { fixture in
            let (phone, tablet) = (try fixture.token("phone", may: .look), try fixture.token("tablet", may: .look))
            let client = try fixture.client()
            func forget(_ token: String, by other: String) throws -> JSON {
                let id = try #require(try client.ask(webLine("hello", token))["client.id"])
                return try client.ask(webLine("forgetClient", other, #","client":\#(id)"#))
            }
            #expect(try forget(tablet, by: phone)["error.code"] == .string("notAllowed"))
            #expect(try forget(phone, by: phone)["ok"] == .bool(true))
            #expect(try client.ask(webLine("status", phone))["error.code"] == .string("unpaired"))
            #expect(try client.ask(webLine("status", tablet))["ok"] == .bool(true))
        }
    }

    /// The name in the history comes from the token, and not from the request.
    @Test func history_hasTheNameOfTheToken() async throws {
        try await withWebSocket { fixture in
            let token = try fixture.token("Anna's phone", may: .use)
            let answer = try fixture.client().ask(webLine("inBed", token, #","client":"somebody else""#))
            #expect(answer["ok"] == .bool(true), "\(answer)")
            let follower = try fixture.control()
            let record = try follower.ask(#"{"do":"follow","topics":["records"],"since":0}"#)
            var text = record["record.text"]
            while text != .string("The owner goes to bed, by Anna's phone") {
                text = try follower.hear()["record.text"]
            }
        }
    }

    @Test func hello_needsNoToken_andNamesTheClientOfOne() async throws {
        try await withWebSocket { fixture in
            let client = try fixture.client()
            let unknown = try client.ask(webLine("hello"))
            #expect(unknown["version"] == .string(roosterVersion) && unknown["client.name"] == nil, "\(unknown)")
            let token = try fixture.token("phone", may: .use)
            let known = try client.ask(webLine("hello", token))
            #expect(known["client.name"] == .string("phone") && known["client.may"] == .string("use"), "\(known)")
        }
    }

    @Test func follower_needsAToken_andEndsWhenItsClientIsForgotten() async throws {
        try await withWebSocket { fixture in
            #expect(try fixture.client().ask(webLine("follow"))["error.code"] == .string("unpaired"))
            let (phone, tablet) = (try fixture.token("phone", may: .look), try fixture.token("tablet", may: .look))
            let (follower, other) = (try fixture.client(), try fixture.client())
            #expect(try follower.ask(webLine("follow", phone))["status"] != nil)
            #expect(try other.ask(webLine("follow", tablet))["status"] != nil)
            let id = try #require(try fixture.client().ask(webLine("hello", phone))["client.id"])
            #expect(try fixture.control().ask(#"{"do":"forgetClient","client":\#(id)}"#)["ok"] == .bool(true))
            #expect(follower.isLetGo())
            #expect(try fixture.client().ask(webLine("status", phone))["error.code"] == .string("unpaired"))
            #expect(try fixture.client().ask(webLine("status", tablet))["ok"] == .bool(true))
            _ = try fixture.control().ask(#"{"do":"configure","changes":{"lock":600}}"#)
            #expect(try other.hear()["status"] != nil)
        }
    }

    /// Two clients may choose the same id. Each gets its own response, and an unpaired one gets nobody else's.
    @Test func repeatedRequest_getsItsFirstResponse_fromTheSameClientOnly() async throws {
        try await withWebSocket { fixture in
            let (phone, tablet) = (try fixture.token("phone", may: .change), try fixture.token("tablet", may: .change))
            let client = try fixture.client()
            let members = #","id":"1","name":"doorbell","may":"look""#
            let first = try client.ask(webLine("addToken", phone, members))
            #expect(try client.ask(webLine("addToken", phone, members)) == first)
            let other = try client.ask(webLine("addToken", tablet, members))
            #expect(other["ok"] == .bool(true) && other["token"] != first["token"])
        }
    }

    /// A restart keeps the clients, and no file of the service contains their tokens.
    @Test func client_survivesARestart_andItsTokenIsStoredNowhere() async throws {
        let scratch = try Scratch()
        var token = ""
        try await withWebSocket(in: scratch) { fixture in
            token = try fixture.token("phone", may: .look)
            let export = try fixture.control().ask(#"{"do":"export"}"#)
            #expect(!"\(export)".contains(token))
        }
        let find = try Program("/bin/grep", ["-rF", "--", token, scratch.path])
        #expect(find.exitStatus == 1, "\(find.output)")
        try await withWebSocket(in: scratch) { fixture in
            let answer = try fixture.client().ask(webLine("status", token))
            #expect(answer["ok"] == .bool(true), "\(answer)")
        }
    }

    /// The control socket needs no token, and ignores one.
    @Test func controlSocket_ignoresTokens() async throws {
        try await withWebSocket { fixture in
            let answer = try fixture.control().ask(webLine("status", "unknown"))
            #expect(answer["ok"] == .bool(true), "\(answer)")
        }
    }
}
