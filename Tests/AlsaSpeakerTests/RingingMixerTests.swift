// How loud mixers are while something is to be heard, before and after.

import FaultyCard
import Foundation
import Oracles
import Synchronization
import Testing

@testable import AlsaSpeaker

/// What becomes of mixers while there is something to be heard, and after.
@Suite(.timeLimit(.minutes(10)), .serialized) struct RingingMixerTests {
    let cards: FaultyCards
    let state: String

    init() throws {
        cards = try FaultyCards(["good"], haveMixers: true)
        state = "\(cards.scratch.path)/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        let mixer = try cards.mixer("good")
        // As its owner left it: soft, and muted.
        mixer.pointee.volumes = ((40, 40), (50, 50), (0, 0), (33, 34))
        mixer.pointee.switches = ((0, 0), (0, 0), (0, 0), (0, 0))
    }

    var settings: SpeakerSettings {
        var settings = cards.settings()
        settings.mixerDirectory = state
        return settings
    }

    /// As another process leaves it that is killed while it rings.
    func leaveRaised() async throws {
        let card = try #require(cards.cards().first)
        let setting = try #require(settings.mixer(of: card))
        let memory = MixerMemory(directory: state) { Issue.record("\($0)") }
        try setting.raise(memory)
        try await waitUntil { memory.isSettled }
    }

    func waitUntilRaised() async throws { try await cards.waitUntilMain(of: "good", is: 100, isMuted: false) }
    func waitUntilPutBack() async throws { try await cards.waitUntilMain(of: "good", is: 40, isMuted: true) }

    /// A speaker that rings, and has raised the mixer.
    func startRing() async throws -> Listener {
        let listener = try Listener(ringing: settings)
        try await waitUntilRaised()
        return listener
    }

    /// Ends the ring, and waits until the mixer is put back.
    func endRing(_ listener: Listener) async throws {
        listener.speaker.order(.silent)
        try await waitUntilPutBack()
    }

    @Test func mixer_isRaisedWhileItRings_andPutBackAfter() async throws {
        let listener = try await startRing()
        #expect(!listener.speaker.areMixersRestored)
        listener.speaker.order(.silent)
        try await waitUntil { listener.speaker.areMixersRestored }
        try await waitUntilPutBack()
        #expect(try cards.mixer("good").pointee.volumes.1 == (50, 50))
        // And again.
        listener.speaker.order(Listener.playback("again"))
        try await waitUntilRaised()
        try await endRing(listener)
    }

    /// Whoever only tries in the evening whether it would ring leaves the mixer alone.
    @Test func mixer_isNotRaisedForATry() async throws {
        let (mixer, good) = (try cards.mixer("good"), try cards.control("good"))
        let listener = try Listener(settings)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        listener.speaker.order(.silent)
        try await waitUntil { good.pointee.closes == 1 }
        // What had been raised would be put back by now.
        try await waitUntil { listener.speaker.areMixersRestored }
        #expect(mixer.pointee.writes == 0)
    }

    @Test func mixer_isRaisedAheadOfARing_andPutBackWhenThereWillBeNone() async throws {
        let listener = try Listener(settings)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        listener.speaker.order(.ready(sound: "chimes01", isNear: true))
        try await waitUntilRaised()
        #expect(try cards.control("good").pointee.first_heard_nanoseconds == 0)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntilPutBack()
        #expect(try cards.control("good").pointee.closes == 0)
    }

    /// A card that cannot be let go is silent, and its mixer is its owner's.
    @Test(arguments: [true, false]) func mixer_isPutBack_thoughItsCardHangsInClosing(isAtTheEnd: Bool) async throws {
        let good = try cards.control("good")
        let listener = try await startRing()
        try await cards.waitUntilHeard("good")
        good.pointee.close_hangs = 1
        defer { good.pointee.close_hangs = 0 }
        if isAtTheEnd { listener.speaker.end() } else { listener.speaker.order(.silent) }
        try await waitUntilPutBack()
        #expect(good.pointee.closes == 0)
        try await waitUntil { listener.speaker.areMixersRestored }
    }

    /// Whatever keeps mixers over a reboot has kept this one as it was in the middle of the ring, and sets it like that again.
    @Test func mixer_isPutBackByTheNextStart_afterAnEndInTheMiddleOfARing() async throws {
        let mixer = try cards.mixer("good")
        let listener = try await startRing()
        listener.speaker.end()
        try await waitUntilPutBack()
        try await waitUntil { listener.speaker.areMixersRestored }
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((100, 100), (1, 1))
        let next = try Listener(settings)
        try await waitUntilPutBack()
        try await waitUntil { next.speaker.areMixersRestored }
        #expect(try FileManager.default.contentsOfDirectory(atPath: state).isEmpty)
        withExtendedLifetime(listener) {}
    }

    /// Its owner has had enough of that, and has it left alone from now on: as it is, it is not his.
    @Test func mixerThatIsToBeLeftAlone_isPutBackOnce_afterACrash() async throws {
        try await leaveRaised()
        var settings = settings
        settings.mixerDecibels = nil
        let listener = try Listener(settings)
        try await waitUntilPutBack()
        let writes = try cards.mixer("good").pointee.writes
        listener.speaker.order(Listener.playback())
        try await cards.waitUntilHeard("good")
        listener.speaker.order(.silent)
        try await waitUntil { listener.speaker.areMixersRestored }
        #expect(try cards.mixer("good").pointee.writes == writes)
    }

    /// A ring right after the start is raised whatever is known of before the crash, and put back to that.
    @Test func mixer_isPutBackToWhatItWasBeforeTheCrash_byARingToo() async throws {
        try await leaveRaised()
        let mixer = try cards.mixer("good")
        // So that it is seen to be raised once more.
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((99, 99), (0, 0))
        let listener = try Listener(ringing: settings)
        try await cards.waitUntilHeard("good")
        try await waitUntilRaised()
        try await endRing(listener)
    }

    /// The disk where it is remembered how the mixer was does not answer: there is a pipe that nobody reads or writes.
    @Test(arguments: ["mixer-good", "mixer-good.new"]) func diskThatHangs_keepsNobodySilent(name: String) async throws {
        let path = "\(state)/\(name)"
        #expect(mkfifo(path, 0o600) == 0)
        let listener = try Listener(settings)
        // Neither the first ring nor the next, nor does it leave the mixer loud.
        for ring in ["07:00", "07:09"] {
            listener.speaker.order(Listener.playback(ring))
            try await cards.waitUntilHeard("good")
            try await waitUntilRaised()
            listener.speaker.order(.silent)
            try await waitUntilPutBack()
            try cards.control("good").pointee.first_heard_nanoseconds = 0
        }
    }

    /// A card that comes back is as it was when it was plugged in, and a loudspeaker has a knob: soft, and muted.
    @Test func mixerThatIsTurnedDown_isRaisedAgain_whileItRings() async throws {
        let mixer = try cards.mixer("good")
        let listener = try await startRing()
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((3, 3), (0, 0))
        try await waitUntilRaised()
        try await endRing(listener)
    }

    @Test func mixerThatFails_keepsNobodySilent_andIsTriedAgain() async throws {
        let mixer = try cards.mixer("good")
        mixer.pointee.open_error = EBUSY
        var listener = try Listener(ringing: settings)
        #expect(try await listener.warning("mixer").contains("good"))
        let words = "good: the mixer is not as loud as it is to be: cannot open the mixer: Device or resource busy"
        try await waitUntil { listener.speaker.status.warnings == [words] }
        try await cards.waitUntilHeard("good")
        mixer.pointee.open_error = 0
        try await waitUntilRaised()
        try await waitUntil { listener.speaker.status.warnings.isEmpty }
    }

    /// Nobody has listened at the time of the ring: whoever asks in the evening is told.
    @Test func mixerThatFailed_isToldOf_untilItDoesNot() async throws {
        let mixer = try cards.mixer("good")
        mixer.pointee.open_error = EBUSY
        let listener = try Listener(ringing: settings)
        let words = "good: the mixer is not as loud as it is to be: cannot open the mixer: Device or resource busy"
        try await waitUntil { listener.speaker.status.warnings == [words] }
        listener.speaker.order(.silent)
        mixer.pointee.open_error = 0
        try await waitUntil { listener.speaker.areMixersRestored }
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        #expect(listener.speaker.status.warnings == [words])
        listener.speaker.order(Listener.playback("next"))
        try await waitUntilRaised()
        try await waitUntil { listener.speaker.status.warnings.isEmpty }
    }

    /// What is pulled out in the middle of a ring is asked for again and again, and is not there.
    @Test func mixerThatIsPulledOut_isNoTrouble_whenItIsBack() async throws {
        let mixer = try cards.mixer("good")
        let listener = try await startRing()
        mixer.pointee.open_error = ENODEV
        try await waitUntil { !listener.speaker.status.warnings.isEmpty }
        cards.plug("good", false)
        try await waitUntil { listener.speaker.status.warnings.isEmpty }
        listener.speaker.order(.silent)
        mixer.pointee.open_error = 0
        cards.plug("good", true)
        try await waitUntilPutBack()
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        #expect(listener.speaker.status.warnings == [])
    }

    /// Nobody is there at that time to turn it down.
    @Test func mixerThatCannotBePutBack_isTriedAgain() async throws {
        let mixer = try cards.mixer("good")
        var listener = try await startRing()
        mixer.pointee.open_error = EIO
        listener.speaker.order(.silent)
        #expect(try await listener.warning("as it was before the ring").contains("good"))
        #expect(!listener.speaker.areMixersRestored)
        mixer.pointee.open_error = 0
        try await waitUntilPutBack()
        try await waitUntil { listener.speaker.areMixersRestored }
    }

    /// A card that is slow to say what it is has a mixer that nobody knows of yet, and perhaps one that a crash has left.
    @Test(arguments: [false, true]) func mixerThatIsKnownLate_isRaised_whileItRings(isAfterACrash: Bool) async throws {
        if isAfterACrash { try await leaveRaised() }
        let mixer = try cards.mixer("good")
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((40, 40), (0, 0))
        var settings = settings
        let list = LateList(cards)
        settings.cards = list
        let listener = try Listener(ringing: settings)
        try await cards.waitUntilHeard("good")
        list.knowsMixers.store(true, ordering: .relaxed)
        cards.plug("good", true)
        try await waitUntilRaised()
        try await endRing(listener)
    }

    /// Between two tries of one ring nobody turns the card down.
    @Test func mixer_staysRaised_whenItsCardIsOpenedAnew() async throws {
        let (mixer, good) = (try cards.mixer("good"), try cards.control("good"))
        let listener = try await startRing()
        good.pointee.write_error = EIO
        try await waitUntil { good.pointee.closes > 0 }
        good.pointee.write_error = 0
        try await waitUntil { good.pointee.opens > 1 }
        let taken = good.pointee.taken_frames
        try await waitUntil { good.pointee.taken_frames > taken }
        #expect(mixer.pointee.lowerings == 0)
        try await endRing(listener)
        #expect(mixer.pointee.lowerings > 0)
    }

    @Test func mixer_isPutBack_whenTheSpeakerIsLetGoWhileItRings() async throws {
        var listener: Listener? = try Listener(settings)
        listener?.speaker.order(Listener.playback())
        try await waitUntilRaised()
        // An optimiser may let go of it after its last use, before the mixer is raised.
        withExtendedLifetime(listener) {}
        listener = nil
        try await waitUntilPutBack()
    }
}

/// Says of no card that it has a mixer, until it knows better.
private final class LateList: CardList {
    private let list: FaultyCards
    let knowsMixers = Atomic(false)

    init(_ cards: FaultyCards) {
        list = cards
    }

    func cards() throws(AlsaError) -> [Card] {
        var cards = try list.cards()
        guard !knowsMixers.load(ordering: .relaxed) else { return cards }
        for index in cards.indices { cards[index].mixer = nil }
        return cards
    }

    var changeDescriptor: Int32? { list.changeDescriptor }
    func drainChanges() { list.drainChanges() }
}
