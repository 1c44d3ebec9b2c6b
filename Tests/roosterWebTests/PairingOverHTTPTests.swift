// The tests of pairing over HTTP, with real processes and simulated buttons.

import Fixtures
import Foundation
import JSON
import Oracles
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PairingOverHTTPTests {
    private static let origin = ["Origin: http://127.0.0.1"]

    private func text(_ json: JSON?) throws -> String {
        guard case .string(let text)? = json else { throw Client.Gone() }
        return text
    }

    /// Begins an attempt. Returns its id and its presses.
    private func pair(_ page: HTTPClient) throws -> (id: String, presses: [String]) {
        let reply = try page.ask("POST", "/pair", #"{"name":"Anna's phone"}"#, Self.origin)
        guard reply.status == 200, case .array(let presses)? = reply["presses"] else {
            throw HTTPReply.Unreadable(text: reply.body)
        }
        return (try text(reply["pairing"]), try presses.map { try text($0) })
    }

    private func press(_ button: String, _ fixture: WebFixture) throws {
        let answer = try fixture.daemon.client().ask(#"{"do":"simulate","press":"\#(button)"}"#)
        #expect(answer["ok"] == .bool(true), "\(answer)")
    }

    /// Presses the buttons one after another. Each press is counted before the next one begins.
    private func press(_ presses: [String], _ id: String, _ page: HTTPClient, _ fixture: WebFixture) throws {
        for (index, button) in presses.enumerated() {
            var pressed = ContinuousClock.now - .seconds(3)
            while case let reply = try page.ask("GET", "/pair/\(id)"), reply["pressed"] != .number(index + 1) {
                guard reply["state"] == .string("waiting") else { throw HTTPReply.Unreadable(text: reply.body) }
                // A button that is still down cannot be pressed again. A simulated press takes 150 ms.
                if ContinuousClock.now - pressed > .seconds(2) {
                    try press(button, fixture)
                    pressed = .now
                }
                usleep(2000)
            }
            usleep(200_000)
        }
    }

    private func setSpeed(_ speed: String, _ fixture: WebFixture) throws {
        let answer = try fixture.daemon.client().ask(#"{"do":"simulate","speed":\#(speed)}"#)
        #expect(answer["ok"] == .bool(true), "\(answer)")
    }

    /// Waits until the attempt has another state than waiting.
    private func outcome(_ id: String, _ page: HTTPClient) throws -> HTTPReply {
        while true {
            let reply = try page.ask("GET", "/pair/\(id)")
            if reply["state"] != .string("waiting") { return reply }
            usleep(5000)
        }
    }

    /// Returns the header with the cookie that a response sets.
    private func cookie(_ reply: HTTPReply) throws -> String {
        let set = try #require(reply.headers["set-cookie"], "\(reply.body)")
        #expect(set.hasSuffix("; Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"))
        #expect(reply["token"] == nil, "no script of the page may read the token")
        return "Cookie: \(set.prefix { $0 != ";" })"
    }

    @Test func rightPresses_giveThePageItsCookie_whichOutlivesBothPrograms() throws {
        let fixture = try WebFixture(buttons: true)
        let page = fixture.stranger()
        #expect(try page.ask("GET", "/status").status == 401)
        #expect(try page.ask("GET", "")["ways.0"] == .string("presses"))
        let (id, presses) = try pair(page)
        #expect(presses.count == 4 && Set(presses) == ["snooze", "stop"])
        try press(presses, id, page, fixture)
        try setSpeed("10", fixture)
        let paired = try outcome(id, page)
        #expect(paired["state"] == .string("paired") && paired["client.name"] == .string("Anna's phone"))
        let cookie = try cookie(paired)
        #expect(try page.ask("GET", "/pair/\(id)").status == 404, "the token is given out once")
        #expect(try page.ask("GET", "/status", nil, [cookie]).status == 200)
        let alarm = #"{"id":"a","time":"07:00"}"#
        #expect(try page.ask("POST", "/alarms", alarm, [cookie])["name"] == .string("missingOrigin"))
        #expect(try page.ask("POST", "/alarms", alarm, [cookie, "Origin: http://127.0.0.1:1"]).status == 403)
        #expect(try page.ask("POST", "/alarms", alarm, [cookie] + Self.origin).status == 201)
        #expect(try page.ask("GET", "", nil, [cookie]).headers["set-cookie"] != nil, "a visit renews the cookie")
        try fixture.killWeb()
        fixture.killDaemon()
        try fixture.startDaemon(clock: WebFixture.start)
        #expect(try fixture.stranger().ask("GET", "/alarms/a", nil, [cookie]).status == 200)
        #expect(try fixture.stranger().ask("GET", "/alarms/a").status == 401)
    }

    @Test func wrongPress_andTwoAtOnce_areRefused_andMakeTheNextWait() throws {
        let fixture = try WebFixture(buttons: true)
        let (page, other) = (fixture.stranger(), fixture.stranger())
        // So slowly that no wait ends by itself.
        try setSpeed("0.1", fixture)
        let (id, presses) = try pair(page)
        try press(presses[0] == "stop" ? "snooze" : "stop", fixture)
        #expect(try outcome(id, page)["code"] == .string("wrongPresses"))
        let early = try other.ask("POST", "/pair", #"{"name":"x"}"#)
        let seconds = try #require(early.headers["retry-after"].flatMap { Int($0) }, "\(early.body)")
        #expect(early.status == 429 && early["name"] == .string("pairLater") && (1...5).contains(seconds))
        // Guesses learn nothing, and put nothing off.
        for guess in ["x", "", String(repeating: "A", count: 43)] where !guess.isEmpty {
            #expect(try other.ask("GET", "/pair/\(guess)").status == 404)
        }
        try setSpeed("20", fixture)
        var next = try other.ask("POST", "/pair", #"{"name":"x"}"#)
        while next.status == 429 {
            usleep(20_000)
            next = try other.ask("POST", "/pair", #"{"name":"x"}"#)
        }
        #expect(next.status == 200)
        try setSpeed("0.1", fixture)
        let second = try text(next["pairing"])
        let third = try page.ask("POST", "/pair", #"{"name":"y"}"#)
        #expect(third.status == 409 && third["name"] == .string("pairedTwice"), "\(third.body)")
        #expect(try outcome(second, other)["code"] == .string("pairedTwice"))
        let later = try page.ask("POST", "/pair", #"{"name":"y"}"#)
        let longer = try #require(later.headers["retry-after"].flatMap { Int($0) }, "\(later.body)")
        #expect(later.status == 429 && (6...10).contains(longer), "the wait has doubled")
        // A client with a token does not wait.
        #expect(try fixture.client().ask("POST", "/pair", #"{"name":"z"}"#).status == 200)
        #expect(try fixture.client().ask("GET", "/clients")["clients.1"] == nil, "no stranger became a client")
    }

    @Test func ring_endsAnAttempt_andTakesItsPresses() throws {
        let fixture = try WebFixture(buttons: true)
        let (owner, page) = (fixture.client(), fixture.stranger())
        let alarm = #"{"id":"w","label":"Work","time":"15:10","snooze":{"seconds":600,"max":2}}"#
        #expect(try owner.ask("POST", "/alarms", alarm).status == 201)
        let (id, _) = try pair(page)
        try fixture.daemon.setClock("2024-03-09T20:09:59Z")
        try fixture.daemon.follow(until: \.isRinging)
        #expect(try outcome(id, page)["code"] == .string("ringing"))
        let ringing = try page.ask("POST", "/pair", #"{"name":"x"}"#)
        #expect(ringing.status == 409 && ringing["name"] == .string("ringing"), "\(ringing.body)")
        try press("snooze", fixture)
        try fixture.daemon.follow { $0["sessions.0.state"] == .string("snoozed") }
        #expect(try page.ask("POST", "/pair", #"{"name":"x"}"#)["name"] == .string("ringing"))
        #expect(try owner.ask("POST", "/session/stop").status == 200)
        // A ring is nobody's mistake: nobody has to wait for it.
        #expect(try page.ask("POST", "/pair", #"{"name":"x"}"#).status == 200)
    }

    private func claim(_ secret: String, _ fixture: WebFixture) throws -> HTTPReply {
        try fixture.stranger().ask("POST", "/pair/claim", #"{"secret":"\#(secret)","name":"phone"}"#, Self.origin)
    }

    @Test func invitation_pairsOnePage_andNoGuesser() throws {
        let fixture = try WebFixture()
        let owner = fixture.client()
        #expect(try owner.ask("GET", "")["ways"] == .array([.string("invitation")]), "there are no buttons")
        #expect(try fixture.stranger().ask("POST", "/clients/invite").status == 401)
        let look = try text(try owner.ask("POST", "/clients/tokens", #"{"name":"door","may":"use"}"#)["token"])
        #expect(try fixture.client(token: look).ask("POST", "/clients/invite").status == 403)
        let old = try text(try owner.ask("POST", "/clients/invite")["secret"])
        let secret = try text(try owner.ask("POST", "/clients/invite")["secret"])
        #expect(try claim(old, fixture)["name"] == .string("noInvitation"))
        // Almost right is wrong, and the guesses do not use up the invitation.
        for (index, digit) in secret.enumerated() {
            let other: Character = digit == "a" ? "b" : "a"
            let guess = secret.prefix(index) + String(other) + secret.dropFirst(index + 1)
            #expect(try claim(String(guess), fixture).status == 404)
        }
        let cookie = try cookie(try claim(secret, fixture))
        #expect(try fixture.stranger().ask("GET", "/status", nil, [cookie]).status == 200)
        #expect(try claim(secret, fixture).status == 404, "a replay")
        let last = try text(try owner.ask("POST", "/clients/invite")["secret"])
        fixture.killDaemon()
        try fixture.startDaemon(clock: WebFixture.start)
        #expect(try claim(last, fixture).status == 404, "a restart forgets invitations")
        #expect(try fixture.stranger().ask("GET", "/status", nil, [cookie]).status == 200)
    }

    @Test func clientThatIsForgotten_losesItsStreams_andItsRights() throws {
        let fixture = try WebFixture()
        let owner = fixture.client()
        let secret = try text(try owner.ask("POST", "/clients/invite")["secret"])
        let claimed = try claim(secret, fixture)
        let (cookie, id) = (try cookie(claimed), try text(claimed["client.id"]))
        let streams = try ["status", "records", "level"].map { topic in
            let stream = try RawClient(fixture.port)
            stream.send(HTTPCall("GET", "/events?topics=\(topic)", [cookie]).text(token: nil, isLast: false))
            #expect(stream.receive(until: "event: status\n").hasPrefix("HTTP/1.1 200 "))
            return stream
        }
        #expect(try owner.ask("DELETE", "/clients/\(id)").status == 200)
        for stream in streams {
            let end = stream.receive(until: "0\r\n\r\n")
            #expect(end.hasSuffix("0\r\n\r\n") || end.hasSuffix("<closed>"), "\(end)")
        }
        #expect(try fixture.stranger().ask("GET", "/status", nil, [cookie]).status == 401)
        #expect(try fixture.stranger().ask("GET", "/events", nil, [cookie]).status == 401)
        #expect(try owner.ask("GET", "/status").status == 200)
    }

    /// The newest client is let in, and the one that was idle for longest goes.
    @Test func fullTable_dropsTheClientThatWasIdleForLongest() throws {
        let fixture = try WebFixture()
        let owner = fixture.client()
        let tokens = try (1..<64).map { number in
            try text(try owner.ask("POST", "/clients/tokens", #"{"name":"\#(number)","may":"look"}"#)["token"])
        }
        try fixture.daemon.setClock("2024-03-10T20:00:00Z")
        for token in tokens.dropFirst() {
            #expect(try fixture.client(token: token).ask("GET", "/status").status == 200)
        }
        #expect(try owner.ask("GET", "/status").status == 200)
        let secret = try text(try owner.ask("POST", "/clients/invite")["secret"])
        let cookie = try cookie(try claim(secret, fixture))
        #expect(try fixture.stranger().ask("GET", "/status", nil, [cookie]).status == 200)
        #expect(try fixture.client(token: tokens[0]).ask("GET", "/status").status == 401)
        for token in tokens.dropFirst() {
            #expect(try fixture.client(token: token).ask("GET", "/status").status == 200)
        }
        guard case .array(let clients)? = try owner.ask("GET", "/clients")["clients"] else { throw Client.Gone() }
        #expect(clients.count == 64)
    }
}
