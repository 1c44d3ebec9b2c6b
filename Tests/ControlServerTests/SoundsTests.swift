// The tests of the owner's sounds over the socket: uploads in pieces, previews, and files that alarms use.

import API
import AlsaSpeaker
import Fixtures
import Foundation
import JSON
import Oracles
import Sound
import Testing
import Text

@Suite(.timeLimit(.minutes(5))) struct SoundsTests {
    /// A sound of that many seconds.
    private func file(seconds: Int) -> [UInt8] {
        var samples = Samples.plainTone(rate: 8000)
        samples.values = Array(repeatElement(samples.values, count: 2 * seconds).joined())
        return samples.waveFile
    }

    /// Returns the lines that send a file in pieces.
    private func lines(
        _ file: [UInt8], of sound: String = "night.wav", upload: String = "u"
    ) -> [String] {
        stride(from: 0, to: file.count, by: AddSound.pieceBytesMax).map { offset in
            let piece = Array(file[offset..<min(offset + AddSound.pieceBytesMax, file.count)])
            let place = #""upload":"\#(upload)","size":\#(file.count),"offset":\#(offset)"#
            return #"{"do":"addSound","sound":"\#(sound)",\#(place),"data":"\#(piece.base64)"}"#
        }
    }

    private func files(_ fixture: SocketFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(fixture.base.directory)/sounds").sorted()
    }

    @Test func fileInPieces_isListed_heardAndRemoved() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let lines = lines(file(seconds: 20))
            #expect(lines.count > 5)
            for line in lines.dropLast() {
                let answer = try client.ask(line)
                #expect(answer["received"] != nil && answer["sound.id"] == nil, "\(answer)")
            }
            // An unfinished file is no sound.
            #expect(try !"\(client.ask(#"{"do":"sounds"}"#))".contains("night"))
            let added = try client.ask(lines[lines.count - 1])
            #expect(added["sound.id"] == .string("night.wav") && added["sound.seconds"] == .number(20.0), "\(added)")
            #expect(try client.list("sounds", in: #"{"do":"sounds"}"#).contains { $0["id"] == .string("night.wav") })
            #expect(try files(fixture) == ["night.wav"])
            let preview = try client.ask(#"{"do":"sound","sound":"night.wav"}"#)
            let content: MediaReport = try #require(preview["content"]).decoded()
            #expect(content.type == "audio/wav" && content.bytes?.count == 44 + 15 * 24_000 * 2)
            let builtIn = try client.ask(#"{"do":"sound","sound":"chimes01"}"#)
            #expect(builtIn["content.type"] == .string("audio/wav"))
            #expect(try client.ask(#"{"do":"removeSound","sound":"night.wav"}"#)["ok"] == .bool(true))
            #expect(try files(fixture).isEmpty)
            for request in ["sound", "removeSound"] {
                let answer = try client.ask(#"{"do":"\#(request)","sound":"night.wav"}"#)
                #expect(answer["error.code"] == .string("noSuchSound"), "\(answer)")
            }
        }
    }

    /// Pieces that do not follow each other never become a file.
    @Test func otherPieces_areRefused() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let (mine, theirs) = (lines(file(seconds: 8)), lines(file(seconds: 8), upload: "v"))
            func code(_ line: String) throws -> JSON? { try client.ask(line)["error.code"] }
            let lost = JSON.string("uploadLost")
            #expect(try code(mine[1]) == lost)
            #expect(try code(mine[0]) == nil)
            #expect(try code(mine[2]) == lost)
            #expect(try code(theirs[1]) == lost)
            // Another upload ends this one.
            #expect(try code(theirs[0]) == nil)
            #expect(try code(mine[1]) == lost)
            #expect(try files(fixture).allSatisfy { $0.hasPrefix(".") })
            for line in mine { #expect(try code(line) == nil) }
            #expect(try files(fixture) == ["night.wav"])
        }
    }

    @Test(arguments: [
        (#""sound":"chimes01""#, "is the name of a built-in sound"), (#""sound":"morning""#, "with its ending"),
        (#""sound":".mp3""#, "with its ending"), (#""sound":"../a.mp3""#, "with its ending"),
        (#""sound":"a\u0007.mp3""#, "with its ending"), (#""size":16777217"#, "16 MiB"), (#""size":0"#, "16 MiB"),
        (#""data":"AAA""#, "in base64"), (#""data":"""#, "in base64"), (#""upload":"""#, "100 bytes"),
        (#""offset":-1"#, "a place within the file"), (#""offset":9"#, "a place within the file"),
    ])
    func wrongField_isRefused(field: String, reason: String) async throws {
        try await withSocket { fixture in
            let name = try #require(JSON(parsing: Array("{\(field)}".utf8)).members.first).name
            let fields = [#""sound":"a.wav""#, #""upload":"u""#, #""size":4"#, #""offset":0"#, #""data":"AAAA""#]
            let line = fields.filter { !$0.hasPrefix(#""\#(name)""#) } + [field]
            let answer = try Client(of: fixture.path).ask(#"{"do":"addSound",\#(line.joined(separator: ","))}"#)
            #expect(answer["error.code"] == .string("problems") && "\(answer)".contains(reason), "\(answer)")
            #expect(try files(fixture).isEmpty)
        }
    }

    /// A file that cannot be played replaces none that can.
    @Test func unplayableFile_isRefused_andTheOldOneStays() async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let good = file(seconds: 1)
            #expect(try client.ask(lines(good)[0])["ok"] == .bool(true))
            let silence = Samples(values: [Float](repeating: 0, count: 9000), rate: 8000).waveFile
            for bad in [Array("no sound".utf8), silence] {
                let answer = try client.ask(lines(bad)[0])
                #expect(answer["error.problems.0.path"] == .string("data"), "\(answer)")
                #expect("\(answer)".contains("cannot be played"), "\(answer)")
            }
            #expect(try files(fixture) == ["night.wav"])
            let stored = try Data(contentsOf: URL(fileURLWithPath: "\(fixture.base.directory)/sounds/night.wav"))
            #expect([UInt8](stored) == good)
        }
    }

    /// Without its sound, or with another one of its name, the ring of an alarm could be missed.
    @Test(arguments: [
        #"{"do":"add","alarm":{"id":"a","time":"07:00","ring":{"sound":"night.wav"}}}"#,
        #"{"do":"add","alarm":{"id":"a","time":"07:00","escalate":[{"after":60,"sound":"night.wav"}]}}"#,
        #"{"do":"configure","changes":{"defaults":{"ring":{"sound":"night.wav"}}}}"#,
    ])
    func usedFile_isNeitherReplacedNorRemoved(use: String) async throws {
        try await withSocket { fixture in
            let client = try Client(of: fixture.path)
            let line = lines(file(seconds: 1))[0]
            #expect(try client.ask(line)["ok"] == .bool(true))
            #expect(try client.ask(line)["ok"] == .bool(true))
            #expect(try client.ask(use)["ok"] == .bool(true))
            for request in [line, #"{"do":"removeSound","sound":"night.wav"}"#] {
                let answer = try client.ask(request)
                #expect(answer["error.code"] == .string("soundInUse"), "\(answer)")
            }
            #expect(try files(fixture) == ["night.wav"])
        }
    }

    /// A file that would fill the disk would keep the journal from writing.
    @Test func fullDisk_isReported() async throws {
        let scratch = try Scratch()
        for (directory, reserveBytes, reason) in [
            (scratch.path, Int.max / 2, "the disk is full"), ("\(scratch.path)/absent", 0, "no such file"),
        ] {
            try await withSocket(sounds: SoundCatalogue(directory: directory, reserveBytes: reserveBytes)) { fixture in
                let answer = try Client(of: fixture.path).ask(lines(file(seconds: 1))[0])
                #expect(answer["error.code"] == .string("notKept") && "\(answer)".contains(reason), "\(answer)")
                #expect("\(answer)".contains(directory))
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
    }
}
