// What `rooster sound` lists and writes.

import Foundation
import Oracles
import Testing

@Suite struct SoundCommandTests {
    func rooster(_ arguments: String...) throws -> Program {
        try Program(Program.built("rooster"), ["sound"] + arguments)
    }

    @Test func list_saysEachSound() throws {
        let run = try rooster("list")
        #expect(run.exitStatus == 0)
        #expect(run.lines.count >= 15)
        #expect(run.lines.first == "chimes01     3.6 s   Chimes")
        let json = try rooster("list", "--json")
        #expect(json.lines.first == #"{"id":"chimes01","name":"Chimes","seconds":3.6}"#)
    }

    @Test func save_writesAFile_andKeepsOneThatIsThere() throws {
        let scratch = try Scratch()
        let path = "\(scratch.path)/tone.wav"
        #expect(try rooster("save", "tone01", path).exitStatus == 0)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(bytes.prefix(4) == Data("RIFF".utf8))
        #expect(bytes.count == 44 + 2 * 38_400)
        let again = try rooster("save", "bells01", path)
        #expect(again.exitStatus == 1)
        #expect(again.complaints == ["rooster: \(path): File exists"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func whatIsWrong_isSaid() throws {
        #expect(try rooster("save", "none", "/tmp/none.wav").complaints.first?.contains("there is no sound") == true)
        for words in [["save"], ["save", "tone01"], ["list", "tone01"], ["play"], [], ["save", "a", "b", "c"]] {
            #expect(try Program(Program.built("rooster"), ["sound"] + words).exitStatus == 2, "\(words)")
        }
    }
}
