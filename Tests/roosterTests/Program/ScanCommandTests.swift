// The tests of `rooster scan`: the codes in picture files, in lines for scripts and for people.

import CodeSheets
import Foundation
import Oracles
import SheetPictures
import Testing

@Suite struct ScanCommandTests {
    private static let payload = "RHQ4M6XB2TZ3WJ7DK5NYCAVPEF"
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func sheet(_ name: String) throws -> String {
        let path = "\(scratch.path)/\(name)"
        let png = try #require(try QRSheet(payload: Self.payload, label: "Bathroom").png())
        try Data(png).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func rooster(_ arguments: String..., program: String = Program.built("rooster")) throws -> Program {
        try Program(program, ["scan"] + arguments)
    }

    @Test func json_hasOneLineForEachFile() throws {
        let (first, second) = (try sheet("a.png"), try sheet("b.png"))
        let run = try rooster(first, second, "--json")
        #expect(run.exitStatus == 0)
        #expect(run.errors.isEmpty)
        #expect(run.lines.count == 2)
        for (line, path) in zip(run.lines, [first, second]) {
            #expect(
                line.contains(
                    try Regex(#"^\{"file":"\#(path)","payloads":\["\#(Self.payload)"\],"ms":[0-9.]+,"by":"zxing""#)))
        }
    }

    @Test func text_listsThePayloadOfEachFile() throws {
        let path = try sheet("a.png")
        #expect(try rooster(path).output == "\(path): \(Self.payload)\n")
        let blank = try scratch.file("blank.pgm", holding: "P5 2 1 255\nab").path
        #expect(try rooster(blank).output == "\(blank): no code\n")
    }

    @Test func invalidPicture_isReportedOnStandardError() throws {
        let good = try sheet("a.png")
        let large = try scratch.file("large.pgm", holding: "P5 20000 20000 255\n").path
        let run = try rooster("/nowhere.png", large, good, "--json")
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 3)
        #expect(run.lines.last?.contains(Self.payload) == true)
        #expect(run.complaints.first == "rooster: /nowhere.png: No such file or directory")
        #expect(run.complaints.last?.hasPrefix("rooster: \(large): has 20000 × 20000 points") == true)
    }

    @Test func fileNamesThatLookLikeOptions_areFiles() throws {
        _ = try sheet("--kinds")
        let run = try Program(
            "/bin/sh", ["-c", "cd '\(scratch.path)' && exec '\(Program.built("rooster"))' scan -- --kinds"])
        #expect(run.output == "--kinds: \(Self.payload)\n")
    }

    /// A picture may crash or take over the reader. The cost is one file's line, and the cursor stays.
    @Test(arguments: [
        ("kill -SEGV $$", "the decoder crashed"), ("echo '{\"payloads\":7}'", "the decoder crashed"),
        ("exit 3", "the decoder crashed"),
        ("yes", "the decoder crashed"), ("printf '{\"payloads\":[],\"error\":\"a\\\\u001b[2Jb\"}'", "a"),
    ])
    func crashOfTheReader_costsOnlyOneFilesLine(script: String, words: String) throws {
        let rooster = try scratch.program("rooster", copying: Program.built("rooster"))
        _ = try scratch.program("rooster-camera", script: script)
        let run = try self.rooster("x.png", "--json", program: rooster)
        #expect(run.exitStatus == 1)
        #expect(run.lines.count == 1)
        #expect(run.errors.contains(words))
        #expect(!(run.output + run.errors).contains("\u{1B}"))
    }
}
