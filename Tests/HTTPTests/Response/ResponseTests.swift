// The tests of responses: common headers, problems, tags, cookies and files.

import JSON
import Testing
import Text

@testable import HTTP

extension HTTPResponse {
    fileprivate func values(_ name: String) -> [String] {
        fields.filter { $0.name == Array(name.utf8) }.map { String(decoding: $0.value, as: UTF8.self) }
    }
}

@Suite struct ResponseTests {
    @Test(arguments: [
        HTTPResponse.json(.object([])), .events, .refusal(.missingHost), .notModified(ETag(revision: "a")),
        HTTPResponse(.noContent).settingCookie("rooster", Secret("a")),
    ])
    func response_hasTheCommonHeadersOnce(response: HTTPResponse) {
        #expect(response.values("Content-Security-Policy") == ["default-src 'none'; frame-ancestors 'none'"])
        #expect(response.values("X-Content-Type-Options") == ["nosniff"])
        #expect(response.values("Cache-Control") == ["no-store"])
        #expect(response.values("Referrer-Policy") == ["same-origin"])
        #expect(response.values("Cross-Origin-Resource-Policy") == ["same-origin"])
        #expect(
            !response.fields.contains {
                String(decoding: $0.name, as: UTF8.self).lowercased().hasPrefix("access-control")
            })
    }

    @Test func events_passThroughNginx() {
        #expect(HTTPResponse.events.values("X-Accel-Buffering") == ["no"])
        #expect(HTTPResponse.events.values("Content-Type") == ["text/event-stream"])
    }

    @Test func unauthorized_namesTheScheme() {
        #expect(HTTPResponse(.unauthorized).values("WWW-Authenticate") == ["Bearer"])
    }

    @Test func value_becomesNoSecondHeader() {
        let response = HTTPResponse(.created).adding("Location", "/a\r\nSet-Cookie: b\0")
        #expect(response.values("Location") == ["/aSet-Cookie: b"])
    }

    @Test func problem_isAsInRFC9457() {
        var problem = ProblemDocument(.unavailable, "noService", "Rooster does not run")
        problem.mistakes = [
            ProblemDocument.Mistake(Problem("alarms[2].weekly.tue", "must be a time")),
            ProblemDocument.Mistake(path: "", detail: "is empty"),
            ProblemDocument.Mistake(path: "calendars.a/b~ä", detail: "is unknown"),
        ]
        problem.retryAfterSeconds = 5
        problem.members = [JSON.Member("present", .null)]
        let response = HTTPResponse.problem(problem)
        #expect(response.values("Retry-After") == ["5"])
        #expect(response.values("Content-Type") == ["application/problem+json"])
        #expect(
            problem.json.description == """
                {"type":"/problems/noService","title":"Service Unavailable","status":503,\
                "detail":"Rooster does not run","name":"noService",\
                "errors":[{"pointer":"#/alarms/2/weekly/tue","detail":"must be a time"},\
                {"pointer":"#","detail":"is empty"},\
                {"pointer":"#/calendars/a~1b~0%C3%A4","detail":"is unknown"}],"present":null}
                """)
    }

    @Test func strongTag_isComparedAsRFC9110Says() throws {
        let present = ETag(revision: "1")
        let cases: [(text: String, change: Bool, same: Bool)] = [
            ("*", true, true), ("\"1\"", true, true), ("W/\"1\"", false, true), ("\"2\"", false, false),
            ("\"2\" , \"1\"", true, true), (", \"1\",,", true, true), ("\"\"", false, false),
        ]
        for (text, change, same) in cases {
            let condition = try #require(ETagCondition(text), "\(text)")
            #expect(condition.permitsChange(of: present) == change, "\(text)")
            #expect(condition.isSatisfied(by: present) == same, "\(text)")
            #expect(!condition.permitsChange(of: nil) && !condition.isSatisfied(by: nil))
        }
        for text in ["", "1", "\"1", "w/\"1\"", "\"1\" \"2\"", "\"a b\"", "*, \"1\"", ","] {
            #expect(ETagCondition(text) == nil, "\(text)")
        }
    }

    @Test(arguments: ["9f1c", "", "a\"b", "ä\n", "a b"]) func tagOfAnyRevision_isReadBack(revision: String) {
        let tag = ETag(revision: revision)
        #expect(ETagCondition(tag.description) == .list([tag]))
    }

    @Test func refusal_isAProblemOfItsName() {
        let response = HTTPResponse.refusal(.unknownMethod)
        #expect(response.values("Allow") == ["GET, HEAD, POST, PUT, PATCH, DELETE"] && response.status.rawValue == 405)
        #expect(
            ProblemDocument(.foreignHost).name == "foreignHost" && ProblemDocument(.foreignHost).status == .misdirected)
    }

    @Test func newToken_isInNoDescription() {
        let token = "t0psecret"
        let response = HTTPResponse(.ok, .bytes(Array(token.utf8))).settingCookie("rooster", Secret(token))
        #expect(
            response.values("Set-Cookie") == [
                "rooster=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=34560000"
            ])
        #expect(response.removingCookie("rooster").values("Set-Cookie").last?.hasSuffix("Max-Age=0") == true)
        var dumped = ""
        dump([response], to: &dumped)
        for text in [dumped, "\(response)", String(reflecting: response.fields)] {
            #expect(!text.contains(token) && !text.contains("\(token.utf8.first ?? 0), "), "\(text)")
        }
    }

    @Test func everyStatus_hasItsOwnName() {
        #expect(Set(HTTPStatus.allCases.map(\.reason)).count == HTTPStatus.allCases.count)
    }
}

