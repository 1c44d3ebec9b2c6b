// The tests of `rooster-camera scan`, as `rooster scan` runs it: one line per file, for any content.

import CodeSheets
import Foundation
import JSON
import Oracles
import SheetPictures
import Testing

@Suite struct ScanTests {
    private static let payload = "RHQ4M6XB2TZ3WJ7DK5NYCAVPEF"
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = "\(scratch.path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func sheet() throws -> [UInt8] { try #require(try QRSheet(payload: Self.payload, label: "Bathroom").png()) }

    private func scan(_ arguments: String...) throws -> (lines: [JSON], run: Program) {
        let run = try Program(Program.built("rooster-camera"), ["scan"] + arguments)
        return (try run.lines.map { try JSON(parsing: Array($0.utf8)) }, run)
    }

    private func member(_ name: String, _ json: JSON) -> JSON? {
        guard case .object(let members) = json else { return nil }
        return members.first { $0.name == name }?.value
    }

    @Test func eachFile_givesOneLine_inOrder() throws {
        let good = try file("sheet.png", try sheet())
        let bad = try file("bad.png", Array(try sheet().prefix(500)))
        let (lines, run) = try scan(good, bad, "/nowhere/at-all.png", good)
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        #expect(
            lines.compactMap { member("file", $0) } == [good, bad, "/nowhere/at-all.png", good].map { .string($0) })
        #expect(
            lines.map { member("payloads", $0) }
                == [[Self.payload], [], [], [Self.payload]].map { .array($0.map { .string($0) }) })
        #expect(lines.map { member("error", $0) != nil } == [false, true, true, false])
        #expect(member("by", lines[0]) == .string("zxing"))
        #expect(member("by", lines[1]) == .null)
        #expect(member("error", lines[2]) == .string("No such file or directory"))
    }

    @Test func bytesThatAreNotText_areInHexadecimal() throws {
        let symbol = try QRSymbol(payload: [0, 0xFF, 0x41])
        let side = symbol.side + 8
        let points = (0..<side * side * 16).map { index -> UInt8 in
            let (column, row) = (index % (side * 4) / 4 - 4, index / (side * 4) / 4 - 4)
            let isWithin = (0..<symbol.side).contains(column) && (0..<symbol.side).contains(row)
            return isWithin && symbol.isDark(column: column, row: row) ? 0 : 255
        }
        let (lines, _) = try scan(try file("code.pgm", Array("P5 \(side * 4) \(side * 4) 255\n".utf8) + points))
        #expect(member("bytes", try #require(lines.first)) == .array([.string("00ff41")]))
    }

    /// The helper confines itself before it parses a picture: seccomp mode 2, and no new privileges.
    @Test func scan_runsConfined() async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built("rooster-camera"))
        // The output exceeds the pipe's size, so the helper blocks until the test has looked.
        process.arguments = ["scan"] + (0..<2000).map { "/nowhere/at-all-\($0).png" }
        process.standardOutput = Pipe()
        try process.run()
        defer { process.terminate() }
        try await waitUntil {
            let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
            return status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n")
        }
    }

    @Test(arguments: [[], ["--kinds"], ["--kinds", "qr"], ["--kinds", "qr,foo", "x"], ["--kinds", "", "x"]])
    func wrongUsage_isRefused(arguments: [String]) throws {
        let run = try Program(Program.built("rooster-camera"), ["scan"] + arguments)
        #expect(run.exitStatus == 2)
        #expect(run.output.isEmpty)
        #expect(try Program(Program.built("rooster-camera"), arguments).exitStatus == 2)
    }
}
