// The rows about the site: Host against rebound names, Origin against other sites' pages.

@testable import HTTP

extension GateRow {
    private static func host(_ host: String, at local: String = "192.168.1.20", _ refusal: GateRefusal?) -> GateRow {
        let address = NetworkAddress(v4: local) ?? NetworkAddress(v6: local) ?? .unix
        return GateRow("Host \(host) at \(local)", RequestHead("GET /a", host: host, on: .at(address)), refusal)
    }

    static let hosts = [
        GateRow("no host", RequestHead("GET /a", host: nil), .missingHost),
        GateRow("no host in HTTP/1.0", RequestHead("GET /a HTTP/1.0", host: nil), .missingHost),
        GateRow("* two hosts", RequestHead("GET /a", ["Host: evil.example"]), .repeatedHeader),
        GateRow("one host twice", RequestHead("GET /a", ["host: rooster.local"]), .repeatedHeader),
        host("", .malformedHost),
        host("a b", .malformedHost),
        host("rooster.local, rooster.local", .malformedHost),
        host("user@rooster.local", .malformedHost),
        host("rooster.local:", nil),
        host("rooster.local:8080", nil),
        host("rooster.local:65536", .malformedHost),
        host("rooster.local:80a", .malformedHost),
        host("rooster.local:+80", .malformedHost),
        host("ROOSTER.Local.", nil),
        host("rooster.local..", .malformedHost),
        host(".", .malformedHost),
        host("rooster", nil),
        host("pi4_bedroom", nil),
        host("rooster-2.local", .foreignHost),
        host("a.rooster.local", .foreignHost),
        host("evil.example", .foreignHost),
        host("clock.example", nil),
        host("clock.example.:443", nil),
        host("localhost", nil),
        host("localhost:8080", at: "127.0.0.1", nil),
        host("a.localhost", .foreignHost),
        host("192.168.1.20", nil),
        host("192.168.1.20:8080", nil),
        host("192.168.1.21", .foreignHost),
        host("192.0.2.7", nil),
        host("127.0.0.1", at: "127.0.0.1", nil),
        host("127.0.0.1", .foreignHost),
        host("192.168.1.020", .malformedHost),
        host("3232235796", .malformedHost),
        host("0xc0a80114", .malformedHost),
        host("192.168.276", .malformedHost),
        host("evil.0x7f", .malformedHost),
        host("[::1]", at: "::1", nil),
        host("[0:0::0:1]:80", at: "::1", nil),
        host("[FE80::A%25wlan0]", at: "fe80::a", nil),
        host("[fe80::a]", at: "fe80::b", .foreignHost),
        host("[::ffff:192.168.1.20]", nil),
        host("[::1", at: "::1", .malformedHost),
        host("[::1]x", at: "::1", .malformedHost),
        host("::1", at: "::1", .malformedHost),
        host("[192.168.1.20]", .malformedHost),
        host("192.168.1.20", at: "unix", .foreignHost),
        host("rooster.local", at: "unix", nil),
    ]

    private static let cookie = "Cookie: rooster=a"

    static let origins = [
        GateRow("a script", RequestHead("POST /a", ["Authorization: Bearer a"]), nil),
        GateRow("a page", RequestHead("POST /a", [cookie, "Origin: http://rooster.local"]), nil),
        GateRow("a page at its port", RequestHead("POST /a", ["Origin: http://rooster:81"], host: "Rooster:81"), nil),
        GateRow("the usual port", RequestHead("PUT /a", ["Origin: http://rooster.local:80"]), nil),
        GateRow("the usual port in Host", RequestHead("PUT /a", ["Origin: http://rooster"], host: "rooster:80"), nil),
        GateRow("another port", RequestHead("PUT /a", ["Origin: http://rooster.local:81"]), .foreignOrigin),
        GateRow("another scheme", RequestHead("POST /a", ["Origin: https://rooster.local"]), .foreignOrigin),
        GateRow(
            "a front end", RequestHead("POST /a", [cookie, "Origin: https://rooster.local"], on: .frontEnd), nil),
        GateRow(
            "a page by HTTP at a front end", RequestHead("POST /a", ["Origin: http://rooster.local"], on: .frontEnd),
            .foreignOrigin),
        GateRow("another site", RequestHead("DELETE /a", ["Origin: http://evil.example"]), .foreignOrigin),
        GateRow(
            "a site with our name at its end", RequestHead("DELETE /a", ["Origin: http://xrooster.local"]),
            .foreignOrigin),
        GateRow("a file", RequestHead("PATCH /a", ["Origin: null"]), .foreignOrigin),
        GateRow("an empty origin", RequestHead("PATCH /a", ["Origin: "]), .foreignOrigin),
        GateRow("an origin with a path", RequestHead("POST /a", ["Origin: http://rooster.local/"]), .foreignOrigin),
        GateRow(
            "two origins", RequestHead("POST /a", ["Origin: http://rooster.local", "Origin: null"]),
            .repeatedHeader),
        GateRow("a cookie without an origin", RequestHead("POST /a", [cookie]), .missingOrigin),
        GateRow(
            "a cookie and a token without an origin", RequestHead("POST /a", [cookie, "Authorization: Bearer a"]),
            .missingOrigin),
        GateRow("a strange cookie without an origin", RequestHead("POST /a", ["Cookie: sid=a"]), nil),
        GateRow("reading from another site", RequestHead("GET /a", [cookie, "Origin: http://evil.example"]), nil),
        GateRow("HEAD with a cookie", RequestHead("HEAD /a", [cookie]), nil),
    ]
}
