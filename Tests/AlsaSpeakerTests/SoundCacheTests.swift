// The tests of the replacement sound, played while the wanted one is prepared or if it never is.

import Sound
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct SoundCacheTests {
    /// The gate that holds back files. Built-in sounds are made at once.
    let gate: Gate
    let made: AsyncStream<(SoundKey, SoundCatalogue.Made)>
    var cache: SoundCache

    init() {
        let gate = Gate(isOpen: false)
        let (made, making) = AsyncStream<(SoundKey, SoundCatalogue.Made)>.makeStream()
        (self.gate, self.made) = (gate, made)
        cache = SoundCache { key in
            if BuiltInSound(id: key.id) == nil { gate.pass() }
            return SoundCacheTests.sound(of: key)
        } callback: {
            making.yield(($0, $1))
        }
    }

    static func sound(of key: SoundKey) -> SoundCatalogue.Made {
        SoundCatalogue().sound(BuiltInSound(id: key.id)?.id ?? "tone01", rate: key.rate)
    }

    static func playback(_ sound: String) -> Playback {
        Playback(reason: "07:00", sound: sound, ramp: Ramp(volume: 1, seconds: 0, startUptime: 0))
    }

    /// Stores finished sounds until this one is ready at this rate.
    mutating func takeWhatIsMade(until id: String, rate: Int = 48_000) async throws {
        for await (key, sound) in made {
            cache.store(sound, for: key)
            if key == SoundKey(id: id, rate: rate) { return }
        }
    }

    mutating func samples(_ playback: Playback, rate: Int = 48_000) throws -> (PlayedSound, SoundCache.Choice) {
        let choice = try #require(cache.choice(rate: rate))
        return (cache.sound(choice, for: playback, rate: rate), choice)
    }

    @Test mutating func slowFile_isAwaitedBriefly_thenReplacedUntilItIsRead() async throws {
        let playback = Self.playback("mine.wav")
        cache.prepare(.play(playback), rates: [48_000])
        #expect(cache.choice(rate: 48_000) == nil)
        let timeout = try #require(cache.timeoutUptime)
        cache.expire(at: timeout, rates: [48_000])
        // The standard sound is not ready either.
        let (tone, first) = try samples(playback)
        #expect(first == .tone)
        #expect(tone.samples == Samples.plainTone(rate: 48_000))
        try await takeWhatIsMade(until: BuiltInSound.standard.id)
        let (chimes, second) = try samples(playback)
        #expect(second == .standard)
        #expect(chimes.samples == BuiltInSound.standard.samples(rate: 48_000))
        gate.open()
        try await takeWhatIsMade(until: "mine.wav")
        let (file, third) = try samples(playback)
        #expect(third == .wanted)
        #expect(file.samples == Self.sound(of: SoundKey(id: "mine.wav", rate: 48_000)).samples)
        // Each sound starts at its beginning.
        #expect(tone.start !== chimes.start && chimes.start !== file.start)
    }

    /// The cache waited for the file during the notice, and made the replacement meanwhile.
    @Test mutating func slowFile_afterANotice_isNotAwaitedAgain() async throws {
        let playback = Self.playback("mine.wav")
        cache.prepare(.ready(sound: "mine.wav"), rates: [48_000], at: 1000)
        try await takeWhatIsMade(until: BuiltInSound.standard.id)
        cache.prepare(.ready(sound: "mine.wav", isNear: true), rates: [48_000], at: 5000)
        cache.prepare(.play(playback), rates: [48_000], at: 11_000)
        let (_, first) = try samples(playback)
        #expect(first == .standard)
        gate.open()
        try await takeWhatIsMade(until: "mine.wav")
        let (_, second) = try samples(playback)
        #expect(second == .wanted)
    }

    /// The wait starts at the notice of the same sound. A notice of another sound does not count.
    @Test(arguments: [("mine.wav", 1200.0), ("other.wav", 1250.0)])
    mutating func slowFile_afterAShortNotice_isAwaited(noticed: String, end: Double) throws {
        cache.prepare(.ready(sound: noticed), rates: [48_000], at: 1000)
        cache.prepare(.play(Self.playback("mine.wav")), rates: [48_000], at: 1050)
        #expect(cache.timeoutUptime == end)
        gate.open()
    }

    /// With the maximum of hanging files, built-in sounds must still be made.
    @Test mutating func hangingFiles_doNotDelayBuiltInSounds() async throws {
        for number in 1...3 {
            cache.prepare(.play(Self.playback("\(number).wav")), rates: [44_100])
            cache.prepare(.silent, rates: [])
        }
        cache.prepare(.play(Self.playback("bells01")), rates: [44_100])
        try await takeWhatIsMade(until: "bells01", rate: 44_100)
        cache.prepare(.play(Self.playback("4.wav")), rates: [44_100])
        let timeout = try #require(cache.timeoutUptime)
        cache.expire(at: timeout, rates: [44_100])
        try await takeWhatIsMade(until: BuiltInSound.standard.id, rate: 44_100)
        #expect(cache.choice(rate: 44_100) == .standard)
        gate.open()
    }
}
