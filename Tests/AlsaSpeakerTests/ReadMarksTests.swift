// The tests of a sound file that crashes its reader.

import Foundation
import Oracles
import Testing

@testable import AlsaSpeaker

@Suite struct ReadMarksTests {
    let scratch: Scratch
    let marks: String

    init() throws {
        scratch = try Scratch()
        marks = "\(scratch.path)/marks"
        try FileManager.default.createDirectory(atPath: marks, withIntermediateDirectories: false)
        try Data(sine(440, seconds: 1, rate: 44_100, peak: 0.3).waveFile).write(
            to: URL(fileURLWithPath: "\(scratch.path)/loon.wav"))
    }

    /// The catalogue as a new process creates it.
    var catalogue: SoundCatalogue {
        SoundCatalogue(directory: scratch.path, marks: ReadMarks(directory: marks))
    }

    /// Begins to read the file and ends in the middle, like a crash.
    func crash() { _ = ReadMarks(directory: marks).begin("loon.wav", at: "\(scratch.path)/loon.wav") }

    func set(_ path: String, secondsAgo: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: "\(scratch.path)/\(path)")
    }

    var isRead: Bool { catalogue.sound("loon.wav", rate: 48_000).id == "loon.wav" }
    var leftMarks: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: marks) } }

    @Test func soundThatIsRead_leavesNoMark() async throws {
        let catalogue = catalogue
        await withTaskGroup(of: Void.self) { group in
            for rate in [44_100, 48_000, 96_000, 8000] {
                group.addTask { #expect(catalogue.sound("loon.wav", rate: rate).id == "loon.wav") }
            }
        }
        #expect(catalogue.sound("nowhere.wav", rate: 48_000).id == "chimes01")
        #expect(try leftMarks.isEmpty)
    }

    @Test func soundThatHasEndedItsReaderTwice_isReplacedByTheDefault() throws {
        crash()
        // A single mark may come from a power cut.
        #expect(isRead)
        crash()
        crash()
        for _ in 0..<3 {
            let made = catalogue.sound("loon.wav", rate: 48_000)
            #expect(made.id == "chimes01")
            #expect(made.warnings.first?.contains("has crashed Rooster twice") == true, "\(made.warnings)")
        }
        #expect(catalogue.entries().last?.problem == "\(SoundFileError.endsItsReader)")
    }

    /// The file's own time may be old, as from a backup, or in the future.
    @Test(arguments: [10.0, 1_000_000, -1_000_000]) func soundFileThatIsReplaced_isReadAgain(secondsAgo: Double) throws
    {
        try set("loon.wav", secondsAgo: secondsAgo)
        crash()
        crash()
        for _ in 0..<3 { #expect(!isRead) }
        let path = "\(scratch.path)/loon.wav"
        try FileManager.default.moveItem(atPath: path, toPath: "\(scratch.path)/bad.wav")
        try FileManager.default.copyItem(atPath: "\(scratch.path)/bad.wav", toPath: path)
        try set("loon.wav", secondsAgo: secondsAgo)
        #expect(isRead)
        #expect(try leftMarks.isEmpty)
    }

    @Test func soundMarkedADayAgo_isReadAgain_untilItCrashesTwiceMore() throws {
        crash()
        crash()
        try set("marks/loon.wav", secondsAgo: 90_000)
        crash()
        crash()
        #expect(!isRead)
    }

    /// A file system's clock may differ slightly from the system's.
    @Test func markSlightlyInTheFuture_counts() throws {
        crash()
        crash()
        try set("marks/loon.wav", secondsAgo: -20)
        #expect(!isRead)
    }

    @Test func sounds_withoutAWritableDirectory_areRead() {
        let catalogue = SoundCatalogue(directory: scratch.path, marks: ReadMarks(directory: "/nowhere"))
        #expect(catalogue.sound("loon.wav", rate: 48_000).id == "loon.wav")
    }
}
