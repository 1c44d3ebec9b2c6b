// The tests of a card's mixer: raised for a ring, and restored after it even if the process crashes.

import Devices
import FaultyCard
import Foundation
import Oracles
import Sound
import Synchronization
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct MixerTests {
    let cards: FaultyCards
    let control: UnsafeMutablePointer<faulty_mixer>
    var scratch: Scratch { cards.scratch }

    init() throws {
        cards = try FaultyCards(["card"], haveMixers: true)
        control = try cards.mixer("card")
        // The owner left the mixer soft, muted on one side, and with a microphone slightly audible.
        control.pointee.volumes = ((40, 42), (90, 90), (0, 0), (33, 34))
        control.pointee.switches = ((1, 0), (0, 0), (0, 0), (1, 0))
    }

    func setting(_ decibels: Double) -> MixerSetting {
        MixerSetting(
            device: "card-mixer", card: "Headphones", configuration: cards.configuration, decibels: decibels)
    }

    /// Returns a memory as one process has it. A second one of the same directory is the next process.
    func memory(_ directory: String? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }) -> MixerMemory {
        MixerMemory(directory: directory ?? scratch.path, warn: warn)
    }

    /// Returns the memory as the next process reads it from the disk.
    func memoryOfTheNext(warn: @escaping @Sendable (String) -> Void = { _ in }) async -> MixerMemory {
        let memory = memory(warn: warn)
        await withCheckedContinuation { read in memory.read { read.resume() } }
        return memory
    }

    /// A mixer without elements is not a fault, so no ring may log a warning about it.
    @Test func mixerWithoutElements_isLeftAlone() throws {
        control.pointee.is_empty = 1
        try setting(0).raise(memory())
        #expect(control.pointee.writes == 0)
    }

    func waitUntilWritten(_ memory: MixerMemory) async throws {
        try await waitUntil { memory.isSettled }
    }

    var numbers: [Int32] {
        withUnsafeBytes(of: (control.pointee.volumes, control.pointee.switches)) {
            Array($0.bindMemory(to: Int32.self))
        }
    }

    @Test func ring_raisesOnlyPlaybackElements_andRestoresThem() throws {
        let (before, memory) = (numbers, memory())
        try setting(-6).raise(memory)
        #expect(control.pointee.volumes.0 == (90, 90), "the main one has the level")
        #expect(control.pointee.volumes.1 == (100, 100), "the next one changes nothing")
        #expect(control.pointee.switches.0 == (1, 1))
        #expect(control.pointee.switches.2 == (1, 1))
        #expect(control.pointee.volumes.3 == (33, 34), "a microphone is no playback")
        #expect(control.pointee.switches.3 == (1, 0))
        try setting(-6).restore(memory)
        #expect(numbers == before)
    }

    @Test func level_isClampedToTheCardsRange() throws {
        try setting(20).raise(memory())
        #expect(control.pointee.volumes.0 == (100, 100))
        try setting(-400).raise(memory())
        #expect(control.pointee.volumes.0 == (0, 0))
    }

    @Test func levels_afterACrash_areRestoredByTheNextStart() async throws {
        let (before, first) = (numbers, memory())
        try setting(0).raise(first)
        try await waitUntilWritten(first)
        // The process dies here. The next one rings before it has read the file, and dies as well.
        let second = memory()
        try setting(-3).raise(second)
        try await waitUntilWritten(second)
        #expect(numbers != before)
        let third = await memoryOfTheNext()
        try setting(0).restore(third)
        #expect(numbers == before)
        try await waitUntilWritten(third)
        // The mixer is restored only once: later changes are the owner's.
        control.pointee.volumes.0 = (7, 7)
        try setting(0).restore(await memoryOfTheNext())
        #expect(control.pointee.volumes.0 == (7, 7))
    }

    /// A ring before the first `read` reads the file as well, so `read` must call back at once.
    @Test(arguments: [true, false]) func read_afterTheFileWasRead_callsBackAtOnce(isKept: Bool) async throws {
        let memory = isKept ? self.memory() : MixerMemory(directory: nil) { _ in }
        try setting(0).raise(memory)
        try await waitUntilWritten(memory)
        let told = Warnings()
        memory.read { told.add("read") }
        #expect(told.all == ["read"])
    }

    /// The levels in the file are older than those that a ring found before the file was read, so the
    /// file's are restored.
    @Test func levelsReadAfterARingHasBegun_areRestored() async throws {
        let (before, first) = (numbers, memory())
        try setting(0).raise(first)
        try await waitUntilWritten(first)
        let late = memory()
        try setting(-3).raise(late)
        try setting(-3).restore(late)
        try await waitUntilWritten(late)
        try setting(-3).restore(late)
        #expect(numbers == before)
    }

    @Test func cardThatIsMissingAtTheRestore_isRestoredLater() async throws {
        let (before, memory) = (numbers, memory())
        try setting(0).raise(memory)
        control.pointee.open_error = ENODEV
        #expect(throws: MixerError.alsa("open", errorNumber: ENODEV)) { try setting(0).restore(memory) }
        control.pointee.open_error = 0
        try await waitUntilWritten(memory)
        try setting(0).restore(await memoryOfTheNext())
        #expect(numbers == before)
    }

    @Test func mixer_whenItsLevelsCannotBeSaved_isRaisedAndRestored() async throws {
        let (before, warnings) = (numbers, Warnings())
        let path = "\(scratch.path)/nowhere"
        let nowhere = memory(path) { warnings.add($0) }
        try setting(-6).raise(nowhere)
        #expect(control.pointee.volumes.0 == (90, 90))
        #expect(control.pointee.switches.0 == (1, 1))
        try await waitUntilWritten(nowhere)
        #expect(
            warnings.all == [
                "A power cut during the ring would leave the mixer loud: cannot write "
                    + "\(path)/mixer-Headphones (No such file or directory)"
            ])
        try setting(-6).restore(nowhere)
        #expect(numbers == before)
        #expect(nowhere.levels(of: "Headphones") == nil)
    }

    /// The file cannot be removed, so the next process will restore the mixer once more. This one warns,
    /// and leaves the owner's levels alone.
    @Test func savedLevels_thatCannotBeRemoved_areIgnored_andReported() async throws {
        let warnings = Warnings()
        let memory = memory { warnings.add($0) }
        try setting(0).raise(memory)
        try await waitUntilWritten(memory)
        // A directory in the place of the file cannot be removed with `unlink`.
        let path = "\(scratch.path)/mixer-Headphones"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try setting(0).restore(memory)
        try await waitUntilWritten(memory)
        #expect(warnings.all.count == 1)
        #expect(warnings.all.first?.hasPrefix("The next start will set the mixer back once more") == true)
        control.pointee.volumes.0 = (7, 7)
        try setting(0).restore(memory)
        #expect(control.pointee.volumes.0 == (7, 7))
    }

    @Test func elementThatCannotBeSet_isReported_andOthersAreRaised() throws {
        let (before, memory) = (numbers, memory())
        control.pointee.write_errors.0 = EIO
        #expect(throws: MixerError.alsa("unmute", errorNumber: EIO)) { try setting(0).raise(memory) }
        #expect(control.pointee.volumes.0 == (40, 42), "the main one takes nothing")
        #expect(control.pointee.volumes.1 == (100, 100))
        #expect(control.pointee.switches.2 == (1, 1), "those behind it are raised all the same")
        control.pointee.write_errors.0 = 0
        try setting(0).restore(memory)
        #expect(numbers == before)
    }

    @Test func elementThatCannotBeRestored_isRemembered_andOthersAreRestored() throws {
        let (before, memory) = (numbers, memory())
        try setting(0).raise(memory)
        control.pointee.write_errors.0 = EIO
        #expect(throws: MixerError.alsa("set", errorNumber: EIO)) { try setting(0).restore(memory) }
        #expect(control.pointee.volumes.1 == (90, 90))
        #expect(control.pointee.switches.2 == (0, 0))
        // Once restored, an element belongs to its owner again.
        control.pointee.volumes.1 = (7, 7)
        control.pointee.write_errors.0 = 0
        try setting(0).restore(memory)
        #expect(control.pointee.volumes.1 == (7, 7))
        control.pointee.volumes.1 = (90, 90)
        #expect(numbers == before)
    }

    /// If one element cannot be restored, its remembered level must not stop the next ring from raising
    /// the others. The same holds if the file is read after the ring.
    @Test(arguments: [true, false]) func elementThatCannotBeRestored_doesNotAffectOthersInTheNextRing(
        isReadLate: Bool
    ) async throws {
        let (before, memory) = (numbers, memory())
        try setting(0).raise(memory)
        control.pointee.write_errors.0 = EIO
        #expect(throws: MixerError.alsa("set", errorNumber: EIO)) { try setting(0).restore(memory) }
        control.pointee.write_errors.0 = 0
        try await waitUntilWritten(memory)
        let next = isReadLate ? self.memory() : memory
        try setting(0).raise(next)
        if isReadLate { await withCheckedContinuation { read in next.read { read.resume() } } }
        #expect(control.pointee.volumes.1 == (100, 100))
        // A process that starts after a crash in this ring restores all elements.
        try await waitUntilWritten(next)
        try setting(0).restore(await memoryOfTheNext())
        #expect(numbers == before)
        try setting(0).raise(next)
        try setting(0).restore(next)
        #expect(numbers == before)
    }

    @Test func damagedMemory_isReported_andTheMixerIsRaised() async throws {
        _ = try scratch.file("mixer-Headphones", holding: "rooster-mixer/1\n0 0=4")
        let (before, warnings) = (numbers, Warnings())
        let memory = await memoryOfTheNext { warnings.add($0) }
        #expect(
            warnings.all == ["A mixer may still have the volume of a ring: \(scratch.path)/mixer-Headphones is damaged"]
        )
        try setting(0).raise(memory)
        #expect(control.pointee.volumes.0 == (100, 100))
        try setting(0).restore(memory)
        #expect(numbers == before)
    }

    /// A power cut may follow at once, so the contents are synced first and then the directory. A removal
    /// is synced as well.
    @Test func savedLevels_areSynced_thenTheirDirectory() throws {
        let synced = Synced()
        let directory = MixerDirectory(path: scratch.path) { synced.sync($0) }
        let (path, file) = (scratch.path, "\(scratch.path)/mixer-Headphones")
        try directory.write(MixerLevels(), "mixer-Headphones")
        #expect(synced.all.map(\.path) == ["\(file).new", path])
        #expect(synced.all.last?.names.contains("mixer-Headphones") == true)
        try directory.remove("mixer-Headphones")
        #expect(synced.all.map(\.path) == ["\(file).new", path, path])
        #expect(synced.all.last?.names.contains("mixer-Headphones") == false)
    }

    @Test func failedSyncOfTheDirectory_isReported() throws {
        let synced = Synced()
        let directory = MixerDirectory(path: scratch.path) { synced.sync($0) }
        let path = "\(scratch.path)/mixer-Headphones"
        synced.refused = scratch.path
        #expect(throws: MixerError.notRemembered(path: path, errorNumber: EIO)) {
            try directory.write(MixerLevels(), "mixer-Headphones")
        }
        #expect(throws: MixerError.notForgotten(path: path, errorNumber: EIO)) {
            try directory.remove("mixer-Headphones")
        }
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
        ("Line Output", true), ("Line Out Front", true), ("Line In", false), ("Bass Speaker", true),
        ("Left Output Mixer PCM", true), ("Left Output Mixer LINPUT3", false),
        ("Left Output Mixer Boost Bypass", false), ("PCM Playback -6dB", false), ("Deemphasis", false),
        ("Headphone Jack Sense", false), ("Max Overclock DAC", false), ("Tone Control - Bass", false),
        ("Treble", false), ("Analogue Playback Boost", false),
    ]

    @Test(arguments: names) func elements_areRecognisedByTheirNames(name: String, isPlayback: Bool) {
        #expect((PlaybackElementNames.place(of: name) != nil) == isPlayback)
    }

    /// Returns the name of each element that is set, with "v" if its level is set and "m" if its switch
    /// is.
    func parts(_ elements: [PlaybackElement]) -> [String] {
        PlaybackElementNames.parts(of: elements).map {
            "\(elements[$0.index].name):\($0.setsVolume ? "v" : "")\($0.setsSwitch ? "m" : "")"
        }
    }

    /// The elements of a WM8960: a path through its mixer that playback needs, paths that would make an
    /// input audible, and effects.
    @Test func elementsOfUnknownNames_areOnlyUnmuted_byPlaybackSwitches() {
        let elements = [
            PlaybackElement(name: "Left Output Mixer PCM", volume: .playback, muting: .playback),
            PlaybackElement(name: "Left Output Mixer LINPUT3", volume: .playback, muting: .shared),
            PlaybackElement(name: "Mono", muting: .shared), PlaybackElement(name: "3D", muting: .shared),
            PlaybackElement(name: "PCM Playback -6dB", muting: .shared),
            PlaybackElement(name: "Speaker", volume: .playback),
            PlaybackElement(name: "Headphone", volume: .shared, muting: .shared),
        ]
        #expect(parts(elements) == ["Speaker:v", "Headphone:vm", "Left Output Mixer PCM:m"])
    }

    /// A USB loudspeaker may give its only volume control a name of its own.
    @Test func levelOfAnUnknownName_isSet_whenNoMainElementHasOne() {
        let own = PlaybackElement(name: "Jabra 410", volume: .playback, muting: .playback)
        #expect(parts([own, PlaybackElement(name: "Effect", volume: .shared)]) == ["Jabra 410:vm"])
        #expect(parts([own, PlaybackElement(name: "PCM", muting: .playback)]) == ["PCM:m", "Jabra 410:vm"])
        #expect(parts([own, PlaybackElement(name: "PCM", volume: .playback)]) == ["PCM:v", "Jabra 410:m"])
        #expect(parts([PlaybackElement(name: "Mic", volume: .playback, muting: .playback)]) == [])
    }
}

private final class Warnings: Sendable {
    private let said = Mutex<[String]>([])
    var all: [String] { said.withLock { $0 } }
    func add(_ text: String) { said.withLock { $0.append(text) } }
}

/// The paths that were synced, in order, each with the names in the directory at that time.
private final class Synced: Sendable {
    private let seen = Mutex<[(path: String, names: [String])]>([])
    private let refusing = Mutex<String?>(nil)
    var all: [(path: String, names: [String])] { seen.withLock { $0 } }

    /// Syncing this path fails.
    var refused: String? {
        get { refusing.withLock { $0 } }
        set { refusing.withLock { $0 = newValue } }
    }

    func sync(_ descriptor: Int32) -> Int32 {
        let link = "/proc/self/fd/\(descriptor)"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        seen.withLock { $0.append((path, names)) }
        guard path != refused else {
            errno = EIO
            return -1
        }
        return 0
    }
}
