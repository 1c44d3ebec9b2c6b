// A card's mixer is raised for a ring and put back, whatever happens in between.

import Devices
import FaultyCard
import Foundation
import Oracles
import Testing

@testable import LinuxDevices

@Suite struct MixerTests {
    let scratch: Scratch
    let configuration: AlsaConfiguration
    /// Both sides write single numbers.
    let control: UnsafeMutablePointer<faulty_mixer>

    init() throws {
        scratch = try Scratch()
        let path = "\(scratch.path)/mixer.control"
        try Data(count: MemoryLayout<faulty_mixer>.size).write(to: URL(fileURLWithPath: path))
        let descriptor = open(path, O_RDWR)
        let memory = mmap(nil, MemoryLayout<faulty_mixer>.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        close(descriptor)
        control = try #require(memory).bindMemory(to: faulty_mixer.self, capacity: 1)
        configuration = try AlsaConfiguration(
            """
            ctl_type.faulty { lib "\(Program.built("librooster-faulty-card.so"))" }
            ctl.mixer { type faulty control "\(path)" }
            """)
        // As an owner left it: soft, muted on one side, and a microphone that is heard a little.
        control.pointee.volumes = ((40, 42), (90, 90), (0, 0), (33, 34))
        control.pointee.switches = ((1, 0), (0, 0), (0, 0), (1, 0))
    }

    func setting(_ decibels: Double, memory: MixerMemory? = nil) -> MixerSetting {
        MixerSetting(
            device: "mixer", card: "Headphones", configuration: configuration, decibels: decibels, memory: memory)
    }

    var memory: MixerMemory { MixerMemory(directory: scratch.path) }

    /// All its numbers, to compare.
    var numbers: [Int32] {
        let (v, s) = (control.pointee.volumes, control.pointee.switches)
        return [
            v.0.0, v.0.1, v.1.0, v.1.1, v.2.0, v.2.1, v.3.0, v.3.1, s.0.0, s.0.1, s.1.0, s.1.1, s.2.0, s.2.1, s.3.0,
            s.3.1,
        ]
    }

    @Test func ring_raisesWhatPlaybackGoesThrough_andNothingElse_andPutsAllBack() throws {
        let before = numbers
        let raised = try setting(-6).raise { Issue.record("\($0)") }
        #expect(control.pointee.volumes.0 == (90, 90), "the main one has the level")
        #expect(control.pointee.volumes.1 == (100, 100), "the next one changes nothing")
        #expect(control.pointee.switches.0 == (1, 1))
        #expect(control.pointee.switches.2 == (1, 1))
        #expect(control.pointee.volumes.3 == (33, 34), "a microphone is no playback")
        #expect(control.pointee.switches.3 == (1, 0))
        raised.restore { Issue.record("\($0)") }
        #expect(numbers == before)
    }

    @Test func level_staysWithinWhatTheCardHas() throws {
        _ = try setting(20).raise { Issue.record("\($0)") }
        #expect(control.pointee.volumes.0 == (100, 100))
        _ = try setting(-400).raise { Issue.record("\($0)") }
        #expect(control.pointee.volumes.0 == (0, 0))
    }

    @Test func crash_isMendedByTheNextStart() throws {
        let before = numbers
        _ = try setting(0, memory: memory).raise { Issue.record("\($0)") }
        // The process dies here; the next one rings before it has put anything back, and dies as well.
        _ = try setting(-3, memory: memory).raise { Issue.record("\($0)") }
        #expect(numbers != before)
        try setting(0, memory: memory).restoreForgotten()
        #expect(numbers == before)
        // And only once: what the owner changes from now on is the owner's.
        control.pointee.volumes.0 = (7, 7)
        try setting(0, memory: memory).restoreForgotten()
        #expect(control.pointee.volumes.0 == (7, 7))
    }

    @Test func cardThatIsGoneWhenItIsToBePutBack_isPutBackLater() throws {
        let before = numbers
        let raised = try setting(0, memory: memory).raise { Issue.record("\($0)") }
        control.pointee.open_error = ENODEV
        var complaints: [String] = []
        raised.restore { complaints.append($0) }
        #expect(complaints.count == 1)
        #expect(complaints.first?.hasPrefix("Headphones: the mixer is not as it was") == true)
        control.pointee.open_error = 0
        try setting(0, memory: memory).restoreForgotten()
        #expect(numbers == before)
    }

    @Test func whatCannotBeWrittenDown_isRaisedAllTheSame_andPutBackAfterTheRing() throws {
        let before = numbers
        let nowhere = MixerMemory(directory: "\(scratch.path)/nowhere")
        var complaints: [MixerError] = []
        let raised = try setting(-6, memory: nowhere).raise { complaints.append($0) }
        #expect(control.pointee.volumes.0 == (90, 90))
        #expect(control.pointee.switches.0 == (1, 1))
        #expect(
            complaints == [.notRemembered(path: "\(scratch.path)/nowhere/mixer-Headphones", errorNumber: ENOENT)])
        #expect(
            complaints.first.map { "\($0)" }
                == "after a power cut in the ring the mixer would stay loud, because "
                + "\(scratch.path)/nowhere/mixer-Headphones cannot be written: No such file or directory")
        raised.restore { Issue.record("\($0)") }
        #expect(numbers == before)
    }

    @Test func whatCannotBeWrittenDown_isPutBackLater_whenTheCardIsGoneAtTheEndOfTheRing() throws {
        let before = numbers
        let nowhere = MixerMemory(directory: "\(scratch.path)/nowhere")
        let raised = try setting(0, memory: nowhere).raise { _ in }
        control.pointee.open_error = ENODEV
        raised.restore { _ in }
        #expect(try nowhere.levels(of: "Headphones") != nil)
        control.pointee.open_error = 0
        try setting(0, memory: nowhere).restoreForgotten()
        #expect(numbers == before)
        #expect(try nowhere.levels(of: "Headphones") == nil)
    }

    @Test func cardThatTakesOnlyAPart_ringsAsLoudAsItGets_andSaysSo() throws {
        let before = numbers
        control.pointee.write_errors.0 = EIO
        var complaints: [MixerError] = []
        let raised = try setting(0, memory: memory).raise { complaints.append($0) }
        #expect(complaints == [.alsa("unmute", errorNumber: EIO)])
        #expect(control.pointee.volumes.0 == (40, 42), "the main one takes nothing")
        #expect(control.pointee.volumes.1 == (100, 100))
        #expect(control.pointee.switches.2 == (1, 1), "those behind it are raised all the same")
        control.pointee.write_errors.0 = 0
        raised.restore { Issue.record("\($0)") }
        #expect(numbers == before)
    }

    @Test func elementThatCannotBePutBack_keepsNoOtherFromIt_andStaysRemembered() throws {
        let before = numbers
        let raised = try setting(0, memory: memory).raise { Issue.record("\($0)") }
        control.pointee.write_errors.0 = EIO
        var complaints: [String] = []
        raised.restore { complaints.append($0) }
        #expect(complaints.count == 1)
        #expect(control.pointee.volumes.1 == (90, 90))
        #expect(control.pointee.switches.2 == (0, 0))
        control.pointee.write_errors.0 = 0
        try setting(0, memory: memory).restoreForgotten()
        #expect(numbers == before)
    }

    @Test func memoryThatIsDamaged_doesNotKeepTheRingSoft() throws {
        _ = try scratch.file("mixer-Headphones", holding: "rooster-mixer/1\n0 0=4")
        #expect(throws: MixerError.unreadable(path: "\(scratch.path)/mixer-Headphones")) {
            try setting(0, memory: memory).restoreForgotten()
        }
        let before = numbers
        let raised = try setting(0, memory: memory).raise { Issue.record("\($0)") }
        #expect(control.pointee.volumes.0 == (100, 100))
        raised.restore { Issue.record("\($0)") }
        #expect(numbers == before)
    }

    @Test func levels_areReadAsTheyWereWritten() throws {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            let levels = MixerLevels(
                elements: (0..<Int.random(in: 0...5, using: &random)).map { number in
                    var element = MixerLevels.Element(
                        name: ["Master", "Bass Speaker", "x  y", "Ä,=1 2"][number % 4],
                        index: UInt32.random(in: 0...9, using: &random), volumes: [:], switches: [:])
                    for channel in 0..<Int32.random(in: 0...4, using: &random) {
                        element.volumes[channel] = Int.random(in: -10_000...65_535, using: &random)
                        if Bool.random(using: &random) { element.switches[channel] = 1 }
                    }
                    return element
                })
            #expect(MixerLevels(levels.text) == levels)
            let torn = String(levels.text.dropLast())
            #expect(MixerLevels(torn) == nil)
        }
    }

    static let names: [(String, Bool)] = [
        ("Master", true), ("PCM", true), ("Speaker", true), ("Headphone", true), ("HDMI", true), ("Digital", true),
        ("Mic", false), ("Mic Boost", false), ("Line", false), ("Line Out", true), ("CD", false), ("Beep", false),
        ("Sidetone", false), ("Loopback Mixing", false), ("UAC2Device", true), ("Capture", false),
    ]

    @Test(arguments: names) func elements_areTakenByTheirNames(name: String, isPlayback: Bool) {
        #expect((PlaybackElementNames.place(of: name) != nil) == isPlayback)
    }
}

extension MixerSetting {
    /// What the next start does after a crash.
    fileprivate func restoreForgotten() throws {
        if let before = try forgotten() { try restore(before) }
    }
}
