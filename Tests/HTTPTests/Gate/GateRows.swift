// The table of requests, with the rule that each breaks.

import Testing

@testable import HTTP

struct GateRow: Sendable, CustomTestStringConvertible {
    let head: RequestHead
    /// Nil if the gate accepts the request.
    let refusal: GateRefusal?
    let testDescription: String

    init(_ name: String, _ head: RequestHead, _ refusal: GateRefusal?) {
        self.head = head
        self.refusal = refusal
        testDescription = name
    }

    static let all = lengths + headers + targets + hosts + origins + rest

    /// Requests that libmicrohttpd 0.9.75 accepts in its strict mode are marked with a star.
    static let lengths = [
        GateRow("no length", RequestHead("POST /a"), nil),
        GateRow("a length", RequestHead("POST /a", ["Content-Length: 12"]), nil),
        GateRow("chunked", RequestHead("POST /a", ["Transfer-Encoding: Chunked"]), nil),
        GateRow(
            "* chunked and a length", RequestHead("POST /a", ["Transfer-Encoding: chunked", "Content-Length: 3"]),
            .lengthAndCoding),
        GateRow(
            "* two lengths", RequestHead("POST /a", ["Content-Length: 3", "content-length: 4"]), .repeatedHeader),
        GateRow(
            "one length twice", RequestHead("POST /a", ["Content-Length: 3", "Content-Length: 3"]), .repeatedHeader),
        GateRow("a list of lengths", RequestHead("POST /a", ["Content-Length: 3, 3"]), .malformedLength),
        GateRow("a length below zero", RequestHead("POST /a", ["Content-Length: -1"]), .malformedLength),
        GateRow("a length with a plus", RequestHead("POST /a", ["Content-Length: +3"]), .malformedLength),
        GateRow("an empty length", RequestHead("POST /a", ["Content-Length: "]), .malformedLength),
        GateRow("a length in hexadecimal", RequestHead("POST /a", ["Content-Length: 0x3"]), .malformedLength),
        GateRow("a length in other digits", RequestHead("POST /a", ["Content-Length: ٣"]), .malformedLength),
        GateRow(
            "a length beyond integers", RequestHead("POST /a", ["Content-Length: 99999999999999999999"]), .bodyTooLong),
        GateRow("* another coding", RequestHead("POST /a", ["Transfer-Encoding: gzip"]), .unknownCoding),
        GateRow("two codings", RequestHead("POST /a", ["Transfer-Encoding: gzip, chunked"]), .unknownCoding),
        GateRow("a Kelvin sign", RequestHead("POST /a", ["Transfer-Encoding: chun\u{212A}ed"]), .unknownCoding),
        GateRow(
            "chunked twice", RequestHead("POST /a", ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"]),
            .repeatedHeader),
        GateRow(
            "chunked in HTTP/1.0", RequestHead("POST /a HTTP/1.0", ["Transfer-Encoding: chunked"]), .codingInOldVersion
        ),
        GateRow("GET with a body", RequestHead("GET /a", ["Content-Length: 1"]), .unexpectedBody),
        GateRow("HEAD with a body", RequestHead("HEAD /a", ["Transfer-Encoding: chunked"]), .unexpectedBody),
        GateRow("GET with an empty body", RequestHead("GET /a", ["Content-Length: 0"]), nil),
        GateRow("DELETE with a body", RequestHead("DELETE /a", ["Content-Length: 2"]), nil),
    ]

    static let headers = [
        GateRow("* NUL in a value", RequestHead("GET /a", ["X-A: a\0b"]), .malformedHeaderValue),
        GateRow("the name behind a NUL", RequestHead("GET /a", ["\0b: c"]), .malformedHeaderName),
        GateRow("* a folded header", RequestHead("GET /a", ["X-A: a\r\n b"]), .malformedHeaderValue),
        GateRow("a folded header after the library joined it", RequestHead("GET /a", ["X-A: a   b"]), nil),
        GateRow("* a bare line feed", RequestHead("GET /a", ["X-A: a\nX-B: b"]), .malformedHeaderValue),
        GateRow("DEL in a value", RequestHead("GET /a", ["X-A: \u{7F}"]), .malformedHeaderValue),
        GateRow("TAB and UTF-8 in a value", RequestHead("GET /a", ["X-A: \tä"]), nil),
        GateRow("a space behind a name", RequestHead("GET /a", ["X-A : a"]), .malformedHeaderName),
        GateRow("an empty name", RequestHead("GET /a", [": a"]), .malformedHeaderName),
        GateRow("UTF-8 in a name", RequestHead("GET /a", ["Contént: a"]), .malformedHeaderName),
        GateRow(
            "40 KB of headers", RequestHead("GET /a", ["X-A: \(String(repeating: "a", count: 40_000))"]),
            .headersTooLong),
        GateRow("15 KB of headers", RequestHead("GET /a", ["X-A: \(String(repeating: "a", count: 15_000))"]), nil),
        GateRow("many headers", RequestHead("GET /a", (0..<64).map { "X-\($0): a" }), .tooManyHeaders),
        GateRow("63 headers", RequestHead("GET /a", (0..<62).map { "X-\($0): a" }), nil),
        GateRow(
            "two credentials", RequestHead("GET /a", ["Authorization: Bearer a", "Authorization: Bearer b"]),
            .repeatedHeader),
        GateRow("two cookies", RequestHead("GET /a", ["Cookie: rooster=a; other=b; rooster=c"]), .repeatedCookie),
        GateRow("one cookie among others", RequestHead("GET /a", ["Cookie: roosters=a; rooster=c; x"]), nil),
        GateRow("a condition without quotes", RequestHead("PUT /a", ["If-Match: abc"]), .malformedCondition),
        GateRow("a condition in quotes", RequestHead("PUT /a", ["If-Match: \"a\", W/\"b\""]), nil),
        GateRow("any revision", RequestHead("DELETE /a", ["If-Match: *"]), nil),
        GateRow("half a condition", RequestHead("GET /a", ["If-None-Match: \"a"]), .malformedCondition),
        GateRow("an empty condition", RequestHead("GET /a", ["If-None-Match: "]), .malformedCondition),
        GateRow("an empty key", RequestHead("POST /a", ["Idempotency-Key: \"\""]), .malformedKey),
        GateRow(
            "a long key", RequestHead("POST /a", ["Idempotency-Key: \(String(repeating: "k", count: 201))"]),
            .malformedKey),
    ]

    static let targets = [
        GateRow("the root", RequestHead("GET /"), nil),
        GateRow("* an absolute target", RequestHead("GET http://evil/x"), .notOriginForm),
        GateRow("an asterisk", RequestHead("GET *"), .notOriginForm),
        GateRow("an authority", RequestHead("GET rooster.local:80"), .notOriginForm),
        GateRow("no target", RequestHead("GET  HTTP/1.1"), .notOriginForm),
        GateRow("* an escaped NUL", RequestHead("GET /a%00b"), .controlCharacter),
        GateRow("an escaped line feed in a query", RequestHead("GET /a?b=%0A"), .controlCharacter),
        GateRow("an escaped C1 control", RequestHead("GET /%C2%85"), .controlCharacter),
        GateRow("* dot segments", RequestHead("GET /../etc"), .dotSegment),
        GateRow("escaped dot segments", RequestHead("GET /a/%2e%2E/b"), .dotSegment),
        GateRow("one dot", RequestHead("GET /a/."), .dotSegment),
        GateRow("dots behind an escaped slash", RequestHead("GET /a%2F..%2Fb"), .dotSegment),
        GateRow("three dots", RequestHead("GET /..."), nil),
        GateRow("an escaped slash", RequestHead("GET /codes/a%2Fb"), nil),
        GateRow("escapes escaped twice", RequestHead("GET /%252e%252e"), nil),
        GateRow("two slashes", RequestHead("GET //evil/a"), .emptySegment),
        GateRow("a slash at the end", RequestHead("GET /a/"), .emptySegment),
        GateRow("half an escape", RequestHead("GET /a%4"), .malformedEscape),
        GateRow("a wrong escape", RequestHead("GET /a?b=%zz"), .malformedEscape),
        GateRow("a signed escape", RequestHead("GET /%+1"), .malformedEscape),
        GateRow("half a character", RequestHead("GET /%C3"), .notUTF8),
        GateRow("an overlong slash", RequestHead("GET /%C0%AF"), .notUTF8),
        GateRow("a surrogate", RequestHead("GET /%ED%A0%80"), .notUTF8),
        GateRow("UTF-8 without escapes", RequestHead("GET /ä"), .malformedTarget),
        GateRow("a fragment", RequestHead("GET /a#b"), .malformedTarget),
        GateRow("a backslash", RequestHead("GET /a\\b"), .malformedTarget),
        GateRow("a TAB", RequestHead("GET /a\tb"), .malformedTarget),
        GateRow("a query", RequestHead("GET /a?b=c/d?e&f&g=%C3%A4+x"), nil),
        GateRow("a bracket in a query", RequestHead("GET /a?b[]=c"), .malformedTarget),
        GateRow("a long target", RequestHead("GET /\(String(repeating: "a", count: 4096))"), .targetTooLong),
        GateRow("a target of 4096 bytes", RequestHead("GET /\(String(repeating: "a", count: 4095))"), nil),
    ]

    static let rest = [
        GateRow("an empty method", RequestHead(" /a"), .malformedMethod),
        GateRow("a method with a bracket", RequestHead("GET( /a"), .malformedMethod),
        GateRow("TRACE", RequestHead("TRACE /a"), .unknownMethod),
        GateRow("a method in lower case", RequestHead("get /a"), .unknownMethod),
        GateRow("HTTP/1.0", RequestHead("GET /a HTTP/1.0"), nil),
        GateRow("HTTP/2", RequestHead("GET /a HTTP/2.0"), .unknownVersion),
        GateRow("HTTP/1.2", RequestHead("GET /a HTTP/1.2"), .unknownVersion),
        GateRow("no version", RequestHead("GET /a "), .unknownVersion),
    ]
}
