// The tests of the owner's own sound files, good and bad.

import Foundation
import Oracles
import Sound
import System
import Testing

@testable import AlsaSpeaker

@Suite struct SoundFileTests {
    let scratch: Scratch
    let catalogue: SoundCatalogue

    init() throws {
        scratch = try Scratch()
        catalogue = SoundCatalogue(directory: scratch.path)
    }

    func put(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/\(name)"))
    }

    func tone(_ hertz: Double = 440, seconds: Double = 2, rate: Int = 44_100, peak: Double = 0.3) -> [UInt8] {
        sine(hertz, seconds: seconds, rate: rate, peak: peak).waveFile
    }

    /// Returns a WAV file's bytes with a changed number at this offset of its header.
    func changed(_ bytes: [UInt8], at offset: Int, to number: UInt32, bytes count: Int = 4) -> [UInt8] {
        var bytes = bytes
        for part in 0..<count { bytes[offset + part] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(part))) }
        return bytes
    }

    @Test func file_playsAtTheCardsRate_asLoudAsOthers_withoutASeam() throws {
        try put("morning.wav", tone())
        for rate in [44_100, 48_000, 96_000] {
            let made = catalogue.sound("morning.wav", rate: rate)
            #expect(made.warnings == [])
            #expect(made.id == "morning.wav")
            #expect(made.samples.rate == rate)
            #expect(abs(made.samples.seconds - 2) < 0.01)
            let loudness = try #require(made.samples.loudness)
            #expect(abs(loudness - BuiltInSound.loudness) < 1, "\(loudness)")
            let values = made.samples.values
            #expect(abs(values[0]) < 0.01)
            #expect(abs(values[values.count - 1]) < 0.01)
            let crossings = zip(values, values.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
            #expect(abs(crossings - 880) < 4)
        }
    }

    @Test func badFile_isReplacedByTheDefault_withAReason() throws {
        try put("empty.wav", [])
        try put("head.wav", Array(tone().prefix(44)))
        try put("text.mp3", Array("I am no sound at all, whatever my name is.\n".utf8))
        try put("noise.ogg", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 167 >> 3) })
        try put("still.wav", changed(tone(), at: 24, to: 0))
        try put("choir.wav", changed(tone(), at: 22, to: 64, bytes: 2))
        try put("click.wav", tone(seconds: 0.01))
        try put("quiet.wav", tone(peak: 0.000_5))
        try FileManager.default.createDirectory(
            atPath: "\(scratch.path)/folder.wav", withIntermediateDirectories: false)
        mkfifo("\(scratch.path)/pipe.wav", 0o600)
        let bad = [
            "empty.wav", "head.wav", "text.mp3", "noise.ogg", "still.wav", "choir.wav", "click.wav", "quiet.wav",
            "folder.wav", "pipe.wav", "missing.wav", "nothing", "", "../secret.wav", "/etc/passwd", ".hidden.wav",
        ]
        let standard = BuiltInSound.standard.samples()
        for id in bad {
            let made = catalogue.sound(id, rate: 48_000)
            #expect(made.id == "chimes01", "\(id)")
            #expect(made.samples == standard, "\(id)")
            #expect(made.warnings.count == 1)
            #expect(made.warnings.first?.contains(id.debugDescription) == true)
            #expect(made.warnings.first?.contains("Chimes plays instead") == true)
        }
    }

    @Test func truncatedFile_isPlayedToItsLastFrame() throws {
        try put("torn.wav", Array(tone(seconds: 4).prefix(44 + 44_100 * 2)))
        let made = catalogue.sound("torn.wav", rate: 44_100)
        #expect(made.id == "torn.wav")
        #expect(abs(made.samples.seconds - 1) < 0.01)
    }

    /// Returns a WAV file of alternating silence and tone.
    func pieces(_ pieces: [(isTone: Bool, seconds: Double)], noise: Float = 0) -> [UInt8] {
        let rate = 8000
        let values = pieces.flatMap { piece in
            piece.isTone
                ? sine(440, seconds: piece.seconds, rate: rate).values
                : (0..<Int(piece.seconds * Double(rate))).map { $0 % 2 == 0 ? noise : -noise }
        }
        return Samples(values: values, rate: rate).waveFile
    }

    @Test func leadingSilence_isRemoved() throws {
        try put("late.wav", pieces([(false, 20), (true, 2)], noise: 0.001))
        let made = catalogue.sound("late.wav", rate: 48_000)
        #expect(abs(made.samples.seconds - 2) < 0.01)
        #expect(decibels(made.samples.values[480..<4800]) > -20)
        #expect(made.warnings == ["The sound \"late.wav\" begins with 20 s of silence, which are not played"])
    }

    @Test func longPauses_areShortened() throws {
        try put("rare.wav", pieces([(true, 2), (false, 30), (true, 1), (false, 10)]))
        let made = catalogue.sound("rare.wav", rate: 48_000)
        #expect(abs(made.samples.seconds - 5) < 0.01)
        #expect(
            made.warnings == [
                "The sound \"rare.wav\" has pauses longer than 1 s: 38 s of them are not played"
            ])
    }

    @Test func shortPauses_areLeftAsTheyAre() throws {
        try put("beeps.wav", pieces([(false, 0.9), (true, 1), (false, 0.9), (true, 1), (false, 0.9)]))
        let made = catalogue.sound("beeps.wav", rate: 48_000)
        #expect(abs(made.samples.seconds - 4.7) < 0.01)
        #expect(made.warnings == [])
    }

    @Test func softSound_isReported_andInaudibleSoundIsReplaced() throws {
        var click = sine(440, seconds: 1, peak: 0.01)
        for frame in 0..<20 { click.values[frame] = 0.9 }
        try put("click.wav", click.waveFile)
        let made = catalogue.sound("click.wav", rate: 44_100)
        #expect(made.id == "click.wav")
        #expect(made.warnings.first?.contains("dB softer than the built-in sounds") == true)
        // A constant value, and a tone too low for any ear or speaker.
        try put("steady.wav", Samples(values: [Float](repeating: 0.5, count: 88_200), rate: 44_100).waveFile)
        try put("low.wav", tone(3, seconds: 10))
        for name in ["steady.wav", "low.wav"] {
            #expect(catalogue.sound(name, rate: 44_100).id == "chimes01", "\(name)")
        }
    }

    /// Writes a file of that many seconds which repeats its first one. Most of it is a hole, so that the
    /// disk has little to write.
    func putLong(_ name: String, seconds: Int, rate: Int) throws {
        let second = tone(seconds: 1, rate: rate)
        let handle = try FileHandle(forWritingTo: try scratch.file(name))
        try handle.write(contentsOf: changed(second, at: 40, to: UInt32(seconds * rate * 2)).prefix(44))
        for _ in 0..<min(seconds, 200) { try handle.write(contentsOf: second.dropFirst(44)) }
        try handle.truncate(atOffset: UInt64(44 + seconds * rate * 2))
        try handle.close()
    }

    static let longFiles: [(seconds: Int, fileRate: Int, rate: Int, text: String)] = [
        (7200, 8000, 8000, "is 120 min long: only its first 3 min are played, again and again"),
        (7200, 8000, 48_000, "is 120 min long: only its first 3 min are played, again and again"),
        (185, 8000, 192_000, "is 3 min 5 s long: only its first 45 s are played, again and again"),
    ]

    /// The memory stays bounded for any length, and for any rate of the file and the card.
    @Test(arguments: longFiles) func longFile_usesBoundedMemory(
        seconds: Int, fileRate: Int, rate: Int, text: String
    ) throws {
        try putLong("audiobook.wav", seconds: seconds, rate: fileRate)
        let made = catalogue.sound("audiobook.wav", rate: rate)
        #expect(made.id == "audiobook.wav")
        #expect(made.warnings == ["The sound \"audiobook.wav\" \(text)"])
        #expect(made.samples.values.count == min(180 * rate, 180 * 48_000))
        // The limit is 35 MB. A growing array would briefly need twice that.
        #expect(made.samples.values.capacity < 180 * 48_000 + 10_000)
    }

    @Test func catalogue_listsBuiltInSoundsAndFiles() throws {
        try put("b.wav", tone(seconds: 3))
        try put("a.wav", Array("no sound".utf8))
        try put(".hidden.wav", tone())
        let entries = catalogue.entries()
        #expect(entries.prefix(BuiltInSound.all.count).map(\.id) == BuiltInSound.all.map(\.id))
        let files = entries.dropFirst(BuiltInSound.all.count)
        #expect(files.map(\.id) == ["a.wav", "b.wav"])
        #expect(files.first?.problem != nil)
        #expect(abs((files.last?.seconds ?? 0) - 3) < 0.01)
        #expect(files.last?.problem == nil)
        #expect(SoundCatalogue(directory: "/nowhere").entries().count == BuiltInSound.all.count)
    }

    /// The list marks a file that fails at its header, with the same reason as playing it.
    @Test func catalogue_marksFilesWithABadHeader() throws {
        try put("choir.wav", changed(tone(), at: 22, to: 64, bytes: 2))
        try put("fast.wav", changed(tone(), at: 24, to: 1_000_000))
        try put("empty.wav", [])
        try FileManager.default.createDirectory(
            atPath: "\(scratch.path)/folder.wav", withIntermediateDirectories: false)
        let problems = catalogue.entries().dropFirst(BuiltInSound.all.count).map(\.problem)
        let errors: [SoundFileError] = [.channels(64), .empty, .rate(hertz: 1_000_000), .notAFile]
        #expect(problems == errors.map { "\($0)" })
    }

    /// A pipe without a writer would block its reader for ever.
    @Test(.timeLimit(.minutes(10))) func pipeAmongTheSounds_isListedAsAPipe_withoutBlocking() async throws {
        mkfifo("\(scratch.path)/pipe.wav", 0o600)
        let (listed, listing) = AsyncStream<String?>.makeStream()
        try startThread(named: "list") { [catalogue] in listing.yield(catalogue.entries().last?.problem) }
        for await problem in listed {
            #expect(problem == "\(SoundFileError.notAFile)")
            return
        }
        Issue.record("it is not listed")
    }

    @Test func plainTone_isAudibleAtEveryRate() {
        for rate in [4000, 8000, 44_100, 48_000, 192_000] {
            let tone = Samples.plainTone(rate: rate)
            #expect(tone.peak > 0.5)
            #expect(tone.peak < 0.9)
            #expect(abs(tone.values[0] - tone.values[tone.values.count - 1]) < 0.01)
        }
    }

    /// A damaged header must give a valid result: this sound or a replacement.
    @Test func damagedHeaders_alwaysGiveASound() throws {
        var random = SeededRandom(seed: 7)
        let good = tone(seconds: 0.3)
        for _ in 0..<Thoroughness.pick(60, full: 5000) {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<60, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try put("damaged.wav", Array(bytes.prefix(Int.random(in: 10...bytes.count, using: &random))))
            let made = catalogue.sound("damaged.wav", rate: 48_000)
            let isSound = made.samples.values.allSatisfy { $0.isFinite && abs($0) <= 1 } && made.samples.peak > 0.1
            #expect(isSound)
            #expect(made.samples.rate == 48_000)
        }
    }
}
