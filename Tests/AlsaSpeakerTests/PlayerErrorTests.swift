// The tests of a player on a card that writes short, refuses or fails.

import FaultyCard
import Foundation
import Oracles
import Sound
import Synchronization
import System
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct PlayerErrorTests {
    let cards: FaultyCards
    let card: UnsafeMutablePointer<faulty_card>

    init() throws {
        cards = try FaultyCards(["card"])
        card = try cards.control("card")
    }

    func sound(at uptime: Double) -> PlayedSound {
        PlayedSound(
            BuiltInSound.standard.samples(), ramp: Ramp(volume: 1, seconds: 0, startUptime: Int(uptime) - 1),
            start: SoundStart())
    }

    /// The card ran dry or the machine was suspended, and only the next write reports it.
    @Test(arguments: [EPIPE, ESTRPIPE]) func write_thatIsRefusedOnce_isRetried(number: Int32) throws {
        let player = Player(try CardStream("card", cards.configuration))
        player.play(sound(at: Uptime.now))
        try player.feedCard { player.takenFrames > 4800 }
        let prepares = card.pointee.prepares
        card.pointee.next_write_error = number
        try player.feedCard { card.pointee.next_write_error == 0 }
        #expect(card.pointee.prepares > prepares)
        let taken = card.pointee.taken_frames
        try player.feedCard { card.pointee.taken_frames > taken + 4800 }
        #expect(card.pointee.opens == 1)
    }

    @Test(arguments: [EIO, ENODEV, EBADFD, EINVAL]) func write_thatFails_isNotRetried(number: Int32) throws {
        let player = Player(try CardStream("card", cards.configuration))
        try player.feedCard { player.takenFrames > 4800 }
        card.pointee.write_error = number
        #expect(throws: RouteFailure.system(.write, errorNumber: number)) { try player.feedCard { false } }
    }

    /// The player writes the rest of a short write again: no frame is lost, and none is repeated.
    @Test func shortWrites_loseNothing() throws {
        // The card has room but plays nothing, so the test does not depend on time.
        card.pointee.stalls = 1
        card.pointee.write_frames_max = 100
        try {
            let player = Player(try CardStream("card", cards.configuration))
            player.play(sound(at: 100_000))
            for _ in 0..<100 { _ = try player.feedCard(at: 100_000) }
            #expect(card.pointee.prepares == 1)
        }()
        // The recording is complete once the card is closed.
        let values = try cards.values("card")
        #expect(values.count == 2880)
        let expected = BuiltInSound.standard.samples().values.map { Int16(($0 * 32_767).rounded()) }
        let isSame = zip(values, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
        #expect(isSame)
    }

    /// A playing card must be stopped before it is prepared. Many cards refuse otherwise, and play on
    /// after the ring has ended.
    @Test func mute_dropsTheFramesOfTheCard() throws {
        let player = Player(try CardStream("card", cards.configuration))
        player.play(sound(at: Uptime.now))
        try player.feedCard { player.takenFrames > 4800 }
        let (drops, prepares) = (card.pointee.drops, card.pointee.prepares)
        try player.mute()
        #expect(card.pointee.prepares == prepares + 1)
        #expect(card.pointee.drops == drops + 1)
    }

    /// The delay of a sound server or a screen counts: the sound starts when it is audible, not when it
    /// is written.
    @Test func delayOfTheCard_isInTheStartOfTheSound() throws {
        card.pointee.delay_frames = 9600
        let player = Player(try CardStream("card", cards.configuration))
        try player.feedCard { player.takenFrames > 4800 }
        // The card now consumes nothing. A test that is delayed from here on cannot make it run dry.
        card.pointee.stalls = 1
        _ = try player.feedCard(at: Uptime.now)
        let uptime = Uptime.now
        let sound = sound(at: uptime)
        player.play(sound)
        _ = try player.feedCard(at: uptime)
        let start = sound.start.settled(atUptime: 0)
        #expect(start >= uptime + 200 && start < uptime + 300, "\(start - uptime)")
    }

    /// A card that always fails must not use up the processor: the player retries at most a thousand times
    /// per second.
    @Test func cardThatAlwaysRunsDry_isRetriedWithAPause() async throws {
        (card.pointee.is_always_dry, card.pointee.is_crossed) = (1, 1)
        let control = try PlayerControl()
        let (told, telling) = AsyncStream<PlayerThread.PlayerEvent>.makeStream()
        let route = try #require(cards.cards().first)
        let begin = Uptime.now
        try PlayerThread(card: route, configuration: cards.configuration, control: control) { telling.yield($0) }
            .start()
        try await waitUntil { self.card.pointee.prepares > 100 }
        control.end()
        for await news in told {
            if case .failed(let why) = news { Issue.record("\(why)") }
            if case .closed = news { break }
        }
        #expect(Double(card.pointee.prepares) <= Uptime.now - begin + 2)
    }

    /// The descriptor reports an error, though the card is plugged in and every call to it succeeds.
    @Test func descriptorWithAnError_isAFailureOfTheCard() async throws {
        let control = try PlayerControl()
        let (told, telling) = AsyncStream<PlayerThread.PlayerEvent>.makeStream()
        let card = try #require(cards.cards().first)
        try PlayerThread(card: card, configuration: cards.configuration, control: control) { telling.yield($0) }.start()
        var failure: RouteFailure?
        for await news in told {
            switch news {
            case .opened: self.card.pointee.is_crossed = 1
            case .failed(let why):
                failure = why
                control.end()
            case .noPriority: break
            case .closed: telling.finish()
            }
        }
        #expect(failure == .system(.poll, errorNumber: EIO))
        #expect(self.card.pointee.closes == 1)
    }

    /// Closing a card may take long or hang, and another card must play meanwhile.
    @Test func failure_isReported_beforeTheCardIsClosed() async throws {
        (card.pointee.write_error, card.pointee.close_hangs) = (ENODEV, 1)
        defer { card.pointee.close_hangs = 0 }
        let (news, telling) = AsyncStream<PlayerThread.PlayerEvent>.makeStream()
        let control = try PlayerControl()
        let player = PlayerThread(
            card: try #require(try cards.cards().first), configuration: cards.configuration, control: control
        ) { telling.yield($0) }
        try player.start()
        var failures: [RouteFailure] = []
        for await new in news {
            if case .failed(let failure) = new {
                failures.append(failure)
                #expect(card.pointee.closes == 0)
                card.pointee.close_hangs = 0
                control.end()
            }
            if case .closed = new { break }
        }
        #expect(failures == [.system(.write, errorNumber: ENODEV)])
        #expect(card.pointee.closes == 1)
    }
}
