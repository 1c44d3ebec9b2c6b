// The tests of `rooster sound`: its lists and the files that it writes.

import Foundation
import Oracles
import ScriptedService
import Testing

@testable import rooster

@Suite struct SoundCommandTests {
    func rooster(_ arguments: String...) throws -> Program {
        try Program(Program.built("rooster"), ["sound"] + arguments, environment: ["ROOSTER_SOCKET": "/nowhere"])
    }

    @Test func save_writesAFile_andOverwritesNone() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/tone.wav"
        #expect(try rooster("save", "tone01", path).exitStatus == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.prefix(4) == Data("RIFF".utf8))
        #expect(bytes.count == 44 + 2 * 38_400)
        let again = try rooster("save", "bells01", path)
        #expect(again.exitStatus == 1)
        #expect(again.complaints == ["rooster: \(path) exists already. Choose another name."])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func unknownSound_isNamed() throws {
        #expect(try rooster("save", "none", "/tmp/none.wav").complaints.first?.contains("There is no sound") == true)
        let unknown = try rooster("test", "none")
        #expect(unknown.exitStatus == 1)
        #expect(unknown.complaints == ["rooster: There is no sound \"none\". 'rooster sound list' shows all."])
    }

    /// The service lists the owner's own files as well.
    @Test func list_comesFromTheRunningService() throws {
        let server = try CannedService.server([
            "sounds": #"{"ok":true,"sounds":[{"id":"mine.wav","name":"mine.wav","seconds":0.8},"#
                + #"{"id":"torn.mp3","name":"torn.mp3","problem":"no sound"}]}"#
        ])
        let list = try server.rooster("sound", "list")
        #expect(list.lines == ["mine.wav     0.8 s   mine.wav", "torn.mp3    cannot be played: no sound"])
    }

    @Test(arguments: [["sound", "list"], ["sound", "test"], ["speakers"]])
    func serviceCommand_withoutAService_namesARemedy(words: [String]) throws {
        let standard = RunningService.standardSocket
        let run = try Program(Program.built("rooster"), words + ["--socket", standard])
        #expect(run.exitStatus == 1 && run.lines.isEmpty)
        let start =
            "rooster: The service is not running: nothing listens at \(standard). Start it with 'sudo systemctl start "
        #expect(run.complaints.count == 1 && run.errors.hasPrefix(start), "\(run.errors)")
    }
}
