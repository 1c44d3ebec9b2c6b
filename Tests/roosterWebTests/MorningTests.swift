// The tests of whole mornings over HTTP, with real processes that are killed at each step.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct MorningTests {
    private static let alarm =
        #"{"id":"w","label":"Work","time":"15:10","repeat":"FREQ=DAILY","snooze":{"seconds":1,"max":2},"#
        + #""challenges":[{"kind":"math","count":2}]}"#

    /// Each request by which an owner might escape the ring, or the alarm before it.
    private static let cheats: [(method: String, path: String, body: String?)] = [
        ("DELETE", "/alarms/w", nil), ("POST", "/alarms/w/enable", #"{"on":false}"#),
        ("PATCH", "/alarms/w", #"{"challenges":[]}"#), ("PATCH", "/alarms/w", #"{"ring":{"volume":0.1}}"#),
        ("PUT", "/alarms/w", #"{"label":"Easy","time":"15:10"}"#),
        ("PATCH", "/settings", #"{"enabled":false}"#), ("POST", "/alarms/w/skip", nil),
        ("POST", "/alarms/w/pause", #"{"dates":["2024-03-01/2024-04-01"]}"#),
        ("POST", "/alarms/w/postpone", #"{"seconds":3600}"#),
        ("POST", "/file?backup=true", #"{"format":"rooster/1","alarms":[]}"#),
    ]

    private func cheat(_ client: HTTPClient) throws {
        for (method, path, body) in MorningTests.cheats {
            let answer = try client.ask(method, path, body, ["If-Match: *"].filter { _ in method != "POST" })
            #expect([409, 422, 423].contains(answer.status), "\(method) \(path) \(body ?? ""): \(answer.body)")
            #expect(answer["detail"] != nil)
        }
        #expect(try client.ask("GET", "/alarms/w")["alarm.alarm.challenges.0.count"] == .number(2))
        #expect(try client.ask("GET", "/alarms/w")["alarm.alarm.time"] == .string("15:10"))
    }

    @Test func alarm_isMade_rings_isSnoozed_andEndsByItsSums() throws {
        let fixture = try WebFixture()
        let client = fixture.client()
        #expect(try client.ask("PATCH", "/settings", #"{"snooze":{"min":1}}"#, ["If-Match: *"]).status == 200)
        let made = try client.ask("POST", "/alarms", MorningTests.alarm)
        #expect(made.status == 201 && made["next.at"] == .string("2024-03-09T20:10:00Z"))
        try fixture.daemon.setClock("2024-03-09T20:09:30Z")
        try cheat(client)
        #expect(try client.ask("PATCH", "/alarms/w", #"{"time":"23:00"}"#, ["If-Match: *"]).status == 423)
        try fixture.daemon.setClock("2024-03-09T20:09:59Z")
        try fixture.daemon.follow(until: \.isRinging)
        try cheat(client)
        let snoozed = try client.ask("POST", "/session/snooze", nil, ["Idempotency-Key: first"])
        #expect(snoozed.status == 200 && snoozed["left"] == .number(1))
        // A repeat with the key is the same snooze.
        #expect(try client.ask("POST", "/session/snooze", nil, ["Idempotency-Key: first"])["left"] == .number(1))
        try cheat(client)
        try fixture.daemon.follow(until: \.isRinging)
        var answer = try client.ask("POST", "/session/stop")
        #expect(answer.status == 409)
        #expect(try client.ask("POST", "/session/answer", #"{"number":-1}"#)["correct"] == .bool(false))
        answer = try client.ask("GET", "/status")
        var sum = answer["status.sessions.0.asked.sum"]
        while case .string(let text)? = sum {
            answer = try client.ask("POST", "/session/answer", #"{"number":\#(Sums.result(of: text))}"#)
            sum = answer["asked.sum"]
        }
        #expect(answer["correct"] == .bool(true) && answer["state"] == .string("stopped"))
        let past = try client.ask("GET", "/history")
        #expect(past["history.0.ended"] == .string("dismissed") && past["history.0.snoozes"] == .number(1))
        #expect(past["history.0.client"] == .string("test"))
    }

    /// roosterd rings on without the web server, and the web server waits for roosterd.
    @Test func morning_survivesTheDeathOfEitherProgramAtEachStep() throws {
        let fixture = try WebFixture()
        let client = fixture.client()
        var clock = WebFixture.start
        func kill() throws {
            try fixture.killWeb()
            fixture.killDaemon()
            #expect(throws: HTTPClient.Lost.self) { try client.ask("GET", "/status") }
            let alone = try client.ask("GET", "/status")
            #expect(alone.status == 503 && alone.headers["retry-after"] != nil)
            try fixture.startDaemon(clock: clock)
            #expect(try client.ask("GET", "/status").status == 200)
        }
        #expect(try client.ask("POST", "/alarms", MorningTests.alarm).status == 201)
        try kill()
        #expect(try client.ask("GET", "/alarms/w").status == 200)
        // The same file again is no second alarm.
        #expect(try client.ask("PUT", "/alarms/w", MorningTests.alarm, ["If-Match: *"]).status == 200)
        try addTwice(client, between: kill)
        clock = "2024-03-09T15:10:00-05:00"
        try fixture.daemon.setClock(clock)
        try fixture.daemon.follow(until: \.isRinging)
        clock = "2024-03-09T15:10:05-05:00"
        try kill()
        try fixture.daemon.follow(until: \.isRinging)
        let ring = #"{"ifRing":{"alarm":"w","at":"2024-03-09T20:10:00Z"}}"#
        #expect(try client.ask("POST", "/session/snooze", ring)["left"] == .number(1))
        try kill()
        // A repeat after a restart, when the reply is forgotten, uses no other snooze.
        #expect(try client.ask("POST", "/session/snooze", ring)["left"] == .number(1))
        let status = try client.ask("GET", "/status")
        #expect(status["status.sessions.0.state"] == .string("snoozed"))
        #expect(status["status.sessions.0.snoozesLeft"] ?? .number(1) == .number(1))
    }

    /// An alarm whose addition is repeated with its key after a restart is no second one, unless it was changed.
    private func addTwice(_ client: HTTPClient, between restart: () throws -> Void) throws {
        func add() throws -> JSON? {
            let made = try client.ask("POST", "/alarms", #"{"time":"06:10","label":"Ferry"}"#, ["Idempotency-Key: f"])
            #expect(made.status == 201, "\(made.body)")
            return made["id"]
        }
        let first = try add()
        try restart()
        #expect(try add() == first)
        guard case .string(let id)? = first else { throw HTTPClient.Lost() }
        #expect(try client.ask("PATCH", "/alarms/\(id)", #"{"time":"09:10"}"#, ["If-Match: *"]).status == 200)
        try restart()
        #expect(try add() != first)
    }

    /// Two phones edit one alarm: the second one gets the present version, and overwrites nothing.
    @Test func secondEditOfARevision_isRefused_withThePresentVersion() throws {
        let fixture = try WebFixture()
        let (phone, tablet) = (fixture.client(), fixture.client())
        try phone.ask("POST", "/alarms", #"{"id":"a","time":"07:00"}"#)
        let seen = try #require(try phone.ask("GET", "/alarms/a").headers["etag"])
        #expect(try tablet.ask("GET", "/alarms/a").headers["etag"] == seen)
        let first = try phone.ask("PATCH", "/alarms/a", #"{"time":"06:00"}"#, ["If-Match: \(seen)"])
        #expect(first.status == 200)
        let second = try tablet.ask("PATCH", "/alarms/a", #"{"time":"08:00"}"#, ["If-Match: \(seen)"])
        #expect(second.status == 412 && second["name"] == .string("changedMeanwhile"))
        #expect(second["present.alarm.time"] == .string("06:00"))
        let present = try #require(first.headers["etag"])
        #expect(second["present.revision"] == .string(String(present.dropFirst().dropLast())))
        #expect(try tablet.ask("PATCH", "/alarms/a", #"{"time":"08:00"}"#).status == 428)
    }

    /// A client that leaves its stream leaves nothing open, neither to it nor to the service.
    @Test func streamsThatClientsLeave_areClosed() throws {
        let fixture = try WebFixture()
        let client = fixture.client()
        try client.ask("POST", "/alarms", #"{"id":"a","time":"07:00"}"#)
        let before = try fixture.webDescriptorCount
        for _ in 0..<20 {
            let stream = try RawClient(fixture.port)
            stream.send(HTTPCall("GET", "/events").text(token: fixture.token, isLast: false))
            #expect(stream.receive(until: "event: status\n").hasPrefix("HTTP/1.1 200 "))
        }
        // The loss of a client is noticed when its next events are sent.
        var count = 0
        while try fixture.webDescriptorCount > before, count < 500 {
            count += 1
            try client.ask("PATCH", "/alarms/a", #"{"note":"\#(count)"}"#, ["If-Match: *"])
        }
        #expect(try fixture.webDescriptorCount <= before)
    }

    @Test func credential_isChecked_forEachRequest() throws {
        let fixture = try WebFixture()
        let owner = fixture.client()
        #expect(try fixture.client(token: "x").ask("GET", "/status").status == 401)
        let made = try owner.ask("POST", "/clients/tokens", #"{"name":"door","may":"look"}"#)
        guard case .string(let token)? = made["token"], case .string(let id)? = made["client.id"] else {
            throw Client.Gone()
        }
        let door = fixture.client(token: token)
        #expect(try door.ask("GET", "/status").status == 200)
        #expect(try door.ask("POST", "/session/stop").status == 403)
        #expect(try door.ask("GET", "/file").status == 403)
        try fixture.killWeb()
        let again = fixture.client(token: token)
        #expect(try again.ask("GET", "/status").status == 200)
        #expect(try fixture.client().ask("DELETE", "/clients/\(id)").status == 200)
        #expect(try again.ask("GET", "/status").status == 401)
    }
}
