// Random requests: good ones with a few changes.

import Oracles

@testable import HTTP

struct HeadMutator {
    var random: SeededRandom

    private static let seeds = [
        RequestHead("GET /api/1/status?what=a+b&c=%C3%A4", ["Accept-Encoding: gzip;q=0.5, br", "Cookie: rooster=abc"]),
        RequestHead("GET /app.3f9c.js", ["If-None-Match: \"a\", W/\"b\""], host: "192.168.1.20:80"),
        RequestHead(
            "POST /api/1/alarms", ["Origin: http://rooster", "Cookie: x=y; rooster=abc", "Content-Length: 15"],
            host: "rooster"),
        RequestHead(
            "PUT /api/1/codes/a%2Fb", ["Authorization: Bearer abc", "Transfer-Encoding: chunked", "If-Match: *"],
            host: "[::ffff:192.168.1.20]"),
        RequestHead(
            "DELETE /api/1/alarms/6F96", ["Origin: https://clock.example:8443", "If-Match: \"1\""],
            host: "clock.example:8443", on: .frontEnd),
        RequestHead("PATCH / HTTP/1.0", ["Idempotency-Key: \"k\"", "Content-Length: 0"], host: "localhost"),
        RequestHead("HEAD /a", host: "[fe80::a%25eth0]", on: .at(NetworkAddress(v6: "fe80::a") ?? .unix)),
    ]

    private static let pieces = [
        "%", "%00", "%2e", "%2F", "..", "/", "//", "?", "&", "=", "+", "#", " ", "\t", "\r\n", "\0", "\u{7F}", "ä",
        "%C3", "\"", ",",
        ";", "*", ":", ".", "80", "0", "W/", "\\", "q=0", "chunked", "http://", "[", "]", "@", "-", "_", "~",
        "\u{212A}",
    ].map { Array($0.utf8) }

    mutating func head() -> RequestHead {
        var head = Self.seeds.randomElement(using: &random) ?? Self.seeds[0]
        for _ in 0..<Int.random(in: 0...3, using: &random) { change(&head) }
        return head
    }

    private mutating func change(_ head: inout RequestHead) {
        let other = GateRow.all.randomElement(using: &random)?.head ?? head
        let index = head.fields.indices.randomElement(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: head.method = changed(head.method)
        case 1: head.version = changed(head.version)
        case 2...6: head.target = changed(head.target)
        case 7: head.target = other.target
        case 8...9: head.fields += other.fields.suffix(1)
        case 10: head.fields.shuffle(using: &random)
        case 11: if let index { head.fields.remove(at: index) }
        case 12: if let index { head.fields.append(head.fields[index]) }
        case 13: head.connection = other.connection
        case 14:
            if let index {
                head.fields[index] = HeaderField(
                    name: changed(head.fields[index].name), value: head.fields[index].value)
            }
        case 15: head.method = other.method
        default:
            if let index {
                head.fields[index] = HeaderField(
                    name: head.fields[index].name, value: changed(head.fields[index].value))
            }
        }
    }

    private mutating func changed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        let start = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, start + Int.random(in: 0...3, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: start)
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
        default: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
        }
        return bytes
    }
}
