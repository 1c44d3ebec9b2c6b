// The tests of the gate against its rules in Python, with mutations of good requests.

import Oracles
import Testing

@testable import HTTP

@Suite struct GateOracleTests {
    private func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        bytes.isEmpty ? "-" : bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func oracle(_ mode: String, _ lines: [String]) throws -> [Substring] {
        let output = try PythonOracle.lines(of: "gate_oracle.py", [mode], input: lines.map { $0 + "\n" }.joined())
        try #require(output.count == lines.count)
        return output
    }

    @Test func mutatedRequests_areJudgedAsByPython() throws {
        var mutator = HeadMutator(random: SeededRandom(seed: 47))
        let heads = GateRow.all.map(\.head) + (0..<Thoroughness.pick(12_000, full: 500_000)).map { _ in mutator.head() }
        let lines = heads.map { head in
            let local: [UInt8] =
                switch head.connection.local {
                case .v4(let address): (0..<4).map { UInt8(truncatingIfNeeded: address >> (24 - 8 * $0)) }
                case .v6(let high, let low):
                    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
                case .unix: []
                }
            let parts = [local, head.method, head.target, head.version] + head.fields.flatMap { [$0.name, $0.value] }
            return parts.map { hexadecimal($0) }.joined(separator: " ")
        }
        var refusals: [GateRefusal: Int] = [:]
        var disagreements: [String] = []
        for (head, theirs) in zip(heads, try oracle("heads", lines)) {
            let ours = judged(head)
            let broken = theirs.split(separator: " ").dropFirst()
            switch ours {
            case .failure(let refusal):
                refusals[refusal, default: 0] += 1
                if theirs.hasPrefix("refused"), broken.contains(refusal.rawValue[...]) { continue }
                disagreements.append("\(shown(head))\n  ours   \(refusal)\n  theirs \(theirs)")
            case .success(let parts):
                if parts != theirs { disagreements.append("\(shown(head))\n  ours   \(parts)\n  theirs \(theirs)") }
            }
        }
        let refusedCount = refusals.values.reduce(0, +)
        print("\(heads.count) requests, of which \(refusedCount) were refused for \(refusals.count) reasons")
        #expect(refusedCount > heads.count / 5 && refusedCount < heads.count * 4 / 5)
        #expect(
            disagreements.isEmpty,
            "\(disagreements.count), the first:\n\(disagreements.prefix(5).joined(separator: "\n"))")
    }

    private func judged(_ head: RequestHead) -> Result<String, GateRefusal> {
        do throws(GateRefusal) {
            return .success(written(try RequestGate.fixture.judge(head)))
        } catch {
            return .failure(error)
        }
    }

    /// The parts of an accepted request in the form of the oracle.
    private func written(_ request: HTTPRequest) -> String {
        func text(_ condition: ETagCondition?) -> String {
            switch condition {
            case nil: "-"
            case .any: "*"
            case .list(let tags): "\(tags.count)"
            }
        }
        let path = request.path.map { hexadecimal($0.utf8) }.joined(separator: "/")
        let query = request.query.map { "\(hexadecimal($0.name.utf8))=\(hexadecimal($0.value.utf8))" }
            .joined(separator: "&")
        let body =
            switch request.body {
            case .none: "none"
            case .chunked: "chunked"
            case .length(let count): "\(count)"
            }
        let credential =
            switch request.credential {
            case nil: "-"
            case .bearer(let token): "bearer:\(hexadecimal(token.revealed.utf8))"
            case .cookie(let token): "cookie:\(hexadecimal(token.revealed.utf8))"
            }
        let codings = (request.encodings.contains(.gzip) ? "g" : "") + (request.encodings.contains(.brotli) ? "b" : "")
        return [
            "ok", path.isEmpty ? "root" : path, query.isEmpty ? "-" : query, body,
            request.host.port.map(String.init) ?? "None", credential, text(request.ifMatch), text(request.ifNoneMatch),
            hexadecimal((request.idempotencyKey ?? "").utf8), codings.isEmpty ? "-" : codings,
        ].joined(separator: " ")
    }

    private func shown(_ head: RequestHead) -> String {
        let first: [UInt8] = head.method + [0x20] + head.target + [0x20] + head.version
        let lines: [[UInt8]] = [first] + head.fields.map { $0.name + [0x3A] + $0.value }
        return lines.map { String(decoding: $0.prefix(300), as: UTF8.self).debugDescription }.joined(separator: "\n")
            + "\n  at \(head.connection.local)"
    }

    @Test func escapes_areDecodedAsByPython() throws {
        var random = SeededRandom(seed: 3)
        let alphabet = Array("%%%%%0123456789abcdefABCDEFgG+-/ \0".utf8) + [0xC3, 0xFF]
        let texts = (0..<Thoroughness.pick(5000, full: 200_000)).map { _ in
            (0..<Int.random(in: 1...7, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        }
        for (text, theirs) in zip(texts, try oracle("escapes", texts.map { hexadecimal($0) })) {
            #expect(PercentCoding.decoded(text).map { hexadecimal($0) } ?? "refused" == theirs)
        }
    }

    @Test func encodedText_isDecodedToTheSame() {
        var random = SeededRandom(seed: 4)
        for _ in 0..<1000 {
            let bytes = (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let encoded = PercentCoding.encoded(text)
            #expect(encoded.utf8.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: "%") })
            #expect(PercentCoding.decoded(encoded.utf8) == Array(text.utf8))
        }
    }

    @Test func addresses_areAnsweredAsPythonsNetworksSay() throws {
        var random = SeededRandom(seed: 5)
        // The first and last address of each network, their neighbours, and random ones.
        let bounds: [UInt32] = [
            0, 0x7F00_0000, 0x8000_0000, 0x0A00_0000, 0x0B00_0000, 0xAC10_0000, 0xAC20_0000, 0xC0A8_0000, 0xC0A9_0000,
            0x6440_0000, 0x6480_0000, 0xA9FE_0000, 0xA9FF_0000,
        ]
        var all: [[UInt8]] = (bounds + bounds.map { $0 &- 1 }).map { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
        }
        all += (0..<500).map { _ in (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let mapped: [[UInt8]] = all.map { Array(repeating: 0, count: 10) + [0xFF, 0xFF] + $0 }
        let compatible: [[UInt8]] = all.map { Array(repeating: 0, count: 12) + $0 }
        let heads: [[UInt8]] = [
            [0xFE, 0x7F], [0xFE, 0x80], [0xFE, 0xBF], [0xFE, 0xC0], [0xFB, 0xFF], [0xFC, 0], [0xFD, 0xFF], [0xFE, 0],
            [0x20, 1], [0xFF, 2],
        ]
        let others = heads.map { $0 + (0..<14).map { _ in UInt8.random(in: 0...255, using: &random) } }
        let loopback: [[UInt8]] = (0...2).map { Array(repeating: 0, count: 15) + [$0] }
        let addresses = all + mapped + compatible + others + loopback
        for (bytes, theirs) in zip(addresses, try oracle("addresses", addresses.map { hexadecimal($0) })) {
            let address = try #require(NetworkAddress(bytes: bytes))
            #expect("\(address.isPrivate)" == theirs, "\(bytes)")
        }
    }

    @Test func literals_areReadAsByPython() throws {
        var random = SeededRandom(seed: 6)
        let tokens = [
            "::", ":", "0", "1", "ffff", "fe80", "12345", "g", "00a", "192.168.1.20", "1.2.3", "01.2.3.4", "%1", "%",
            "a", "F",
        ]
        let texts =
            [
                "::", "1::", "::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4",
                ":::", "1:2", "::ffff:1.2.3.4", "::1.2.3.4%eth0", "1::2::3",
            ]
            + (0..<Thoroughness.pick(5000, full: 200_000)).map { _ in
                (0..<Int.random(in: 1...15, using: &random)).map { _ in tokens.randomElement(using: &random) ?? "" }
                    .joined()
            }
        var readCount = 0
        for (text, theirs) in zip(texts, try oracle("literals", texts.map { hexadecimal($0.utf8) })) {
            let ours = NetworkAddress(v6: text)
            if ours != nil { readCount += 1 }
            let bytes: [UInt8] =
                theirs == "refused"
                ? []
                : stride(from: 0, to: theirs.count, by: 2).map { offset in
                    UInt8(theirs.dropFirst(offset).prefix(2), radix: 16) ?? 0
                }
            #expect(ours == NetworkAddress(bytes: bytes), "\(text)")
        }
        #expect(readCount > texts.count / 50)
    }
}
