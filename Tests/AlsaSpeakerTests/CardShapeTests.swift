// The tests of cards with unusual formats, channels, rates or devices, to which the speaker adapts.

import FaultyCard
import Foundation
import Oracles
import Sound
import System
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10)), .serialized) struct CardShapeTests {
    /// The formats, channels and rates of cheap cards, old cards, and surround amplifiers with six or
    /// eight channels.
    static let shapes: [[String]] = [
        ["S16_LE", "1", "44100"], ["S16_LE", "2", "22050"], ["S24_LE", "2", "48000"], ["S24_3LE", "8", "48000"],
        ["S32_LE", "1", "96000"], ["FLOAT_LE", "2", "44100"], ["FLOAT_LE", "6", "192000"],
    ]

    static let formats: [String: FrameFormat.Sample] = [
        "S16_LE": .s16, "S24_LE": .s24, "S24_3LE": .s24packed, "S32_LE": .s32, "FLOAT_LE": .float32,
    ]

    @Test(arguments: shapes) func card_getsAFormatThatItAccepts(shape: [String]) throws {
        let sample = try #require(Self.formats[shape[0]])
        let (channels, rate) = (try #require(Int(shape[1])), try #require(Int(shape[2])))
        let cards = try FaultyCards(["odd"], taking: "format \(shape[0]) channels \(channels) rate \(rate)")
        let stream = try CardStream("odd", cards.configuration)
        #expect(stream.format == FrameFormat(sample, channels: channels, rate: rate))
        let player = Player(stream)
        let begin = Uptime.now
        player.play(
            PlayedSound(
                sine(1000, rate: rate), ramp: Ramp(volume: 0.5, seconds: 0, startUptime: Int(begin) - 1),
                start: SoundStart()))
        try player.feedCard { player.takenFrames >= rate / 4 }
        let recorded = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(cards.scratch.path)/odd.raw")))
        let frameBytes = sample.bytes * channels
        // All channels carry the same sound.
        for channel in [0, channels - 1] {
            let values = stride(from: channel * sample.bytes, to: recorded.count - frameBytes + 1, by: frameBytes).map {
                sample.value(of: recorded[$0..<$0 + sample.bytes])
            }
            let heard = values.drop { abs($0) < 0.001 }
            #expect(heard.count >= rate / 10)
            #expect(abs(decibels(heard.prefix(rate / 10)) - -6.02) < 0.5, "channel \(channel)")
        }
    }

    /// Another program may hold the first of a card's devices.
    @Test func deviceThatDoesNotOpen_isReplacedByTheNextOfItsCard() async throws {
        let cards = try FaultyCards(["direct", "shared"])
        try cards.control("direct").pointee.open_error = EBUSY
        var settings = SpeakerSettings(cards: OneCard(devices: ["direct", "shared"]))
        settings.configuration = cards.configuration
        var listener = try Listener(ringing: settings)
        let report = try await listener.next()
        guard case .started(.route("card"), _) = report else {
            Issue.record("\(report)")
            return
        }
        #expect(try cards.control("direct").pointee.opens == 1)
        try await cards.waitUntilHeard("shared")
    }

    /// When silence is ordered, the card's buffered frames are dropped.
    @Test func silence_dropsTheFramesThatTheCardHasNotPlayed() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(ringing: cards.settings())
        _ = try await listener.next()
        let good = try cards.control("good")
        let before = good.pointee.prepares
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { good.pointee.prepares != before }
        #expect(good.pointee.opens == 1)
    }

    /// A player thread gets real-time priority, or reports that it may not have it.
    @Test func player_getsRealTimePriority_orReportsTheRefusal() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(cards.settings())
        var said = false
        listener.speaker.order(Listener.playback())
        var isStarted = false
        while !isStarted {
            let report = try await listener.any()
            if case .warning(let text) = report, text.contains("real-time") { said = true }
            if case .started = report { isStarted = true }
        }
        let policies = try KernelThread.all().filter { $0.name == "player good" }.map(\.policy)
        #expect(policies.contains(SCHED_FIFO) != said, "\(policies)")
    }
}

private struct OneCard: CardList {
    let devices: [String]
    func cards() throws(AlsaError) -> [Card] { [Card(Route(id: "card", kind: .analogue), devices: devices)] }
    var changeDescriptor: Int32? { nil }
    func drainChanges() {}
}
