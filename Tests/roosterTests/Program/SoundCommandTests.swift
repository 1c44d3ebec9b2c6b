// What `rooster sound` lists and writes.

import Foundation
import Oracles
import ScriptedService
import Testing

@Suite struct SoundCommandTests {
    func rooster(_ arguments: String...) throws -> Program {
        try Program(Program.built("rooster"), ["sound"] + arguments, environment: ["ROOSTER_SOCKET": "/nowhere"])
    }

    @Test func list_saysEachSound() throws {
        let run = try rooster("list")
        #expect(run.exitStatus == 0)
        #expect(run.lines.count >= 15)
        #expect(run.lines.first == "chimes01     3.6 s   Chimes")
        let json = try rooster("list", "--json")
        #expect(json.lines.first == #"{"id":"chimes01","name":"Chimes","seconds":3.6,"problem":null}"#)
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
        #expect(again.complaints == ["rooster: \(path): File exists; choose another name"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func whatIsWrong_isSaid() throws {
        #expect(try rooster("save", "none", "/tmp/none.wav").complaints.first?.contains("there is no sound") == true)
        let wrong = [
            ["save"], ["save", "tone01"], ["list", "tone01"], ["play"], [], ["save", "a", "b", "c"],
            ["test", "--seconds", "0"], ["test", "--seconds", "61"], ["test", "--volume", "0"],
            ["test", "--volume", "loud"], ["test", "a", "b"],
            ["test", "--json"], ["save", "tone01", "/nowhere/tone.wav", "--json"], ["test", "--volume", "101%"],
        ]
        for words in wrong {
            #expect(try Program(Program.built("rooster"), ["sound"] + words).exitStatus == 2, "\(words)")
        }
        let unknown = try rooster("test", "none")
        #expect(unknown.exitStatus == 1)
        #expect(unknown.complaints == ["rooster: there is no sound \"none\": 'rooster sound list' shows all"])
        let noSpeaker = try rooster("test", "--speaker", "Headphone-of-nobody")
        #expect(noSpeaker.exitStatus == 1)
        #expect(noSpeaker.complaints.count == 1)
    }

    @Test func test_isHeard_onADeviceByItsName() throws {
        let scratch = try Scratch()
        let recording = "\(scratch.path)/recording.raw"
        let text = """
            pcm.silence { type null }
            pcm.recorder { type file slave.pcm "silence" file "\(recording)" format raw }
            """
        let configuration = try scratch.file("alsa.conf", holding: text)
        let run = try Program(
            Program.built("rooster"), ["sound", "test", "bells01", "--seconds", "1", "--speaker", "alsa:recorder"],
            environment: [
                "ROOSTER_SOCKET": "/nowhere", "ALSA_CONFIG_PATH": configuration.path,
                "XDG_STATE_HOME": "\(scratch.path)/state",
            ])
        #expect(run.exitStatus == 0, "\(run.errors)")
        #expect(run.lines == ["Soft Bells on alsa:recorder (ALSA's recorder)"])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: recording))
        #expect(bytes.contains { $0 != 0 })
    }

    /// As the service would have them.
    @Test func ownSounds_areWhereTheConfigurationSays() throws {
        let scratch = try Scratch()
        #expect(try rooster("save", "tone01", "\(scratch.path)/mine.wav").exitStatus == 0)
        let file = try scratch.file("rooster.conf", holding: "speaker: { sounds = \"\(scratch.path)\"; };\n")
        #expect(try rooster("list", "--config", file.path).lines.contains("mine.wav     0.8 s   mine.wav"))
    }

    @Test func ownSounds_areListed_andOneThatCannotBePlayedSaysWhy() throws {
        let scratch = try Scratch()
        #expect(try rooster("save", "tone01", "\(scratch.path)/mine.wav").exitStatus == 0)
        _ = try scratch.file("torn.mp3", holding: "no sound at all")
        let list = try rooster("list", "--sounds", scratch.path)
        #expect(list.lines.contains("mine.wav     0.8 s   mine.wav"))
        #expect(list.lines.last?.hasPrefix("torn.mp3    cannot be played: ") == true)
    }

