// The tests of routes: each request of the API has one, and an HTTP request becomes the same line that the
// command line would send.

import API
import Engine
import HTTP
import JSON
import Testing

@testable import WebAPI

/// Returns a request as the gate passes it.
func request(_ method: String, _ target: String, _ headers: [HeaderField] = []) throws -> HTTPRequest {
    try RequestGate(hosts: HostPolicy(hostName: "bed")).judge(
        RequestHead(
            method: Array(method.utf8), target: Array(target.utf8), version: Array("HTTP/1.1".utf8),
            fields: [HeaderField("Host", "bed.local")] + headers,
            connection: ConnectionAddresses(local: .v4(0x7F00_0001), peer: .v4(0x7F00_0001))))
}

private let json = HeaderField("Content-Type", "application/json")

@Suite struct RoutesTests {
    /// Each request is found by its method and its path, whatever its fields contain.
    @Test(arguments: RequestSpec.all.indices) func eachRequest_hasARoute(index: Int) throws {
        let spec = RequestSpec.all[index].spec
        let names = spec.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { $0.dropFirst().dropLast() }
        let path = spec.path.split(separator: "/").map { $0.hasPrefix("{") ? "a%2Fb%20%F0%9F%94%94" : String($0) }
        let found = Route.find(try request(spec.method.rawValue, "/api/1" + path.map { "/\($0)" }.joined()))
        guard case .route(let route) = found else {
            Issue.record("no route: \(spec.name)")
            return
        }
        #expect(route.spec.name == spec.name)
        #expect(route.pathFields.map(\.name) == names.map(String.init))
        #expect(route.pathFields.allSatisfy { $0.value == "a/b 🔔" })
        // A field of a body, of the path and of the response exists in the request.
        let fields = RequestSpec.all[index].fields.map(\.name)
        #expect(names.allSatisfy { fields.contains(String($0)) })
        #expect(spec.bodyField.map(fields.contains) ?? true)
    }

    @Test func otherPathsAndMethods_areRefused() throws {
        guard case .none = Route.find(try request("GET", "/api/1/nothing")),
            case .none = Route.find(try request("GET", "/api/2/status")),
            case .otherMethod(let allowed) = Route.find(try request("PUT", "/api/1/alarms"))
        else {
            Issue.record("a route was found")
            return
        }
        #expect(Set(allowed) == ["GET", "HEAD", "POST"])
    }

