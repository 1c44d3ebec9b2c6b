// The tests of the owner's sounds at any card's rate: resampling adds no audible tone.

import Foundation
import Oracles
import Sound
import Testing

@testable import AlsaSpeaker

@Suite struct ResamplerTests {
    static let rates: [(hertz: Double, fileRate: Int, rate: Int)] = [
        (15_000, 44_100, 48_000), (15_000, 48_000, 44_100), (997, 8000, 48_000), (3000, 8000, 44_100),
        (15_000, 96_000, 48_000), (15_000, 192_000, 44_100), (3000, 11_025, 96_000), (2000, 48_000, 8000),
    ]

    /// Everything beside the tone is at least 60 dB softer.
    @Test(arguments: rates) func tone_gainsNoOtherFrequency(hertz: Double, fileRate: Int, rate: Int) throws {
        let scratch = try Scratch()
        let bytes = sine(hertz, seconds: 1, rate: fileRate).waveFile
        try Data(bytes).write(to: URL(fileURLWithPath: "\(scratch.path)/tone.wav"))
        let made = SoundCatalogue(directory: scratch.path).sound("tone.wav", rate: rate)
        #expect(made.warnings == [])
        #expect(abs(made.samples.seconds - 1) < 0.001)
        let found = FoundTone([hertz], in: made.samples)
        #expect(found.purity > 60, "\(found.purity) dB")
    }

    /// A tone above the limit of the card's rate must not fold back as a lower tone.
    @Test func toneAboveTheCardsLimit_isRemoved() throws {
        let scratch = try Scratch()
        var both = sine(1000, seconds: 1, rate: 96_000)
        for (frame, value) in sine(30_000, seconds: 1, rate: 96_000).values.enumerated() { both.values[frame] += value }
        try Data(both.waveFile).write(to: URL(fileURLWithPath: "\(scratch.path)/both.wav"))
        let made = SoundCatalogue(directory: scratch.path).sound("both.wav", rate: 48_000)
        let found = FoundTone([1000], in: made.samples)
        #expect(found.purity > 60, "\(found.purity) dB")
    }
}
