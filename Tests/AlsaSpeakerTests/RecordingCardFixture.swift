// The card that records its frames, built from ALSA's own plug-ins: real ALSA without a real card.

import Foundation
import Oracles
import Sound
import System

@testable import AlsaSpeaker

/// The ALSA configuration of a card named `recorder` that writes its frames to a file.
struct RecordingCardFixture {
    let scratch: Scratch
    let configuration: AlsaConfiguration
    let format: FrameFormat.Sample

    private static let alsaNames: [FrameFormat.Sample: String] = [
        .s16: "S16_LE", .s24: "S24_LE", .s24packed: "S24_3LE", .s32: "S32_LE", .float32: "FLOAT_LE",
    ]

    /// Sets up recorders of those names, each with its file.
    init(names: [String] = ["recorder"], format: FrameFormat.Sample = .s16, rate: Int = 48_000) throws {
        scratch = try Scratch()
        self.format = format
        let path = scratch.path
        let alsaName = RecordingCardFixture.alsaNames[format] ?? ""
        let texts = names.map { name in
            """
            pcm.\(name)-null { type null }
            pcm.\(name)-file { type file slave.pcm "\(name)-null" file "\(path)/\(name).raw" format raw }
            pcm.\(name) { type plug slave { pcm "\(name)-file" format \(alsaName) rate \(rate) channels 2 } }
            pcm.\(name)-plain { type linear slave { pcm "\(name)-file" format \(alsaName) } }
            """
        }
        configuration = try AlsaConfiguration(texts.joined(separator: "\n"))
    }

    /// Returns all frames of a recorder: the values of the first channel, from -1 to 1.
    func values(_ name: String = "recorder") throws -> [Float] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/\(name).raw")))
        let frameBytes = format.bytes * 2
        return stride(from: 0, to: bytes.count - frameBytes + 1, by: frameBytes).map { offset in
            format.value(of: bytes[offset..<offset + format.bytes])
        }
    }
}

extension FrameFormat.Sample {
    /// Returns the sample that the bytes encode, from -1 to 1.
    func value(of bytes: ArraySlice<UInt8>) -> Float {
        let bits = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return switch self {
        case .s16: Float(Int16(truncatingIfNeeded: bits)) / 32_767
        case .s24, .s24packed: Float(Int32(bitPattern: bits << 8) >> 8) / 8_388_607
        case .s32: Float(Double(Int32(bitPattern: bits)) / 2_147_483_647)
        case .float32: Float(bitPattern: bits)
        }
    }
}

/// A player whose clock advances only when the test asks for frames.
struct FastPlayer {
    let player: Player
    var uptime: Double

    init(_ device: String, _ recorder: RecordingCardFixture, uptime: Double = 100_000) throws {
        player = Player(try CardStream(device, recorder.configuration))
        self.uptime = uptime
    }

    /// Runs the player until that time.
    mutating func run(to end: Double) throws {
        while uptime < end {
            let pause = try player.feedCard(at: uptime)
            uptime = min(end, uptime + pause)
        }
    }
}

extension Player {
    /// Feeds the card until the condition holds. A faulty card consumes frames by the machine's clock, as a
    /// real one does.
    func feedCard(until isSo: () -> Bool) throws {
        while !isSo() { usleep(UInt32(try feedCard(at: Uptime.now) * 1000)) }
    }
}

/// Returns the level of a stretch, in decibels relative to a full-scale sine.
func decibels(_ values: some Collection<Float>) -> Double {
    let power = values.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(values.count, 1))
    return 10 * log10(max(power * 2, 1e-20))
}

/// Returns a sine that loops without a seam.
func sine(_ hertz: Int, rate: Int = 48_000) -> Samples {
    Samples(values: (0..<rate).map { Float(sin(2 * .pi * Double(hertz * $0) / Double(rate))) }, rate: rate)
}

func sine(_ hertz: Double, seconds: Double, rate: Int = 44_100, peak: Double = 0.3) -> Samples {
    let values = (0..<Int(seconds * Double(rate))).map { frame in
        Float(peak * sin(2 * .pi * hertz * Double(frame) / Double(rate)))
    }
    return Samples(values: values, rate: rate)
}
