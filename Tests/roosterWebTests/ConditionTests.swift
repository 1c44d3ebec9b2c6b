// The tests of conditions, repeats and streams over HTTP.

import API
import Engine
import Fixtures
import JSON
import Testing

@Suite(.timeLimit(.minutes(10))) struct ConditionTests {
    /// A change of an object that another client has changed comes back with the present object.
    @Test(arguments: [
        ("/alarms/work", "PATCH", #"{"label":"A"}"#, #"{"label":"B"}"#, "label"),
        ("/alarms/work", "PUT", #"{"time":"08:00","label":"A"}"#, #"{"time":"08:00","label":"B"}"#, "label"),
        ("/settings", "PATCH", #"{"lock":60}"#, #"{"lock":120}"#, "settings.lock"),
        ("/calendars/s", "PUT", #"{"weekdays":["mon"]}"#, #"{"weekdays":["tue"]}"#, "calendar.weekdays.0"),
    ])
    func change_ofAnOldRevision_isRefused_withThePresentState(
        target: String, method: String, first: String, second: String, place: String
    ) async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            let any = try fixture.send(HTTPCall(method, target, ["If-Match: *"], body: first), token)
            #expect(any.status == 200, "\(any.body)")
            let tag = try #require(any.headers["etag"])
            #expect(try fixture.send(HTTPCall(method, target, ["If-Match: \(tag)"], body: second), token).status == 200)
            let late = try fixture.send(HTTPCall(method, target, ["If-Match: \(tag)"], body: first), token)
            #expect(late.status == 412 && late.headers["content-type"] == "application/problem+json")
            let present = try #require(try late.json["present"])
            let wanted: [String: JSON] = [
                "label": "B", "settings.lock": .number(120), "calendar.weekdays.0": "tue",
            ]
            #expect(present[place] == wanted[place] || present["alarm.\(place)"] == wanted[place], "\(late.body)")
            #expect(present["ok"] == nil)
            // The revision of the present object is that which its next change needs.
            guard case .string(let revision)? = present["revision"] else { throw HTTPReply.Unreadable(text: late.body) }
            let again = HTTPCall(method, target, ["If-Match: \"\(revision)\""], body: first)
            #expect(try fixture.send(again, token).status == 200)
            #expect(try fixture.send(HTTPCall(method, target, body: first), token).status == 428)
        }
    }

    @Test func knownRevision_isNotSentAgain_andHEADHasNoBody() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            let settings = try fixture.send(HTTPCall("GET", "/settings"), token)
            let tag = try #require(settings.headers["etag"])
            for method in ["GET", "HEAD"] {
                let known = try fixture.send(HTTPCall(method, "/settings", ["If-None-Match: \"0\", \(tag)"]), token)
                #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag)
            }
            let head = try fixture.send(HTTPCall("HEAD", "/settings"), token)
            #expect(head.status == 200 && head.body.isEmpty && head.headers["etag"] == tag)
            #expect(head.headers["content-length"] == settings.headers["content-length"])
            #expect(try fixture.send(HTTPCall("GET", "/settings", ["If-None-Match: \"0\""]), token).status == 200)
            // An alarm of the same revision may have been locked meanwhile, or have another next ring.
            let alarm = try #require(try fixture.send(HTTPCall("GET", "/alarms/work"), token).headers["etag"])
            #expect(try fixture.send(HTTPCall("GET", "/alarms/work", ["If-None-Match: \(alarm)"]), token).status == 200)
        }
    }

    /// The server reports a mistake to a paired client, and to any client that asks to be paired.
    @Test func mistake_isNoMissingCredential() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            for target in ["/history?days=007", "/history?days=nan", "/history?days=%2B7", "/events?since=007"] {
                let reply = try fixture.send(HTTPCall("GET", target), token)
                #expect(reply.status == 400 && reply["name"] == .string("malformed"), "\(target): \(reply.body)")
            }
            for (target, body) in [("/pair", "{}"), ("/pair", #"{"name":5}"#), ("/pair/claim", #"{"name":"x"}"#)] {
                let reply = try fixture.send(HTTPCall("POST", target, body: body))
                #expect(reply.status == 400 && reply["name"] == .string("malformed"), "\(target): \(reply.body)")
            }
            // A response without a body would lose the token.
            #expect(try fixture.send(HTTPCall("HEAD", "/pair/none")).status == 405)
        }
    }

    /// A request with the same key is done once for each client, whichever connection brings it.
    @Test func repeatedKey_getsTheFirstResponse() async throws {
        try await withWebServer { fixture in
            let (phone, script) = (try fixture.token(), try fixture.token())
            let call = HTTPCall("POST", "/alarms", ["Idempotency-Key: k1"], body: #"{"time":"08:00"}"#)
            let first = try fixture.send(call, phone)
            #expect(first.status == 201)
            let again = try fixture.send(call, phone)
            #expect(again.body == first.body && again.status == 201 && again.headers["etag"] == first.headers["etag"])
            #expect(try fixture.send(call, script).json["id"] != first.json["id"])
            #expect(await fixture.base.base.service.engine.alarms.count == 3)
        }
    }

    /// The problem of a refused snooze has the status of the device, beside its own status.
    @Test func refusedSnooze_showsThePresentStatus() async throws {
        try await withWebServer { fixture in
            let reply = try fixture.send(HTTPCall("POST", "/session/snooze"), try fixture.token())
            #expect(reply.status == 409)
            let json = try reply.json
            let statuses = json.members.filter { $0.name == "status" }.map(\.value)
            #expect(statuses == [JSON.number(409)])
            #expect(json["present.sessions"] == .array([]))
        }
    }

    /// The server keeps the connections of known clients. A success that needs no token makes none known.
    @Test func strangersWithAMadeUpToken_giveWay() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token()
            let known = try RawClient(fixture.port)
            known.send(HTTPCall("GET", "/codes").text(token: token, isLast: false))
            #expect(known.receive(until: #"{"codes":[]}"#).hasPrefix("HTTP/1.1 200 "))
            let hello = HTTPCall("GET", "").text(token: String(repeating: "A", count: 43), isLast: false)
            let strangers = try (0..<64).map { _ in
                let stranger = try RawClient(fixture.port)
                stranger.send(hello)
                #expect(stranger.receive(until: #""client":null}"#).hasPrefix("HTTP/1.1 200 "))
                return stranger
            }
            known.send(HTTPCall("GET", "/codes").text(token: token, isLast: true))
            #expect(known.receive().hasPrefix("HTTP/1.1 200 "))
            withExtendedLifetime(strangers) {}
        }
    }

    @Test func hello_namesTheDescription() async throws {
        try await withWebServer { fixture in
            let hello = try fixture.send(HTTPCall("GET", ""))
            #expect(hello.status == 200 && hello.headers["link"]?.contains("</api/1/openapi.json>") == true)
            #expect(try fixture.send(HTTPCall("GET", "/openapi.json")).status == 401)
            let description = try fixture.send(HTTPCall("GET", "/openapi.json"), try fixture.token(may: .look))
            #expect(try description.json["openapi"] == "3.1.0")
            #expect(try fixture.send(HTTPCall("POST", "/openapi.json"), try fixture.token()).status == 404)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
    /// A stream, and what it has sent.
    private final class Stream {
        private let client: RawClient
        private(set) var text = ""

        /// Opens a stream, and waits for its first event.
        init(_ fixture: WebServerFixture, _ token: String, topics: String, _ headers: [String] = []) throws {
            client = try RawClient(fixture.port)
            client.send(HTTPCall("GET", "/events?topics=\(topics)", headers).text(token: token, isLast: false))
            wait(for: "event: status\n")
            #expect(text.contains("Content-Type: text/event-stream"), "\(text)")
        }

        func wait(for end: String) {
            if !text.contains(end) { text += client.receive(until: end) }
            #expect(text.contains(end), "\(text)")
        }
    }

    /// A client that returns gets the records after its last one. If the service has dropped some,
    /// `resync` says so.
    @Test func streamThatReturns_getsTheRecordsThatItMissed() async throws {
        try await withWebServer { fixture in
            let token = try fixture.token(may: .look)
            let control = try Client(of: fixture.base.path)
            for number in 0..<300 {
                try control.ask(#"{"do":"edit","alarm":"work","changes":{"note":"\#(number)"}}"#)
            }
            let follower = try Client(of: fixture.base.path)
            follower.send(#"{"do":"follow","topics":["records"],"since":0}"#)
            // The oldest record that the service still has.
            guard case .number(let text)? = try follower.hear()["record.sequence"], let oldest = Int(text) else {
                throw Client.Gone()
            }
            let late = try Stream(fixture, token, topics: "records", ["Last-Event-ID: \(oldest - 2)"])
            late.wait(for: "id: \(oldest)\n")
            #expect(late.text.contains("event: resync\ndata: {}\n\n"), "\(late.text.prefix(4000))")
            let prompt = try Stream(fixture, token, topics: "records", ["Last-Event-ID: \(oldest)"])
            prompt.wait(for: "id: \(oldest + 1)\n")
            #expect(!prompt.text.contains("resync") && !prompt.text.contains("id: \(oldest)\n"))
            // The journal of a restored card is older than the client.
            let ahead = try Stream(fixture, token, topics: "records", ["Last-Event-ID: 100000"])
            ahead.wait(for: "event: status")
            try control.ask(#"{"do":"edit","alarm":"work","changes":{"note":"last"}}"#)
            ahead.wait(for: "event: record")
            #expect(ahead.text.contains("event: resync\ndata: {}\n\n"))
        }
    }

    /// A stream of a topic that does not exist is refused, and not silent for ever.
    @Test(arguments: ["topics=nonsense", "colour=red", "since=x"])
    func streamWithAMistake_isRefused(query: String) async throws {
        try await withWebServer { fixture in
            let reply = try fixture.send(HTTPCall("GET", "/events?\(query)"), try fixture.token())
            #expect(reply.status == 400, "\(reply.body)")
            // An unknown client is told nothing but that.
            #expect(try fixture.send(HTTPCall("GET", "/events?\(query)")).status == 401)
        }
    }

    /// A fifth stream of a client ends its first one.
    @Test func oldestStream_endsWithBye() async throws {
        try await withWebServer { fixture in
            let (token, other) = (try fixture.token(may: .look), try fixture.token(may: .look))
            let foreign = try Stream(fixture, other, topics: "records")
            let all = try (0..<5).map { _ in try Stream(fixture, token, topics: "records") }
            all[0].wait(for: "event: bye\ndata: {}\n\n")
            all[0].wait(for: "\r\n0\r\n\r\n")
            _ = try fixture.send(HTTPCall("POST", "/in-bed"), try fixture.token())
            for stream in all.dropFirst() + [foreign] { stream.wait(for: "event: record") }
        }
    }
}
