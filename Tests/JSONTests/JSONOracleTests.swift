// The tests of the JSON reader against Python's: both must accept the same texts with the same values.

import Oracles
import Testing

@testable import JSON

@Suite struct JSONOracleTests {
    func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    func ours(_ bytes: [UInt8]) -> String {
        do {
            return hexadecimal(try JSON(parsing: bytes).description.utf8)
        } catch {
            return "refused"
        }
    }

    /// json_oracle.py makes Python as strict as Rooster, and lists each point with its reason.
    @Test func texts_areReadAsPythonReadsThem() throws {
        var random = RandomJSON(seed: 34)
        let texts = (0..<Thoroughness.pick(2500, full: 300_000)).map { number -> [UInt8] in
            let text = random.spelling(of: random.value(depth: number % 4))
            return number % 5 == 0 ? Array(text.utf8) : random.mutilated(text)
        }
        let input = texts.map { hexadecimal($0) + "\n" }.joined()
        let lines = try PythonOracle.lines(of: "json_oracle.py", [], input: input, besides: #filePath)
        #expect(lines.count == texts.count)
        var refused = 0
        var disagreements: [String] = []
        for (line, bytes) in zip(lines, texts) {
            let answer = ours(bytes)
            if answer == "refused" { refused += 1 }
            if answer != line {
                let text = String(decoding: bytes, as: UTF8.self)
                disagreements.append("\(text.debugDescription)\n  ours   \(answer)\n  theirs \(line)")
            }
        }
        print("\(texts.count) texts compared with Python's json, which refused \(refused)")
        #expect(refused > texts.count / 5 && refused < texts.count * 4 / 5)
        #expect(
            disagreements.isEmpty,
            "\(disagreements.count), the first:\n\(disagreements.prefix(5).joined(separator: "\n"))")
    }
}
