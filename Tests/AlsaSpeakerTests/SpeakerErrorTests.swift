// The tests of a ring while a card, the list of cards or the buzzer hangs, is slow or reports wrong states.

import Devices
import FaultyCard
import Foundation
import Mocks
import Oracles
import Synchronization
import Testing

@testable import AlsaSpeaker

/// These tests wait for events without a time limit.
@Suite(.timeLimit(.minutes(10)), .serialized) struct SpeakerErrorTests {
    @Test func onlyCard_thatOpensSlowly_plays() async throws {
        let cards = try FaultyCards(["slow"])
        try cards.control("slow").pointee.open_milliseconds = 900
        let listener = try Listener(ringing: cards.settings())
        try await cards.waitUntilHeard("slow")
        #expect(try cards.control("slow").pointee.opens == 1)
        withExtendedLifetime(listener) {}
    }

    /// The card always reports an underrun and never consumes a frame. Written frames must not count as
    /// played.
    @Test func cardThatIsAlwaysDry_isReplacedByTheNext() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        try cards.control("bad").pointee.is_always_dry = 1
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("spare"))
        try await cards.waitUntilHeard("spare")
    }

    /// Some cards underrun at the small buffer that a ring uses. The speaker must find out that such a
    /// card plays before the ring.
    @Test func cardThatNeedsALargeBuffer_isKnownToPlay_beforeTheRing() async throws {
        let cards = try FaultyCards(["hungry"])
        try cards.control("hungry").pointee.needed_frames = 30 * 48
        let listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        #expect(try cards.control("hungry").pointee.opens == 1)
    }

    /// The card consumes a frame now and then from the start.
    @Test func cardThatTrickles_isReplacedByTheNext() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        try cards.control("bad").pointee.trickles = 1
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("spare"))
        try await cards.waitUntilPlays("spare")
        guard case .fails(.stalled)? = CardCheck.results(of: try cards.cards(), cards.configuration)["bad"] else {
            Issue.record("it is said to play")
            return
        }
    }

    /// For a card that this user may not open, ALSA reports that there is no such card.
    @Test(arguments: [true, false]) func cards_areTried_onlyIfTheUserMayPlayOnThem(areAllowed: Bool) async throws {
        let cards = try FaultyCards(["stuck"])
        try cards.control("stuck").pointee.stalls = 1
        var settings = cards.settings()
        settings.areCardsAllowed = { areAllowed }
        var listener = try Listener(settings)
        let found = await withCheckedContinuation { continuation in
            listener.speaker.tryCards { continuation.resume(returning: $0) }
        }
        #expect(try cards.control("stuck").pointee.opens == (areAllowed ? 1 : 0))
        if areAllowed {
            guard case .failed(.stalled)? = found["stuck"] else {
                Issue.record("it is said to play")
                return
            }
        } else {
            #expect(found == [:])
            _ = try await listener.warning("No permission to use the sound cards")
        }
    }

    @Test func hangingList_silencesNoOpenCard() async throws {
        let cards = try FaultyCards(["good"])
        let listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        cards.gate.shut()
        listener.speaker.order(Listener.playback())
        try await cards.waitUntilHeard("good")
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("good")
        cards.gate.open()
    }

    @Test func hangingList_startsTheBuzzer() async throws {
        let cards = try FaultyCards(["good"])
        cards.gate.shut()
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        let listener = try Listener(ringing: cards.settings(buzzer: buzzer))
        #expect(await buzzes.next() == true)
        cards.gate.open()
        #expect(await buzzes.next() == false)
        try await cards.waitUntilHeard("good")
        withExtendedLifetime(listener) {}
    }

    @Test func failingBuzzer_isRetried_andReportedOnlyOnceItSounds() async throws {
        let cards = try FaultyCards([])
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        buzzer.fail(with: .busy(LineName("gpio17"), holder: nil))
        var listener = try Listener(ringing: cards.settings(buzzer: buzzer))
        #expect(try await listener.warning("buzzer").contains("gpio17"))
        #expect(listener.speaker.status.activeOutput == nil)
        buzzer.fail(with: nil)
        #expect(await buzzes.next() == true)
        let report = try await listener.next()
        guard case .started(.buzzer, _) = report else {
            Issue.record("\(report)")
            return
        }
    }
}
