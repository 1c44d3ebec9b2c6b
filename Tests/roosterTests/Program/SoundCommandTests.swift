// The tests of `rooster sound`: its lists and the files that it writes.

import Foundation
import JSON
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

    /// The service accepts no long lines, so a file is sent in pieces.
    @Test func add_sendsTheFileInPieces() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/my night.flac"
        let file = Data((0..<100_000).map { UInt8($0 % 251) })
        try file.write(to: URL(fileURLWithPath: path))
        let sound = #"{"id":"my night.flac","name":"my night.flac","seconds":2.5,"problem":null}"#
        let added = #"{"received":100000,"sound":\#(sound)}"#
        let server = try CannedService.server(["addSound": #"{"ok":true,"# + added.dropFirst()])
        let run = try server.rooster("sound", "add", path)
        #expect(run.output == "Added \"my night.flac\" (2.5 s)\n", "\(run.errors)")
        let pieces = server.requests.filter { $0.text("do") == "addSound" }
        #expect(pieces.count == 3 && Set(pieces.map { $0.text("upload") }).count == 1)
        #expect(pieces.allSatisfy { $0.text("sound") == "my night.flac" && $0.member("size") == .number(100_000) })
        #expect(pieces.map { $0.member("offset") } == [.number(0), .number(46_080), .number(92_160)])
        let parts = pieces.compactMap { $0.text("data").flatMap { Data(base64Encoded: $0) } }
        #expect(parts.reduce(Data(), +) == file)
        let named = try server.rooster("sound", "add", path, "--name", "dawn.flac", "--json")
        #expect(named.output == "\(added)\n", "\(named.errors)")
        #expect(server.requests.last?.text("sound") == "dawn.flac")
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(try server.rooster("sound", "add", path).errors.contains("is empty"))
    }

    @Test func remove_namesTheAlarmsThatUseTheSound() throws {
        let server = try CannedService.server(["removeSound": #"{"ok":true}"#])
        #expect(try server.rooster("sound", "remove", "mine.wav").output == "Removed \"mine.wav\"\n")
        #expect(server.request("removeSound") == #"{"sound":"mine.wav"}"#)
        let used = try CannedService.server([
            "removeSound": #"{"ok":false,"error":{"code":"soundInUse","message":"It is in use","problems":"#
                + #"[{"path":"6f9619ff-8b86-d011","message":"must first get another sound"}]}}"#
        ]).rooster("sound", "remove", "mine.wav")
        #expect(used.exitStatus == 1 && used.errors.contains("Work must first get another sound"), "\(used.errors)")
    }

    @Test func save_ofAnOwnSound_asksTheService() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/mine.wav"
        let server = try CannedService.server([
            "sound": #"{"ok":true,"content":{"type":"audio/wav","data":"UklGRg=="}}"#
        ])
        let run = try server.rooster("sound", "save", "mine.wav", path)
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("RIFF".utf8))
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
