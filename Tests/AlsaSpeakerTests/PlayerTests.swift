// The tests of the frames that a player writes to ALSA, on a clock that the test advances.

import Foundation
import Oracles
import Sound
import Testing

@testable import AlsaSpeaker

@Suite struct PlayerTests {
    func sound(_ samples: Samples, volume: Double = 1, ramp seconds: Int = 0, at uptime: Int = 100_000) -> PlayedSound {
        PlayedSound(
            samples, ramp: Ramp(volume: volume, seconds: seconds, startUptime: uptime), start: SoundStart())
    }

    static let formats: [FrameFormat.Sample] = FrameFormat.Sample.allCases

    @Test(arguments: formats) func player_isSilentUntilDue_thenRamps_inEveryFormat(format: FrameFormat.Sample) throws {
        let recorder = try RecordingCardFixture(format: format)
        var fast = try FastPlayer("recorder", recorder)
        try fast.run(to: 110_000)
        let before = fast.player.takenFrames
        fast.player.play(sound(sine(1000), ramp: 8, at: 110_000))
        try fast.run(to: 120_000)
        let values = try recorder.values()
        let first = try #require(fast.player.firstHeardFrame)
        // Ten seconds of silence, and at most the card's buffer in excess of them.
        #expect(abs(Double(before) - 480_000) < 4800)
        let isSilent = values[..<first].allSatisfy { $0 == 0 }
        #expect(isSilent)
        #expect(values[first...].prefix(48).contains { $0 != 0 })
        for seconds in [0.0, 1, 2, 4, 6, 7.9] {
            let place = first + Int(seconds * 48_000)
            let level = decibels(values[place..<place + 480])
            let expected = -40 * (1 - (seconds + 0.005) / 8)
            #expect(abs(level - expected) < 0.5, "\(seconds) s: \(level) for \(expected)")
        }
        #expect(abs(decibels(values[(first + 9 * 48_000)...].prefix(4800))) < 0.1)
    }

    /// The card receives exactly the frames of the sound, across periods, turns and loops: one and a half
    /// times through.
    @Test(arguments: BuiltInSound.all) func everySound_reachesTheCardUnchanged(builtIn: BuiltInSound) throws {
        let recorder = try RecordingCardFixture(format: .float32, rate: 8000)
        var fast = try FastPlayer("recorder", recorder)
        let samples = builtIn.samples(rate: 8000)
        fast.player.play(sound(samples))
        try fast.run(to: 100_000 + samples.seconds * 1500 + 200)
        let values = try recorder.values()
        #expect(values.count > samples.values.count * 14 / 10)
        let isSame = values.enumerated().allSatisfy { abs($1 - samples.values[$0 % samples.values.count]) < 1e-6 }
        #expect(isSame, "\(builtIn.id)")
    }

