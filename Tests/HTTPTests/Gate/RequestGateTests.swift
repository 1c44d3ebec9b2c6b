// The tests of the gate: its table, and the decoded parts of accepted requests.

import Testing

@testable import HTTP

@Suite struct RequestGateTests {
    @Test(arguments: GateRow.all) func request_isJudgedAsItsRowSays(row: GateRow) {
        #expect(RequestGate.fixture.refusal(of: row.head) == row.refusal)
    }

    @Test func everyRefusal_hasARow_aSentenceAndAStatus() {
        #expect(Set(GateRow.all.compactMap(\.refusal)) == Set(GateRefusal.allCases))
        #expect(Set(GateRefusal.allCases.map(\.sentence)).count == GateRefusal.allCases.count)
        for refusal in GateRefusal.allCases {
            #expect((400..<506).contains(refusal.status.rawValue))
            #expect(refusal.sentence.first?.isUppercase == true || refusal.sentence.hasPrefix("Idempotency"))
        }
    }

    @Test func acceptedRequest_isDecodedAfterItIsSplit() throws {
        let head = RequestHead(
            "PUT /api/1/codes/a%2Fb%2520%F0%9F%90%93?what=a+b&what=%2B&x&=y",
            [
                "Content-Type: Application/JSON; Charset=\"UTF-8\"", "content-length:  5 ",
                "If-Match: \"a,b\" ,W/\"c\"", "If-Match: \"d\"", "Last-Event-ID: 4711", "Idempotency-Key: \"k 1\"",
                "Accept-Encoding: deflate, gzip;q=0.5", "Accept-Encoding: br;q=0.000", "X-A: 1", "x-a: 2",
            ])
        let request = try RequestGate.fixture.judge(head)
        #expect(request.method == .put)
        #expect(request.path == ["api", "1", "codes", "a/b%20🐓"])
        #expect(
            request.query == [
                QueryItem("what", "a b"), QueryItem("what", "+"), QueryItem("x", ""), QueryItem("", "y"),
            ])
        #expect(request.parameters("what") == ["a b", "+"])
        #expect(request.body == .length(5))
        #expect(request.contentType == MediaType("application/json", charset: "utf-8"))
        #expect(request.contentType?.isJSON == true)
        #expect(request.lastEventID == "4711" && request.idempotencyKey == "k 1")
        #expect(request.encodings == .gzip)
        #expect(request.header("x-a") == "1" && request.header("authorization") == nil)
        #expect(request.ifMatch?.permitsChange(of: ETag(revision: "a,b")) == true)
        #expect(request.ifMatch?.permitsChange(of: ETag(revision: "c")) == false)
        #expect(request.ifMatch?.permitsChange(of: ETag(revision: "d")) == true)
        #expect(request.host.description == "rooster.local" && request.credential == nil)
    }

    @Test func credential_isTheTokenBeforeTheCookie() throws {
        func credential(_ headers: String...) throws -> Credential? {
            try RequestGate.fixture.judge(RequestHead("GET /", headers)).credential
        }
        #expect(try credential("Authorization: bearer  ab/c==") == .bearer(Secret("ab/c==")))
        #expect(try credential("Cookie: x=y;rooster=t=1 ; z") == .cookie(Secret("t=1")))
        #expect(try credential("Cookie: rooster=b", "Authorization: Bearer a") == .bearer(Secret("a")))
        #expect(try credential("Cookie: rooster=b", "Authorization: Basic a") == .cookie(Secret("b")))
        #expect(try credential("Authorization: Bearer", "Cookie: Rooster=b") == nil)
        #expect(try credential("Authorization: Bearer a b") == nil)
    }

    @Test(arguments: BodyLimit.allCases) func body_isRefusedBeyondItsLimit(limit: BodyLimit) {
        #expect(throws: Never.self) { try limit.check(.length(limit.rawValue)) }
        #expect(throws: Never.self) { try limit.check(.chunked) }
        #expect(throws: GateRefusal.bodyTooLong) { try limit.check(.length(limit.rawValue + 1)) }
        #expect(throws: GateRefusal.bodyTooLong) { try limit.check(byteCount: limit.rawValue + 1) }
    }

    /// Tokens, also as lists of bytes, must not get into a log by any way to print a value.
    @Test func noDescription_containsASecret() throws {
        let token = "t0psecret"
        let head = RequestHead(
            "GET /a?token=\(token)", ["Authorization: Bearer \(token)", "Cookie: rooster=\(token)"])
        let request = try RequestGate.fixture.judge(RequestHead("GET /a", ["Authorization: Bearer \(token)"]))
        let byCookie = try RequestGate.fixture.judge(RequestHead("GET /a", ["Cookie: rooster=\(token)"]))
        var texts: [String] = []
        for value in [head, head.fields, request, byCookie] as [Any] {
            texts += [String(describing: value), String(reflecting: value), "\([value])"]
            if !(value is RequestHead) {
                var dumped = ""
                dump(value, to: &dumped)
                texts.append(dumped)
            }
        }
        let bytes = token.utf8.map(String.init).joined(separator: ", ")
        for text in texts {
            #expect(!text.contains(token) && !text.contains(bytes), "\(text)")
        }
        #expect(texts[0] == "GET /a")
    }
}