@Suite struct StaticFilesTests {
    private let files = StaticFiles([
        "/": StaticFile("index.html", type: MediaType("text/html", charset: "utf-8"), revision: "1"),
        "/a/app.3f.js": StaticFile(
            "app.js", type: MediaType("text/javascript"), revision: "2", gzipName: "app.js.gz", isForever: true),
    ])

    private func response(_ line: String, _ headers: String...) throws -> HTTPResponse? {
        files.response(to: try RequestGate.fixture.judge(RequestHead(line, headers)))
    }

    @Test func document_isRevalidated() throws {
        let response = try #require(try response("GET /"))
        #expect(response.status == .ok && response.body == .file("index.html"))
        #expect(response.values("Cache-Control") == ["no-cache"] && response.values("ETag") == ["\"1\""])
        #expect(response.values("Content-Type") == ["text/html; charset=utf-8"])
        #expect(response.values("Content-Security-Policy")[0].contains("script-src 'self'"))
        let again = try #require(try self.response("GET /", "If-None-Match: W/\"1\""))
        #expect(again.status == .notModified && again.values("ETag") == ["\"1\""])
        // The browser keeps these headers for the document that it has.
        for name in ["Content-Security-Policy", "Cache-Control", "Vary"] {
            #expect(again.values(name) == response.values(name), "\(name)")
        }
    }

    @Test func compressedForm_hasItsOwnTag() throws {
        let plain = try #require(try response("GET /a/app.3f.js", "Accept-Encoding: br"))
        let compressed = try #require(try response("HEAD /a/app.3f.js", "Accept-Encoding: gzip, deflate"))
        #expect(plain.body == .file("app.js") && compressed.body == .file("app.js.gz"))
        #expect(compressed.values("Content-Encoding") == ["gzip"] && plain.values("Content-Encoding").isEmpty)
        #expect(plain.values("ETag") != compressed.values("ETag"))
        #expect(plain.values("Vary") == ["Accept-Encoding"])
        #expect(compressed.values("Cache-Control")[0].contains("immutable"))
    }

    @Test func otherPath_isNoFile() throws {
        for path in ["/index.html", "/a", "/a%2Fapp.3f.js", "/A/app.3f.js"] {
            #expect(try response("GET \(path)") == nil, "\(path)")
        }
    }

    @Test func change_isNotAllowed() throws {
        let response = try #require(try response("DELETE /"))
        #expect(response.status == .methodNotAllowed && response.values("Allow") == ["GET, HEAD"])
    }
}