    /// Built-in sounds are no answer to whoever asks for others.
    @Test func soundsThatNobodyCanList_areNotTakenForNone() throws {
        let scratch = try Scratch()
        let missing = "\(scratch.path)/none"
        let list = try rooster("list", "--sounds", missing)
        #expect(list.exitStatus == 1 && list.lines.isEmpty)
        #expect(list.complaints == ["rooster: \(missing): No such file or directory"])
        let test = try rooster("test", "mine.wav", "--sounds", missing)
        #expect(test.exitStatus == 1)
        #expect(test.complaints == ["rooster: \(missing): No such file or directory"])
        // Where the configuration says so, the others are listed all the same.
        let noDirectory = try scratch.file("sounds").path
        let file = try scratch.file("rooster.conf", holding: "speaker: { sounds = \"\(noDirectory)\"; };\n")
        let others = try rooster("list", "--config", file.path)
        #expect(others.exitStatus == 0 && others.lines.count >= 15)
        #expect(
            others.complaints == [
                "rooster: warning: \(noDirectory): Not a directory: your own sounds are not among these"
            ])
    }

    /// They are its owner's to hear, and the service knows of them.
    @Test func list_isThatOfTheServiceThatRuns() throws {
        let server = try House.server([
            "sounds": #"{"ok":true,"sounds":[{"id":"mine.wav","name":"mine.wav","seconds":0.84},"#
                + #"{"id":"torn.mp3","name":"torn.mp3","problem":"no sound"}]}"#
        ])
        let list = try server.rooster("sound", "list")
        #expect(list.lines == ["mine.wav     0.8 s   mine.wav", "torn.mp3    cannot be played: no sound"])
        let other = try server.rooster("sound", "list", "--sounds", "/tmp")
        #expect(other.exitStatus == 1)
        #expect(other.complaints.first?.contains("roosterd runs") == true)
    }

    /// A test where no service runs, whose end is waited for by whoever starts it.
    func begunTest(_ scratch: Scratch, seconds: Int) async throws -> Process {
        let recording = "\(scratch.path)/recording.raw"
        let text = """
            pcm.silence { type null }
            pcm.recorder { type file slave.pcm "silence" file "\(recording)" format raw }
            """
        let configuration = try scratch.file("alsa.conf", holding: text)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Program.built("rooster"))
        process.arguments = ["sound", "test", "tone01", "--seconds", "\(seconds)", "--speaker", "alsa:recorder"]
        process.environment = [
            "ROOSTER_SOCKET": "\(scratch.path)/control.sock", "ALSA_CONFIG_PATH": configuration.path,
            "XDG_STATE_HOME": "\(scratch.path)/state",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: scratch.file("errors"))
        try process.run()
        while !((try? Data(contentsOf: URL(fileURLWithPath: recording)))?.contains { $0 != 0 } ?? false) {
            try await Task.sleep(for: .milliseconds(20))
        }
        return process
    }

    /// An alarm that is due then needs the speaker.
    @Test(.timeLimit(.minutes(10))) func test_endsWhenTheServiceStarts() async throws {
        let scratch = try Scratch()
        let process = try await begunTest(scratch, seconds: 20)
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        let server = try House.server()
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/control.sock", withDestinationPath: server.path)
        while process.isRunning { try await Task.sleep(for: .milliseconds(20)) }
        #expect(process.terminationStatus == 0)
        let errors = try String(contentsOfFile: "\(scratch.path)/errors", encoding: .utf8)
        #expect(errors.hasSuffix("rooster: roosterd runs by now: it has the speakers, and the test is over\n"))
    }

    /// Whoever has had enough is obeyed at once, and sees the program end by the signal that was sent.
    @Test(.timeLimit(.minutes(10)), arguments: [SIGINT, SIGTSTP])
    func test_endsByTheSignalThatStopsIt(signal: Int32) async throws {
        let scratch = try Scratch()
        let process = try await begunTest(scratch, seconds: 60)
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        while process.isRunning {
            kill(process.processIdentifier, signal)
            try await Task.sleep(for: .milliseconds(300))
            // Who was stopped by Ctrl-Z goes on when it is told to: by then the test is over. What it has not seen by now,
            // this takes back.
            kill(process.processIdentifier, SIGCONT)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(process.terminationReason == (signal == SIGTSTP ? .exit : .uncaughtSignal))
        #expect(process.terminationStatus == (signal == SIGTSTP ? 0 : signal))
    }
}
