// The tests of the sheets from `rooster code print`, which needs no service.

import Foundation
import Oracles
import Testing

@Suite struct CodeSheetTests {
    private func printed(_ words: String...) throws -> Program {
        try Program(
            Program.built("rooster"), ["code", "print"] + words,
            environment: ["ROOSTER_SOCKET": "/nowhere/control.sock"])
    }

    /// Returns the payload of a sheet's code, read as the camera would.
    private func payload(of path: String) throws -> String {
        let run = try Program(Program.built("rooster"), ["scan", path])
        #expect(run.exitStatus == 0, "\(run.errors)")
        return run.output.split(separator: " ").last.map { $0.trimmingCharacters(in: .newlines) } ?? ""
    }

    @Test func sheet_isReadByTheCamera_andDiffersEachTime() throws {
        let scratch = try Scratch()
        let paths = ["\(scratch.path)/a.png", "\(scratch.path)/b.PNG", "\(scratch.path)/c"]
        for path in paths.prefix(2) {
            let run = try printed("My bathroom", "--output", path)
            #expect(run.exitStatus == 0, "\(run.errors)")
            #expect(run.output.hasPrefix("Wrote \(path). Print it, hang it up"), "\(run.output)")
            #expect(run.output.contains(#"'rooster code enrol "My bathroom"'"#), "\(run.output)")
            #expect(run.output.contains("It shows no fingerprint, because no service answers here."), "\(run.output)")
        }
        #expect(try printed("bathroom", "--png", "--output", paths[2]).exitStatus == 0)
        let payloads = try paths.map(payload)
        for payload in payloads {
            let digits = payload.dropFirst("ROOSTER-".count)
            #expect(payload.hasPrefix("ROOSTER-") && digits.count == 26, "\(payload)")
            #expect(digits.allSatisfy { "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".contains($0) }, "\(payload)")
        }
        #expect(Set(payloads).count == paths.count)
        let mode = try FileManager.default.attributesOfItem(atPath: paths[0])[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func sheet_withoutAFileName_isWrittenToStandardOutput() throws {
        let run = try printed("bathroom")
        #expect(run.exitStatus == 0)
        #expect(run.output.hasPrefix("<?xml") && run.output.hasSuffix("</svg>\n"))
        #expect(run.errors.hasPrefix("rooster: Print it, hang it up"))
        #expect(!run.output.contains("ROOSTER-"))
    }

    @Test func letters_thatAPictureLacks_areSaid() throws {
        let scratch = try Scratch()
        let warning =
            "rooster: warning: The picture has boxes for letters of the label that it cannot draw. A .svg file"
        #expect(try printed("浴室", "--output", "\(scratch.path)/a.png").errors.hasPrefix(warning))
        #expect(try printed("浴室", "--output", "\(scratch.path)/b.svg").errors.isEmpty)
        #expect(try printed("Küche", "--output", "\(scratch.path)/c.png").errors.isEmpty)
    }

    @Test(arguments: ["", String(repeating: "x", count: 500)])
    func labelThatCannotBeEnrolled_isRefused(label: String) throws {
        let run = try printed(label)
        #expect(run.exitStatus == 1 && run.output.isEmpty, "\(run.errors)")
    }
}