    /// After the gap the sound continues where it would be without the gap.
    @Test func interruption_isAGapOf150Milliseconds() throws {
        let recorder = try RecordingCardFixture(format: .float32)
        var fast = try FastPlayer("recorder", recorder)
        let melody = sine(1000)
        fast.player.play(sound(melody))
        try fast.run(to: 101_000)
        let before = fast.player.takenFrames
        fast.player.interrupt()
        try fast.run(to: 102_000)
        let values = try recorder.values()
        let gap = try #require(
            values.indices.dropFirst(before).first { values[$0...].prefix(4800).allSatisfy { $0 == 0 } })
        #expect(gap - before < 4800)
        let wrong = values.indices.filter { index in
            let expected = gap..<gap + 7200 ~= index ? 0 : melody.values[index % melody.values.count]
            return abs(values[index] - expected) >= 1e-6
        }
        #expect(wrong.count < 48, "\(wrong.count) frames, the first \(wrong.first ?? 0)")
    }

    @Test func mute_dropsUnplayedFrames_andTheNextSoundStartsAtItsBeginning() throws {
        let recorder = try RecordingCardFixture()
        var fast = try FastPlayer("recorder", recorder)
        fast.player.play(sound(sine(440)))
        try fast.run(to: 101_000)
        try fast.player.mute()
        let hushed = fast.player.takenFrames
        try fast.run(to: 102_000)
        #expect(fast.player.firstHeardFrame == nil)
        fast.player.play(sound(sine(440)))
        try fast.run(to: 103_000)
        let values = try recorder.values()
        let pause = values[(hushed + 4800)..<(hushed + 40_000)]
        #expect(pause.allSatisfy { $0 == 0 })
        #expect(abs(decibels(values.suffix(24_000))) < 0.1)
    }

    /// After an underrun of two seconds, the volume ramp is where it would be without it.
    @Test func ramp_continues_whileACardRunsDry() throws {
        let recorder = try RecordingCardFixture()
        var fast = try FastPlayer("recorder", recorder)
        fast.player.play(sound(sine(1000), ramp: 8))
        try fast.run(to: 102_000)
        let before = fast.player.takenFrames
        fast.uptime = 104_000
        try fast.player.recover(.underrun)
        try fast.run(to: 106_000)
        let values = try recorder.values()
        #expect(abs(decibels(values[before - 480..<before]) - -30) < 0.6)
        let after = values[before + 4800..<before + 5280]
        #expect(abs(decibels(after) - (-20 + 5 * 0.105)) < 0.6, "\(decibels(after))")
    }

    /// The second card continues the melody and the ramp where the first would be by then.
    @Test func secondCard_continuesAtTheFirstCardsPosition() throws {
        let recorder = try RecordingCardFixture(names: ["recorder", "other"], format: .float32)
        let melody = BuiltInSound.standard.samples()
        let played = sound(melody, ramp: 10)
        var first = try FastPlayer("recorder", recorder)
        first.player.play(played)
        try first.run(to: 103_000)
        var second = try FastPlayer("other", recorder, uptime: 103_300)
        second.player.play(played)
        try second.run(to: 106_000)
        let (one, other) = (try recorder.values(), try recorder.values("other"))
        let gap = Int(3.3 * 48_000)
        let ramp = played.ramp
        for (start, values) in [(0, one), (gap, other)] {
            var worst: Float = 0
            for (frame, value) in values.enumerated() {
                let gain = Float(ramp.gain(atUptime: 100_000 + Double(start + frame) / 48))
                let expected = melody.values[(start + frame) % melody.values.count] * gain
                worst = max(worst, abs(value - expected))
            }
            #expect(worst < 1e-4, "from frame \(start): \(worst)")
        }
    }

    /// The clock of the first card is slightly fast, and the second starts at the first card's position.
    @Test func secondCard_isNotSofterThanTheFirst() throws {
        let recorder = try RecordingCardFixture(names: ["recorder", "other"], format: .float32)
        let steady = Samples(values: [Float](repeating: 0.5, count: 480), rate: 48_000)
        let played = sound(steady, ramp: 30)
        var first = try FastPlayer("recorder", recorder)
        first.player.play(played)
        try first.run(to: 120_000)
        var second = try FastPlayer("other", recorder, uptime: first.uptime)
        second.player.play(played)
        try second.run(to: 121_000)
        let last = try #require(try recorder.values().last)
        let next = try recorder.values("other")
        #expect(next[0] >= last - 1e-6)
        #expect(abs(Double(next[40_000]) - 0.5 * played.ramp.gain(atUptime: 120_000 + 40_000 / 48)) < 1e-4)
    }

    static let rates: [Int] = [8000, 44_100, 48_000, 96_000]

    @Test(arguments: rates) func sound_isPlayedAtTheCardsRate(rate: Int) throws {
        let recorder = try RecordingCardFixture(rate: rate)
        var fast = try FastPlayer("recorder", recorder)
        #expect(fast.player.format.rate == rate)
        fast.player.play(sound(sine(1000, rate: rate)))
        try fast.run(to: 102_000)
        let values = try recorder.values()
        // ALSA's file plug-in withholds the last frames.
        #expect(abs(Double(values.count) - 2 * Double(rate)) < 0.1 * Double(rate))
        let crossings = zip(values, values.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
        #expect(abs(Double(crossings) - 1000 * Double(values.count) / Double(rate)) < 3)
    }

    /// A file accepts any number of frames at once. The player must feed it no faster than a card.
    @Test func deviceWithoutAClock_isFedInRealTime() throws {
        let recorder = try RecordingCardFixture()
        var fast = try FastPlayer("recorder", recorder)
        for _ in 0..<1000 { _ = try fast.player.feedCard(at: 100_000) }
        #expect(try recorder.values().count < 20_000)
        try fast.run(to: 110_000)
        #expect(try recorder.values().count < 510_000)
    }

    @Test func missingDevice_isRefused() throws {
        let recorder = try RecordingCardFixture()
        #expect(throws: RouteFailure.system(.open, errorNumber: ENOENT)) {
            _ = try CardStream("nobody", recorder.configuration)
        }
    }
}
