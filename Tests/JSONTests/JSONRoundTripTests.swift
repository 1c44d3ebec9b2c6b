// The tests that written JSON reads back unchanged, in any spelling.

import Oracles
import Testing

@testable import JSON

@Suite struct JSONRoundTripTests {
    /// Returns true if the values are equal and have the same bytes. Swift's equality ignores the bytes.
    func isSame(_ a: JSON, _ b: JSON) -> Bool {
        a == b && Array(a.description.utf8) == Array(b.description.utf8)
    }

    @Test func values_readBackAsTheyWereWritten() throws {
        var random = RandomJSON(seed: 31)
        for _ in 0..<Thoroughness.pick(1500, full: 200_000) {
            let value = random.value()
            let ofLine = try JSON(parsing: Array(value.description.utf8))
            let ofLines = try JSON(parsing: Array(value.indented.utf8))
            #expect(isSame(ofLine, value), "\(value)")
            #expect(isSame(ofLines, value), "\(value)")
        }
    }

    @Test func values_areEqual_inEverySpelling() throws {
        var random = RandomJSON(seed: 32)
        for _ in 0..<Thoroughness.pick(1500, full: 200_000) {
            let value = random.value()
            let text = random.spelling(of: value)
            let read = try JSON(parsing: Array(text.utf8))
            #expect(isSame(read, value), "\(text)")
        }
    }

    /// Programs read one line at a time, so a value must stay on one line.
    @Test func description_hasNoLineEnds() {
        var random = RandomJSON(seed: 33)
        for _ in 0..<500 {
            let text = random.value().description
            #expect(!text.utf8.contains { $0 < 0x20 }, "\(text)")
        }
    }

    @Test func indentedText_hasOneElementPerLine() {
        let value = JSON.object([
            .init("a", .array([.number(1), .object([])])), .init("b", .array([])),
            .init("c", .object([.init("d", .null)])),
        ])
        let lines = [
            "{", "  \"a\": [", "    1,", "    {}", "  ],", "  \"b\": [],", "  \"c\": {", "    \"d\": null", "  }", "}",
        ]
        #expect(value.indented == lines.joined(separator: "\n") + "\n")
        #expect(value.description == #"{"a":[1,{}],"b":[],"c":{"d":null}}"#)
    }
}
