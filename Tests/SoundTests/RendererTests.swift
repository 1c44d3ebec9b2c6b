// The tests of the frames that a card receives.

import Foundation
import Oracles
import Testing

@testable import Sound

@Suite struct RendererTests {
    static let formats: [FrameFormat] = [
        FrameFormat(.s16, channels: 2, rate: 48_000), FrameFormat(.s24, channels: 2, rate: 44_100),
        FrameFormat(.s24packed, channels: 1, rate: 48_000), FrameFormat(.s32, channels: 6, rate: 96_000),
        FrameFormat(.float32, channels: 2, rate: 8000),
    ]

    /// Decodes one channel's values, as a card would.
    func values(_ bytes: [UInt8], _ format: FrameFormat, channel: Int = 0) -> [Float] {
        stride(from: channel * format.sample.bytes, to: bytes.count, by: format.frameBytes).map { offset in
            let part = bytes[offset..<offset + format.sample.bytes]
            let bits = part.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            switch format.sample {
            case .s16: return Float(Int16(truncatingIfNeeded: bits)) / 32_767
            case .s24: return Float(Int32(bitPattern: bits)) / 8_388_607
            case .s24packed: return Float(Int32(bitPattern: bits << 8) >> 8) / 8_388_607
            case .s32: return Float(Double(Int32(bitPattern: bits)) / 2_147_483_647)
            case .float32: return Float(bitPattern: bits)
            }
        }
    }

    /// Renders frames of a sound in pieces of random lengths.
    func frames(
        _ count: Int, of samples: Samples, _ format: FrameFormat, _ ramp: Ramp, from uptime: Double = 1000,
        seed: UInt64 = 1
    ) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var renderer = Renderer(samples, format: format, ramp: ramp, startUptime: 1000)
        var bytes = [UInt8](repeating: 0xAA, count: count * format.frameBytes)
        var done = 0
        while done < count {
            let piece = min(Int.random(in: 1...1500, using: &random), count - done)
            bytes.withUnsafeMutableBytes { buffer in
                let part = buffer[done * format.frameBytes..<(done + piece) * format.frameBytes]
                // A reading of the clock is a little early or late.
                let jitter = done == 0 ? 0 : Double.random(in: -20...20, using: &random)
                renderer.render(
                    frames: piece, into: UnsafeMutableRawBufferPointer(rebasing: part),
                    heardAtUptime: uptime + Double(done) * 1000 / Double(format.rate) + jitter)
            }
            done += piece
        }
        return bytes
    }

    func constant(_ rate: Int) -> Samples { Samples(values: [Float](repeating: 1, count: 997), rate: rate) }

    @Test(arguments: formats) func ramp_isRightAtEachFrame_inEveryFormat(format: FrameFormat) {
        let ramp = Ramp(volume: 0.8, seconds: 2, startUptime: 1000)
        let bytes = frames(format.rate * 3, of: constant(format.rate), format, ramp)
        for channel in 0..<format.channels {
            let values = values(bytes, format, channel: channel)
            var worst = 0.0
            for (frame, value) in values.enumerated() {
                let part = min(Double(frame) / Double(format.rate) / 2, 1)
                let expected = 0.8 * pow(10, -40 * (1 - part) / 20)
                worst = max(worst, abs(20 * log10(Double(value) / expected)))
            }
            #expect(worst < 0.02, "\(format): \(worst) dB")
            // The level never falls by more than the format's resolution.
            let falls = zip(values, values.dropFirst()).map { $0 - $1 }.max() ?? 0
            #expect(falls <= 1e-6)
        }
    }

    /// The sound repeats without a step, in pieces of any length.
    @Test func loop_repeatsTheSoundWithoutAStep() {
        let format = FrameFormat(.float32, channels: 1, rate: 48_000)
        let sound = Samples(values: (0..<997).map { Float(sin(2 * .pi * 5 * Double($0) / 997)) }, rate: 48_000)
        let ramp = Ramp(volume: 1, seconds: 0, startUptime: 0)
        for seed in 1...UInt64(Thoroughness.pick(5, full: 200)) {
            let values = values(frames(20_000, of: sound, format, ramp, seed: seed), format)
            let isSame = values.enumerated().allSatisfy { $1 == sound.values[$0 % 997] }
            #expect(isSame)
        }
    }

    /// If another card takes over after half a second, it starts at the first card's position and level.
    @Test func laterStart_continuesInSoundAndLevel() {
        let format = FrameFormat(.float32, channels: 1, rate: 48_000)
        let sound = BuiltInSound.standard.samples()
        let ramp = Ramp(volume: 1, seconds: 4, startUptime: 0)
        let whole = values(frames(48_000 * 2, of: sound, format, ramp), format)
        let late = values(frames(48_000, of: sound, format, ramp, from: 1500), format)
        let worst = zip(whole[24_000...], late).map { abs($0 - $1) }.max() ?? 1
        #expect(worst < 1e-5)
    }

    /// A card's clock may be faster than the machine's clock, which sets the position after a break.
    @Test func level_doesNotFall_whenTheCardsClockIsFast() {
        let format = FrameFormat(.float32, channels: 1, rate: 8000)
        let ramp = Ramp(volume: 1, seconds: 30, startUptime: 1000)
        var renderer = Renderer(constant(8000), format: format, ramp: ramp, startUptime: 1000)
        var levels: [Float] = []
        // Five breaks, each after four seconds of the card's clock.
        for round in 0..<5 {
            var bytes = [UInt8](repeating: 0, count: 32_000 * format.frameBytes)
            bytes.withUnsafeMutableBytes {
                renderer.render(frames: 32_000, into: $0, heardAtUptime: 1000 + Double(round) * 4000 * 0.995)
            }
            renderer.interrupt()
            levels += values(bytes, format)
        }
        let falls = zip(levels, levels.dropFirst()).map { $0 - $1 }.max() ?? 0
        #expect(falls <= 1e-6)
        let last = ramp.gain(atUptime: 1000 + 4 * 4000 * 0.995 + 4000)
        #expect(abs(Double(levels.last ?? 0) - last) < 1e-4, "and it goes on by the time")
    }

    @Test(arguments: formats) func tooLargeValues_areClipped_withoutOverflow(format: FrameFormat) {
        let loud: [Float] = [2, -2, 1, -1, .infinity, -.infinity, .nan, 1.0001, -1.0001, 0.999_999_9]
        let samples = Samples(values: loud, rate: format.rate)
        let bytes = frames(10, of: samples, format, Ramp(volume: 1, seconds: 0, startUptime: 0))
        let values = values(bytes, format)
        for (value, sign) in zip(values, [1, -1, 1, -1, 0, 0, 0, 1, -1, 1] as [Float]) {
            #expect(abs(value - sign) < 0.001, "\(value) for \(sign)")
        }
    }

    @Test func emptySound_isSilence() {
        let format = FrameFormat(.s16, channels: 2, rate: 48_000)
        let bytes = frames(
            100, of: Samples(values: [], rate: 48_000), format, Ramp(volume: 1, seconds: 0, startUptime: 0))
        let isSilent = bytes.allSatisfy { $0 == 0 }
        #expect(isSilent)
    }
}
