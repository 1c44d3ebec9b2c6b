// The tests of the loudness measure against the values of its standard.

import Foundation
import Testing

@testable import Sound

@Suite struct LoudnessTests {
    func sine(_ hertz: Double, decibels: Double, seconds: Double = 5, rate: Int = 48_000) -> Samples {
        let amplitude = pow(10, decibels / 20)
        return Samples(
            values: (0..<Int(seconds * Double(rate))).map { index in
                Float(amplitude * sin(2 * .pi * hertz * Double(index) / Double(rate)))
            }, rate: rate)
    }

    /// ITU-R BS.1770: a sine of 997 Hz at full scale in one channel is -3.01 LKFS.
    @Test(arguments: [48_000, 44_100]) func fullScaleSine_hasTheLoudnessOfTheStandard(rate: Int) throws {
        for decibels in [0.0, -18, -40] {
            let loudness = try #require(sine(997, decibels: decibels, rate: rate).loudness)
            #expect(abs(loudness - (decibels - 3.01)) < 0.1)
        }
    }

    /// The standard's filters at other tones: almost nothing below 40 Hz, and 4 dB more above 4 kHz.
    @Test func tones_areWeightedByFrequency() throws {
        func gain(_ hertz: Double) throws -> Double { try #require(sine(hertz, decibels: -20).loudness) + 23.01 }
        #expect(try gain(25) < -9)
        #expect(abs(try gain(200)) < 1)
        #expect(abs(try gain(8000) - 3.3) < 0.5)
    }

    /// Pauses do not count: a tone for half of the time is as loud as a continuous one.
    @Test func pauses_doNotCount() throws {
        let tone = sine(997, decibels: -20, seconds: 10)
        let paused = Samples(
            values: tone.values + [Float](repeating: 0, count: 480_000), rate: tone.rate)
        let (loudness, whole) = (try #require(paused.loudness), try #require(tone.loudness))
        #expect(abs(loudness - whole) < 0.3)
    }

    @Test func silence_hasNoLoudness() {
        #expect(Samples(values: [Float](repeating: 0, count: 48_000), rate: 48_000).loudness == nil)
        #expect(Samples(values: [], rate: 48_000).loudness == nil)
    }
}
