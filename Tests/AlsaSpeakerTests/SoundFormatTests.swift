// The tests of the formats of owners' sounds.

import CSndfile
import Foundation
import Oracles
import Sound
import Testing

@testable import AlsaSpeaker

@Suite struct SoundFormatTests {
    /// The constant for MP3, which the headers of some systems lack.
    private static let mpegLayer3: Int32 = 0x23_0000 | 0x0082

    static let formats: [(name: String, format: Int32, purity: Double)] = [
        ("a.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_24), 90), ("b.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_FLOAT), 90),
        ("c.wav", Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_U8), 35),
        ("a.flac", Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_16), 80),
        ("b.flac", Int32(SF_FORMAT_FLAC | SF_FORMAT_PCM_24), 90),
        ("a.ogg", Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS), 30), ("a.mp3", mpegLayer3, 30),
    ]

    /// Writes stereo sound through libsndfile, or fails with its error.
    func write(_ path: String, _ format: Int32, left: Samples, right: Samples) throws {
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (Int32(left.rate), 2, format)
        let file = try #require(sf_open(path, Int32(SFM_WRITE), &info), "\(String(cString: sf_strerror(nil)))")
        let frames = zip(left.values, right.values).flatMap { [$0, $1] }
        // Vorbis copies a whole write onto its stack, so large writes would overflow it.
        for start in stride(from: 0, to: left.values.count, by: 1000) {
            let piece = Array(frames[2 * start..<min(2 * start + 2000, frames.count)])
            #expect(sf_writef_float(file, piece, sf_count_t(piece.count / 2)) == piece.count / 2)
        }
        #expect(sf_close(file) == 0)
    }

    /// Each file is decoded with both channels' frequencies and levels, and its length.
    @Test(arguments: formats) func format_isReadAsItWasWritten(name: String, format: Int32, purity: Double) throws {
        let scratch = try Scratch()
        let rate = 44_100
        let (left, right) = (sine(500, seconds: 1.5, rate: rate), sine(2100, seconds: 1.5, rate: rate, peak: 0.15))
        try write("\(scratch.path)/\(name)", format, left: left, right: right)
        let catalogue = SoundCatalogue(directory: scratch.path)
        let listed = try #require(catalogue.entries().last)
        #expect(listed.problem == nil)
        #expect(abs((listed.seconds ?? 0) - 1.5) < 0.1)
        for cardRate in [44_100, 48_000] {
            let made = catalogue.sound(name, rate: cardRate)
            #expect(made.id == name)
            #expect(made.warnings == [])
            // A block codec may pad the last block.
            #expect((1.49...1.6).contains(made.samples.seconds), "\(made.samples.seconds) s")
            let loudness = try #require(made.samples.loudness)
            #expect(abs(loudness - BuiltInSound.loudness) < 1)
            let (low, high) = (FoundTone([500, 2100], in: made.samples), FoundTone([2100, 500], in: made.samples))
            #expect(low.purity > purity, "\(low.purity) dB")
            let apart = 20 * log10(low.amplitude / high.amplitude)
            #expect(abs(apart - 20 * log10(2)) < 0.5, "\(apart) dB")
        }
    }
}
