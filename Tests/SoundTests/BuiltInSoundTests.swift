// The tests of the properties that every built-in sound must have.

import Foundation
import Testing

@testable import Sound

@Suite struct BuiltInSoundTests {
    static let sounds = BuiltInSound.all
    /// The samples of each sound, rendered once because that is slow.
    static let made: [String: Samples] = {
        var made: [String: Samples] = [:]
        for sound in sounds { made[sound.id] = sound.samples() }
        return made
    }()

    func samples(_ sound: BuiltInSound) throws -> Samples { try #require(Self.made[sound.id]) }

    @Test func ids_neverChange() {
        #expect(Self.sounds.count >= 15)
        #expect(Set(Self.sounds.map(\.id)).count == Self.sounds.count)
        #expect(Set(Self.sounds.map(\.name)).count == Self.sounds.count)
        #expect(BuiltInSound.standard.id == "chimes01")
        #expect(BuiltInSound(id: "bells01")?.name == "Soft Bells")
        #expect(BuiltInSound(id: "tone01")?.name == "Classic Tone")
        #expect(BuiltInSound(id: "ringtone1")?.name == "Ringtone")
        #expect(BuiltInSound(id: "none") == nil)
    }

    @Test(arguments: sounds) func sound_isAsLoudAsTheOthers_andFits(sound: BuiltInSound) throws {
        let samples = try samples(sound)
        let loudness = try #require(samples.loudness)
        #expect(abs(loudness - BuiltInSound.loudness) < 0.5, "\(sound.id): \(loudness)")
        #expect(samples.peak <= 0.9)
        let isFinite = samples.values.allSatisfy { $0.isFinite }
        #expect(isFinite)
    }

    /// The step at the seam must be no larger than those within, or the loop would click.
    @Test(arguments: sounds) func loop_hasNoSeam(sound: BuiltInSound) throws {
        let values = try samples(sound).values
        let steps = zip(values, values.dropFirst()).map { abs($1 - $0) }
        let seam = abs(values[0] - values[values.count - 1])
        #expect(seam <= steps.max() ?? 0, "\(sound.id)")
        // The step is also no larger than those just before it, where no note starts.
        let around = steps.suffix(200).max() ?? 0
        #expect(seam <= around * 1.5 + 0.01, "\(sound.id): \(seam) among \(around)")
    }

    /// A sleeper must not rest in a long pause of the sound.
    @Test(arguments: sounds) func sound_isAudibleInEverySecond(sound: BuiltInSound) throws {
        let samples = try samples(sound)
        let window = samples.rate
        let loop = samples.values + samples.values + samples.values
        for start in stride(from: 0, to: samples.values.count, by: window / 10) {
            let peak = loop[start..<start + window].reduce(Float(0)) { max($0, abs($1)) }
            #expect(peak > 0.05, "\(sound.id) at \(Double(start) / Double(window)) s")
        }
    }

    @Test(arguments: sounds) func sound_isShort(sound: BuiltInSound) throws {
        let seconds = try samples(sound).seconds
        #expect((0.4...12).contains(seconds), "\(sound.id): \(seconds) s")
    }

    /// Returns the strength of a tone in a sound (Goertzel).
    func strength(_ hertz: Double, in samples: Samples) -> Double {
        let turn = 2 * Double.pi * hertz / Double(samples.rate)
        var (one, two) = (0.0, 0.0)
        for value in samples.values { (one, two) = (Double(value) + 2 * cos(turn) * one - two, one) }
        return sqrt(max(0, one * one + two * two - 2 * cos(turn) * one * two)) / Double(samples.values.count)
    }

    @Test func heavySleepersTone_isASquareOf520Hertz() throws {
        let samples = try samples(try #require(BuiltInSound(id: "square520")))
        let fundamental = strength(520, in: samples)
        for (harmonic, share) in [(3.0, 1 / 3.0), (5, 1 / 5.0), (7, 1 / 7.0)] {
            let strength = strength(520 * harmonic, in: samples)
            #expect(abs(strength / fundamental - share) < 0.06, "\(harmonic)")
        }
        for other in [260.0, 1040, 2080] { #expect(strength(other, in: samples) < fundamental / 20) }
    }

    @Test func key_hasTheFrequencyOfItsNumber() {
        for (key, hertz) in [(69, 440.0), (57, 220), (60, 261.63), (84, 1046.5)] {
            let tone = Score(.beep, beatsPerMinute: 60, stepBeats: 1, keys: [key]).rendered(rate: 48_000)
            // A semitone below, and one above.
            for other in [0.9439, 1.0595] {
                #expect(strength(hertz, in: tone) > 10 * strength(hertz * other, in: tone), "\(key)")
            }
        }
    }

    /// Returns the pulses of the sound: the runs of 50 ms windows above or below a quarter of the loudest.
    func pulses(_ samples: Samples) -> [(isOn: Bool, seconds: Double)] {
        let window = samples.rate / 20
        let loop = samples.values + samples.values + samples.values
        let levels = stride(from: 0, to: loop.count - window, by: window).map { start in
            loop[start..<start + window].reduce(Float(0)) { max($0, abs($1)) }
        }
        let bar = (levels.max() ?? 0) / 4
        var pulses: [(isOn: Bool, seconds: Double)] = []
        for level in levels {
            if let last = pulses.last, last.isOn == (level > bar) {
                pulses[pulses.count - 1].seconds += 0.05
            } else {
                pulses.append((level > bar, 0.05))
            }
        }
        return pulses
    }

    /// Three pulses of half a second and a long pause are the fire alarm of ISO 8201.
    func isEvacuation(_ samples: Samples) -> Bool {
        let pulses = pulses(samples)
        return pulses.indices.contains { start in
            let part = pulses[start...].prefix(6)
            let isT3 = part.dropLast().allSatisfy { (0.35...0.65).contains($0.seconds) }
            return part.count == 6 && pulses[start].isOn && isT3 && part.last.map { $0.seconds > 1.1 } ?? false
        }
    }

    @Test(arguments: sounds) func sound_isNotAnEvacuationSignal(sound: BuiltInSound) throws {
        #expect(!isEvacuation(try samples(sound)), "\(sound.id)")
    }

    @Test func evacuationSignal_isRecognised() {
        let pulses = Score(
            .beep, beatsPerMinute: 120, stepBeats: 1, keys: [95, nil, 95, nil, 95, nil, nil, nil])
        #expect(isEvacuation(pulses.rendered(rate: 48_000)))
    }

    @Test func sound_isReproducible_atAnyRate() throws {
        let sound = BuiltInSound.standard
        #expect(sound.samples() == sound.samples())
        let other = sound.samples(rate: 44_100)
        #expect(abs(other.seconds - sound.samples().seconds) < 0.001)
        let loudness = try #require(other.loudness)
        #expect(abs(loudness - BuiltInSound.loudness) < 0.5)
    }

    @Test func waveFile_hasTheStandardHeader() throws {
        let bytes = Samples(values: [0, 1, -1, 0.5], rate: 48_000).waveFile
        #expect(bytes.count == 44 + 8)
        #expect(String(decoding: bytes[0..<4], as: UTF8.self) == "RIFF")
        #expect(String(decoding: bytes[8..<16], as: UTF8.self) == "WAVEfmt ")
        #expect(Array(bytes[44...]) == [0, 0, 0xFF, 0x7F, 0x01, 0x80, 0x00, 0x40])
    }
}

extension BuiltInSound: CustomTestStringConvertible {
    /// A failing test names the sound instead of printing all of its notes.
    public var testDescription: String { id }
}
