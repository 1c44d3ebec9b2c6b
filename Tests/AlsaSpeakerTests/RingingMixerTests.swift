// The tests of the mixers' levels before, during and after a ring.

import FaultyCard
import Foundation
import Oracles
import Synchronization
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10)), .serialized) struct RingingMixerTests {
    let cards: FaultyCards
    let state: String

    init() throws {
        cards = try FaultyCards(["good"], haveMixers: true)
        state = "\(cards.scratch.path)/state"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        let mixer = try cards.mixer("good")
        // The owner left the card soft and muted.
        mixer.pointee.volumes = ((40, 40), (50, 50), (0, 0), (33, 34))
        mixer.pointee.switches = ((0, 0), (0, 0), (0, 0), (0, 0))
    }

    var settings: SpeakerSettings {
        var settings = cards.settings()
        settings.mixerDirectory = state
        return settings
    }

    /// Leaves the mixer as a process does that is killed during a ring.
    func leaveRaised() async throws {
        let card = try #require(cards.cards().first)
        let setting = try #require(settings.mixer(of: card))
        let memory = MixerMemory(directory: state) { Issue.record("\($0)") }
        try setting.raise(memory)
        try await waitUntil { memory.isSettled }
    }

    func waitUntilRaised() async throws { try await cards.waitUntilMain(of: "good", is: 100, isMuted: false) }
    func waitUntilPutBack() async throws { try await cards.waitUntilMain(of: "good", is: 40, isMuted: true) }

    /// Starts a ring, and waits until the mixer is raised.
    func startRing() async throws -> Listener {
        let listener = try Listener(ringing: settings)
        try await waitUntilRaised()
        return listener
    }

    func endRing(_ listener: Listener) async throws {
        listener.speaker.order(.silent)
        try await waitUntilPutBack()
    }

    @Test func mixer_isRaisedDuringARing_andRestoredAfterwards() async throws {
        let listener = try await startRing()
        #expect(!listener.speaker.areMixersRestored)
        listener.speaker.order(.silent)
        try await waitUntil { listener.speaker.areMixersRestored }
        try await waitUntilPutBack()
        #expect(try cards.mixer("good").pointee.volumes.1 == (50, 50))
        // The second ring raises the mixer again.
        listener.speaker.order(Listener.playback("again"))
        try await waitUntilRaised()
        try await endRing(listener)
    }

    /// A check in the evening whether a ring would play leaves the mixer alone.
    @Test func mixer_isNotRaised_byAPreflight() async throws {
        let (mixer, good) = (try cards.mixer("good"), try cards.control("good"))
        let listener = try Listener(settings)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        listener.speaker.order(.silent)
        try await waitUntil { good.pointee.closes == 1 }
        // By now the speaker would have restored a raised mixer.
        try await waitUntil { listener.speaker.areMixersRestored }
        #expect(mixer.pointee.writes == 0)
    }

    @Test func mixer_isRaisedAheadOfARing_andRestoredIfItIsCancelled() async throws {
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

    /// A card that hangs while it closes is silent, so its mixer must be restored all the same.
    @Test(arguments: [true, false]) func mixer_isRestored_whenItsCardHangsInClosing(isAtTheEnd: Bool) async throws {
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

    /// After a reboot, `alsactl` restores the levels that it saved in the middle of the ring, so the
    /// mixer is loud again.
    @Test func mixer_isRestoredByTheNextStart_afterAnEndDuringARing() async throws {
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

    /// The owner has turned the mixer setting off since. The levels left by the crash are still restored
    /// once, because they are not the owner's.
    @Test func mixer_withItsSettingOff_isRestoredOnce_afterACrash() async throws {
        try await leaveRaised()
        var settings = settings
        settings.mixerDecibels = nil
        let listener = try Listener(settings)
        try await waitUntilPutBack()
        // The levels may be back before the last of their writes.
        try await waitUntil { listener.speaker.areMixersRestored }
        let writes = try cards.mixer("good").pointee.writes
        listener.speaker.order(Listener.playback())
        try await cards.waitUntilHeard("good")
        listener.speaker.order(.silent)
        try await waitUntil { listener.speaker.areMixersRestored }
        #expect(try cards.mixer("good").pointee.writes == writes)
    }

    /// A ring right after the start raises the mixer before the levels of the crash are read, and still
    /// restores those.
    @Test func mixer_afterACrashAndARing_hasTheLevelsBeforeTheCrash() async throws {
        try await leaveRaised()
        let mixer = try cards.mixer("good")
        // Levels that differ from the raised ones, so that the test sees the mixer being raised again.
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((99, 99), (0, 0))
        let listener = try Listener(ringing: settings)
        try await cards.waitUntilHeard("good")
        try await waitUntilRaised()
        try await endRing(listener)
    }

    /// The disk that holds the mixer's levels hangs: the file is a FIFO without a process at its other end.
    @Test(arguments: ["mixer-good", "mixer-good.new"]) func hangingDisk_silencesNoRing(name: String) async throws {
        let path = "\(state)/\(name)"
        #expect(mkfifo(path, 0o600) == 0)
        let listener = try Listener(settings)
        // Each of the two rings is audible, and the mixer is restored after it.
        for ring in ["07:00", "07:09"] {
            listener.speaker.order(Listener.playback(ring))
            try await cards.waitUntilHeard("good")
            try await waitUntilRaised()
            listener.speaker.order(.silent)
            try await waitUntilPutBack()
            try cards.control("good").pointee.first_heard_nanoseconds = 0
        }
    }

    /// A card that was replugged is soft and muted, and a loudspeaker's knob may be turned down.
    @Test func mixerThatIsTurnedDown_isRaisedAgain_whileItRings() async throws {
        let mixer = try cards.mixer("good")
        let listener = try await startRing()
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((3, 3), (0, 0))
        try await waitUntilRaised()
        try await endRing(listener)
    }

    @Test func failingMixer_silencesNoRing_andIsRetried() async throws {
        let mixer = try cards.mixer("good")
        mixer.pointee.open_error = EBUSY
        var listener = try Listener(ringing: settings)
        #expect(try await listener.warning("mixer").contains("good"))
        let text = "The mixer of good is not at the configured volume (cannot open it: Device or resource busy)"
        try await waitUntil { listener.speaker.status.warnings == [text] }
        try await cards.waitUntilHeard("good")
        mixer.pointee.open_error = 0
        try await waitUntilRaised()
        try await waitUntil { listener.speaker.status.warnings.isEmpty }
    }

    /// The owner may have missed the warning during the ring, so it stays in the status until the mixer
    /// works.
    @Test func mixerFailure_isReported_untilTheMixerWorks() async throws {
        let mixer = try cards.mixer("good")
        mixer.pointee.open_error = EBUSY
        let listener = try Listener(ringing: settings)
        let text = "The mixer of good is not at the configured volume (cannot open it: Device or resource busy)"
        try await waitUntil { listener.speaker.status.warnings == [text] }
        listener.speaker.order(.silent)
        mixer.pointee.open_error = 0
        try await waitUntil { listener.speaker.areMixersRestored }
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        #expect(listener.speaker.status.warnings == [text])
        listener.speaker.order(Listener.playback("next"))
        try await waitUntilRaised()
        try await waitUntil { listener.speaker.status.warnings.isEmpty }
    }

    /// While a card is unplugged in the middle of a ring, each attempt to raise its mixer fails.
    @Test func mixerUnpluggedDuringARing_isNotReported_onceItIsBack() async throws {
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

    /// At that time the owner is not there to turn the volume down.
    @Test func mixerThatCannotBeRestored_isRetried() async throws {
        let mixer = try cards.mixer("good")
        var listener = try await startRing()
        mixer.pointee.open_error = EIO
        listener.speaker.order(.silent)
        #expect(try await listener.warning("still has the volume of the ring").contains("good"))
        #expect(!listener.speaker.areMixersRestored)
        mixer.pointee.open_error = 0
        try await waitUntilPutBack()
        try await waitUntil { listener.speaker.areMixersRestored }
    }

    /// If a card answers late, its mixer is unknown when the ring starts. A crash may have left that
    /// mixer raised.
    @Test(arguments: [false, true]) func mixerDiscoveredDuringARing_isRaised(isAfterACrash: Bool) async throws {
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

    /// Between two attempts of one ring the mixer must not be restored: the ring would continue at the
    /// owner's soft level.
    @Test func mixer_staysRaised_whenItsCardIsReopened() async throws {
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

    @Test func mixer_isRestored_whenTheSpeakerIsReleasedDuringARing() async throws {
        var listener: Listener? = try Listener(settings)
        listener?.speaker.order(Listener.playback())
        try await waitUntilRaised()
        // An optimiser may release the listener after its last use, before the mixer is raised.
        withExtendedLifetime(listener) {}
        listener = nil
        try await waitUntilPutBack()
    }
}

/// A list that hides the mixer of each card until `knowsMixers` is set.
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
