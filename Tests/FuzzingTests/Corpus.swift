// The seeds and tokens of the fuzz targets, read from the folder of the `fuzz` program.

import Foundation
import Fuzzing

/// The files in `Tests/Fuzz` for one target.
struct Corpus {
    let seeds: [(name: String, bytes: [UInt8])]
    let tokens: [[UInt8]]

    init(of target: Target, besides testFile: String = #filePath) throws {
        let tests = URL(fileURLWithPath: testFile).deletingLastPathComponent().deletingLastPathComponent()
        let folder = tests.appendingPathComponent("Fuzz/corpus/\(target.rawValue)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        seeds = try names.map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
        let dictionary = tests.appendingPathComponent("Fuzz/dictionaries/\(target.rawValue).dict")
        let lines = String(decoding: try Data(contentsOf: dictionary), as: UTF8.self).split(separator: "\n")
        tokens = lines.filter { $0.first == "\"" }.map(Corpus.token)
    }

    /// Returns the bytes of a line such as `"a\x1b\"\\"`.
    private static func token(_ line: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = line.dropFirst().dropLast().utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                bytes.append(byte)
                continue
            }
            guard escaped == UInt8(ascii: "x") else {
                bytes.append(escaped)
                continue
            }
            bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