    /// The lines for requests with path, query, body and headers.
    @Test(arguments: [
        ("GET", "/status", "", [], #"{"do":"status"}"#),
        ("HEAD", "/status", "", [], #"{"do":"status"}"#),
        ("GET", "/history?days=3&events=true", "", [], #"{"do":"history","days":3,"events":true}"#),
        ("GET", "/history?days=three", "", [], #"{"do":"history","days":"three"}"#),
        (
            "GET", "/events?topics=status,records&topics=level", "", [],
            #"{"do":"follow","topics":["status","records","level"]}"#
        ),
        (
            "GET", "/events?topics=records", "", [HeaderField("Last-Event-ID", "41")],
            #"{"do":"follow","topics":["records"],"since":41}"#
        ),
        ("POST", "/alarms", #"{"time":"06:15"}"#, [json], #"{"do":"add","alarm":{"time":"06:15"}}"#),
        (
            "POST", "/alarms?delaySeconds=60", #"{"label":"Tea"}"#, [json],
            #"{"do":"add","delaySeconds":60,"alarm":{"label":"Tea"}}"#
        ),
        ("POST", "/session/snooze", "", [], #"{"do":"snooze"}"#),
        (
            "POST", "/session/snooze", #"{"seconds":300,"ifRing":{"alarm":"a","at":"2026-01-01T06:00:00Z"}}"#,
            [json, HeaderField("Idempotency-Key", "k7")],
            #"{"do":"snooze","id":"k7","seconds":300,"ifRing":{"alarm":"a","at":"2026-01-01T06:00:00Z"}}"#
        ),
        (
            "PATCH", "/alarms/a%2Fb", #"{"time":"07:00"}"#, [json, HeaderField("If-Match", #""9f1c""#)],
            #"{"do":"edit","ifRevision":"9f1c","alarm":"a/b","changes":{"time":"07:00"}}"#
        ),
        ("DELETE", "/alarms/x", "", [HeaderField("If-Match", "*")], #"{"do":"delete","alarm":"x"}"#),
        (
            "DELETE", "/alarms/x", "", [HeaderField("If-Match", #"W/"9""#)],
            #"{"do":"delete","ifRevision":"W/\"9\"","alarm":"x"}"#
        ),
        (
            "POST", "/file?backup=true", #"{"format":"rooster/1"}"#, [json],
            #"{"do":"import","backup":true,"file":{"format":"rooster/1"}}"#
        ),
    ])
    func request_becomesTheLineOfTheCommandLine(
        method: String, path: String, body: String, headers: [HeaderField], line: String
    ) throws {
        let made = try RequestLine(try request(method, "/api/1\(path)", headers), Array(body.utf8))
        #expect(String(decoding: made.line(token: nil), as: UTF8.self) == line + "\n")
        let withToken = String(decoding: made.line(token: "t"), as: UTF8.self)
        #expect(withToken == line.dropLast() + #","token":"t"}"# + "\n")
        // The service understands the line, unless a value is wrong.
        if !line.contains("three") { #expect(throws: Never.self) { try RequestEnvelope(parsing: Array(line.utf8)) } }
    }

    /// A body or a query cannot choose another request, another id or another client.
    @Test(arguments: ["do", "id", "client", "token", "ifRevision"]) func reservedMembers_areRefused(name: String) throws
    {
        let inBody = try request("POST", "/api/1/session/snooze", [json])
        #expect(throws: WebProblem.self) { try RequestLine(inBody, Array(#"{"\#(name)":"x"}"#.utf8)) }
        let inQuery = try request("GET", "/api/1/status?\(name)=x")
        #expect(throws: WebProblem.self) { try RequestLine(inQuery, []) }
    }

    @Test(arguments: [
        ("GET", "/nothing", "", [], 404), ("PUT", "/status", "", [], 405), ("POST", "/alarms", "{}", [], 415),
        ("POST", "/alarms", "{}", [HeaderField("Content-Type", "text/plain")], 415),
        ("POST", "/alarms", "{", [json], 400), ("POST", "/alarms", "[]", [json], 400),
        ("PATCH", "/alarms/x", "{}", [json], 428),
        ("PATCH", "/alarms/x", "{}", [json, HeaderField("If-Match", #""1", "2""#)], 400),
        ("POST", "/session/stop", "", [HeaderField("If-Match", #""1""#)], 400),
        ("POST", "/alarms/x/skip", #"{"alarm":"y"}"#, [json], 400), ("GET", "/history?days=1&days=2", "", [], 400),
    ])
    func requestThatReachesNoService_isRefused(
        method: String, path: String, body: String, headers: [HeaderField], status: Int
    ) throws {
        let http = try request(method, "/api/1\(path)", headers)
        do throws(WebProblem) {
            _ = try RequestLine(http, Array(body.utf8))
            Issue.record("the request was accepted")
        } catch {
            #expect(error.response.status.rawValue == status)
        }
    }
}

@Suite struct ResponseTests {
    private func response(_ line: String, to method: String, _ path: String, _ headers: [HeaderField] = []) throws
        -> HTTPResponse
    {
        let http = try request(method, "/api/1\(path)", headers)
        guard case .route(let route) = Route.find(http) else { throw WebProblem.noRoute }
        switch ResponseLine(Array(line.utf8)[...], to: route, http) {
        case .response(let response): return response
        case .changedMeanwhile(let problem): return .problem(problem)
        }
    }

    private func text(_ response: HTTPResponse) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func success_losesItsOk_andShowsItsRevision() throws {
        let plain = try response(#"{"ok":true,"codes":[]}"#, to: "GET", "/codes")
        #expect(text(plain) == #"{"codes":[]}"# && plain.status == .ok)
        #expect(text(try response(#"{"ok":true}"#, to: "POST", "/codes/cancel")) == "{}")
        let line = #"{"ok":true,"alarm":{"revision":"9f"}}"#
        let shown = try response(line, to: "GET", "/alarms/x")
        #expect(shown.fields.contains(HeaderField("ETag", #""9f""#)))
        let settings = #"{"ok":true,"revision":"9f","settings":{}}"#
        let known = try response(settings, to: "GET", "/settings", [HeaderField("If-None-Match", #""9f""#)])
        #expect(known.status == .notModified && text(known).isEmpty)
        let file = try response(#"{"ok":true,"file":{"alarms":[]}}"#, to: "GET", "/file")
        #expect(text(file) == #"{"alarms":[]}"#)
    }

    /// Content such as a picture is the whole body. A line whose content is unreadable or of another type is refused, for
    /// a browser would show it.
    @Test func content_isTheBody() throws {
        func sheet(_ type: String, _ base64: String) throws -> HTTPResponse {
            let line = #"{"ok":true,"fingerprint":"1","content":{"type":"\#(type)","data":"\#(base64)"}}"#
            return try response(line, to: "POST", "/codes/sheet")
        }
        let picture = try sheet("image/svg+xml", "PHN2Zy8+")
        #expect(text(picture) == "<svg/>" && picture.status == .ok)
        #expect(picture.fields.contains(HeaderField("Content-Type", "image/svg+xml")))
        #expect(picture.fields.contains(HeaderField("X-Content-Type-Options", "nosniff")))
        #expect(picture.fields.contains(HeaderField("Cache-Control", "no-store")))
        #expect(try sheet("text/html", "PHN2Zy8+").status == .unavailable)
        #expect(try sheet("image/svg+xml", "PHN2Zy8").status == .unavailable)
        #expect(try response(#"{"ok":true,"fingerprint":"1"}"#, to: "POST", "/codes/sheet").status == .unavailable)
    }

    @Test func refusal_isAProblem_withPointersIntoTheBody() throws {
        let line =
            #"{"ok":false,"error":{"code":"problems","message":"m","problems":[{"path":"alarm.ring.volume","message":"is loud"}]}}"#
        let problem = try response(line, to: "POST", "/alarms")
        #expect(problem.status == .unprocessable)
        #expect(text(problem).contains(##""errors":[{"pointer":"#/ring/volume","detail":"is loud"}]"##))
        #expect(problem.fields.contains(HeaderField("Content-Type", "application/problem+json")))
        let locked = try response(
            #"{"ok":false,"error":{"code":"locked","message":"m","problems":[]}}"#, to: "POST", "/alarms")
        #expect(locked.status == .locked && text(locked).contains(#""name":"locked""#))
    }

    /// The members of an error that are also members of problem+json get another name.
    @Test func problem_hasEachMemberOnce() {
        let names = Schema(of: ErrorResponse.self).fields.map(\.name)
        #expect(Set(names).intersection(["type", "title", "status", "detail", "name", "errors"]) == ["status"])
    }

    /// Each error has a status of an error, and only those that pass by themselves say when to try again.
    @Test(arguments: ErrorCode.allCases) func eachError_hasAStatus(code: ErrorCode) {
        let problem = ProblemDocument(ErrorResponse(code, "m"), of: Stop.spec)
        #expect((400..<600).contains(problem.status.rawValue))
        #expect((problem.retryAfterSeconds != nil) == [.unavailable].contains(problem.status))
    }

    @Test func changedObject_comesWithItsPresentState() throws {
        let http = try request("PATCH", "/api/1/alarms/x", [json, HeaderField("If-Match", #""1""#)])
        let line = try RequestLine(http, Array("{}".utf8))
        let reading = try #require(RequestLine(reading: line.route))
        #expect(String(decoding: reading.line(token: nil), as: UTF8.self) == #"{"do":"alarm","alarm":"x"}"# + "\n")
        let problem = ProblemDocument(.preconditionFailed, "changedMeanwhile", "m")
        let present = Array(#"{"ok":true,"alarm":{"revision":"2"}}"#.utf8)
        #expect(
            problem.adding(present: present[...], of: line.route).json.member("present")?.member("revision")
                == .string("2"))
    }

    @Test func events_haveIdsOnlyIfTheyAreRecords() throws {
        func event(_ line: String) -> ServerSentEvent? { ServerSentEvent(following: Array(line.utf8)[...]) }
        let record = try #require(event(#"{"ok":true,"record":{"sequence":7,"name":"fired"}}"#))
        #expect(record.id == "7" && record.event == "record" && record.data.contains("fired"))
        let level = try #require(event(#"{"ok":true,"level":{"output":"USB","decibels":-20.5}}"#))
        #expect(level.id == nil && level.isReplaceable)
        #expect(event(#"{"ok":false,"error":{}}"#) == nil)
    }
}
