// A sound is heard whatever hangs, is slow or lies: cards, their list, their mixers, the disk, the buzzer.

import Devices
import FaultyCard
import Foundation
import Oracles
import SimulatedDevices
import Synchronization
import Testing

@testable import LinuxDevices

/// These wait for events, however long these take.
@Suite(.timeLimit(.minutes(2)), .serialized) struct SpeakerTroubleTests {
    func waitUntilHeard(_ name: String, of cards: FaultyCards) async throws {
        let card = try cards.control(name)
        try await waitUntil { card.pointee.first_heard_nanoseconds > 0 }
    }

    @Test func onlyCard_thatNeedsLongToOpen_isHeard() async throws {
        let cards = try FaultyCards(["slow"])
        try cards.control("slow").pointee.open_milliseconds = 900
        let listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback())
        try await waitUntilHeard("slow", of: cards)
        #expect(try cards.control("slow").pointee.opens == 1)
    }

    /// It says that it ran dry whenever it is asked, and never takes a frame: what it was given is not what it has played.
    @Test func cardThatIsAlwaysDry_isFollowedByTheNext() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        try cards.control("bad").pointee.is_always_dry = 1
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback())
        while true {
            let report = try await listener.next()
            if case .started(let voice, _) = report {
                #expect(voice == .route("spare"))
                break
            }
        }
        let spare = try cards.control("spare")
        try await waitUntil { spare.pointee.first_heard_nanoseconds > 0 }
    }

    /// It takes a frame now and then from the beginning on.
    @Test func cardThatTrickles_isFollowedByTheNext() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        try cards.control("bad").pointee.trickles = 1
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback())
        while true {
            let report = try await listener.next()
            if case .started(let voice, _) = report {
                #expect(voice == .route("spare"))
                break
            }
        }
        #expect(CardCheck.results(of: try cards.cards(), cards.configuration)["spare"] == .plays)
        guard case .fails(.stalled)? = CardCheck.results(of: try cards.cards(), cards.configuration)["bad"] else {
            Issue.record("it is said to play")
            return
        }
    }

    @Test func listThatHangs_keepsNoCardSilentThatIsOpen() async throws {
        let cards = try FaultyCards(["good"])
        let listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        cards.hang.store(true, ordering: .relaxed)
        listener.speaker.order(Listener.playback())
        try await waitUntilHeard("good", of: cards)
        listener.speaker.order(.silent)
        let good = try cards.control("good")
        try await waitUntil { good.pointee.closes == 1 }
        cards.hang.store(false, ordering: .relaxed)
    }

    @Test func listThatHangs_isNoReasonForSilence_whereThereIsABuzzer() async throws {
        let cards = try FaultyCards(["good"])
        cards.hang.store(true, ordering: .relaxed)
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        let listener = try Listener(cards.settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        #expect(await buzzes.next() == true)
        cards.hang.store(false, ordering: .relaxed)
        #expect(await buzzes.next() == false)
        try await waitUntilHeard("good", of: cards)
    }

    @Test func buzzerThatFails_isTriedAgain_andSaidToSoundOnlyThen() async throws {
        let cards = try FaultyCards([])
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        buzzer.fail(with: .line("gpio17", errorNumber: EBUSY))
        var listener = try Listener(cards.settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        #expect(try await listener.warning("buzzer").contains("gpio17"))
        #expect(listener.speaker.status.voice == nil)
        buzzer.fail(with: nil)
        #expect(await buzzes.next() == true)
        let report = try await listener.next()
        guard case .started(.buzzer, _) = report else {
            Issue.record("\(report)")
            return
        }
    }
}

/// The last resort does as it is told, in the end.
@Suite(.timeLimit(.minutes(2))) struct SpeakerBuzzerTests {
    @Test func buzzerThatCannotBeStopped_isToldAgain_untilItIs() async throws {
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        var listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        #expect(await buzzes.next() == true)
        buzzer.fail(with: .line("gpio17", errorNumber: EBUSY))
        listener.speaker.order(.silent)
        #expect(try await listener.warning("buzzer").contains("gpio17"))
        #expect(buzzer.rhythm != nil)
        buzzer.fail(with: nil)
        #expect(await buzzes.next() == false)
    }

    /// Nobody is left to tell it later.
    @Test func buzzerThatRefusesAtTheEnd_isToldAgain_untilItIsOff() async throws {
        let buzzer = StubbornBuzzer()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        try await waitUntil { buzzer.isOn }
        listener.speaker.end()
        for await _ in listener.speaker.reports {}
        #expect(!buzzer.isOn)
    }

    /// It refuses and refuses, and a card comes up meanwhile.
    @Test func cardThatComes_whileTheBuzzerRefuses_isHeard() async throws {
        let cards = try FaultyCards(["late"])
        cards.plug("late", false)
        let buzzer = MockBuzzer()
        buzzer.fail(with: .line("gpio17", errorNumber: EBUSY))
        var listener = try Listener(cards.settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        _ = try await listener.warning("buzzer")
        cards.plug("late", true)
        while listener.speaker.status.voice != .route("late") { try await Task.sleep(for: .milliseconds(5)) }
        let lateCard = try cards.control("late")
        try await waitUntil { lateCard.pointee.first_heard_nanoseconds > 0 }
    }

    @Test func buzzer_takesTheRhythmOfTheSound_whenThatIsMade_andOfTheNext() async throws {
        let buzzer = MockBuzzer()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        for sound in ["tone01", "bells01"] {
            let rhythm = Rhythm(of: SoundCatalogue().sound(sound, rate: 48_000).samples)
            listener.speaker.order(Listener.playback(sound, sound: sound))
            while buzzer.rhythm != rhythm { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}

/// Refuses to stop, once.
private final class StubbornBuzzer: Buzzer {
    private let state = Mutex((isOn: false, hasRefused: false))

    var isOn: Bool { state.withLock { $0.isOn } }

    func buzz(_ rhythm: Rhythm?) throws(BuzzerError) {
        let isRefused = state.withLock { state in
            guard rhythm != nil || state.hasRefused else {
                state.hasRefused = true
                return true
            }
            state.isOn = rhythm != nil
            return false
        }
        if isRefused { throw .line("gpio17", errorNumber: EBUSY) }
    }
}

/// What becomes of mixers while there is something to be heard, and after.
@Suite(.timeLimit(.minutes(2)), .serialized) struct RingingMixerTests {
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

    func waitUntilMain(is volume: Int32, isMuted: Bool) async throws {
        let mixer = try cards.mixer("good")
        try await waitUntil {
            mixer.pointee.volumes.0 == (volume, volume) && mixer.pointee.switches.0 == (isMuted ? (0, 0) : (1, 1))
        }
    }

    func waitUntilHeard() async throws {
        let good = try cards.control("good")
        try await waitUntil { good.pointee.first_heard_nanoseconds > 0 }
    }

    @Test func mixer_isRaisedWhileItRings_andPutBackAfter() async throws {
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        #expect(!listener.speaker.areMixersRestored)
        listener.speaker.order(.silent)
        try await waitUntil { listener.speaker.areMixersRestored }
        try await waitUntilMain(is: 40, isMuted: true)
        #expect(try cards.mixer("good").pointee.volumes.1 == (50, 50))
        // And again.
        listener.speaker.order(Listener.playback("again"))
        try await waitUntilMain(is: 100, isMuted: false)
        listener.speaker.order(.silent)
        try await waitUntilMain(is: 40, isMuted: true)
    }

    /// Whoever only tries in the evening whether it would ring leaves the mixer alone; before a ring it is raised ahead.
    @Test func mixer_isRaisedAheadOfARing_andNotForATry() async throws {
        let mixer = try cards.mixer("good")
        let listener = try Listener(settings)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        // As often as it would be raised again.
        try await Task.sleep(for: .milliseconds(1200))
        #expect(mixer.pointee.writes == 0)
        listener.speaker.order(.ready(sound: "chimes01", isNear: true))
        try await waitUntilMain(is: 100, isMuted: false)
        #expect(try cards.control("good").pointee.first_heard_nanoseconds == 0)
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntilMain(is: 40, isMuted: true)
        #expect(try cards.control("good").pointee.closes == 0)
    }

    /// A card that cannot be let go is silent, and its mixer is its owner's.
    @Test(arguments: [true, false]) func mixer_isPutBack_thoughItsCardHangsInClosing(isAtTheEnd: Bool) async throws {
        let good = try cards.control("good")
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        try await waitUntilHeard()
        good.pointee.close_hangs = 1
        defer { good.pointee.close_hangs = 0 }
        if isAtTheEnd { listener.speaker.end() } else { listener.speaker.order(.silent) }
        try await waitUntilMain(is: 40, isMuted: true)
        #expect(good.pointee.closes == 0)
        try await waitUntil { listener.speaker.areMixersRestored }
    }

    @Test func mixer_isPutBackByTheNextStart_afterACrash() async throws {
        try await leaveRaised()
        #expect(try cards.mixer("good").pointee.volumes.0 == (100, 100))
        let listener = try Listener(settings)
        try await waitUntilMain(is: 40, isMuted: true)
        withExtendedLifetime(listener) {}
    }

    /// A ring right after the start is raised whatever is known of before the crash, and put back to that.
    @Test func mixer_isPutBackToWhatItWasBeforeTheCrash_byARingToo() async throws {
        try await leaveRaised()
        let mixer = try cards.mixer("good")
        // So that it is seen to be raised once more.
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((99, 99), (0, 0))
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilHeard()
        try await waitUntilMain(is: 100, isMuted: false)
        listener.speaker.order(.silent)
        try await waitUntilMain(is: 40, isMuted: true)
    }

    /// The disk where it is remembered how the mixer was does not answer: there is a pipe that nobody reads or writes.
    @Test(arguments: ["mixer-good", "mixer-good.new"]) func diskThatHangs_keepsNobodySilent(name: String) async throws {
        let path = "\(state)/\(name)"
        #expect(mkfifo(path, 0o600) == 0)
        let listener = try Listener(settings)
        // Neither the first ring nor the next, nor does it leave the mixer loud.
        for ring in ["07:00", "07:09"] {
            listener.speaker.order(Listener.playback(ring))
            try await waitUntilHeard()
            try await waitUntilMain(is: 100, isMuted: false)
            listener.speaker.order(.silent)
            try await waitUntilMain(is: 40, isMuted: true)
            try cards.control("good").pointee.first_heard_nanoseconds = 0
        }
    }

    /// A card that comes back is as it was when it was plugged in, and a loudspeaker has a knob: soft, and muted.
    @Test func mixerThatIsTurnedDown_isRaisedAgain_whileItRings() async throws {
        let mixer = try cards.mixer("good")
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        (mixer.pointee.volumes.0, mixer.pointee.switches.0) = ((3, 3), (0, 0))
        try await waitUntilMain(is: 100, isMuted: false)
        listener.speaker.order(.silent)
        try await waitUntilMain(is: 40, isMuted: true)
    }

    @Test func mixerThatFails_isTriedAgain_whileItRings() async throws {
        let mixer = try cards.mixer("good")
        mixer.pointee.open_error = EBUSY
        var listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        #expect(try await listener.warning("mixer").contains("good"))
        mixer.pointee.open_error = 0
        try await waitUntilMain(is: 100, isMuted: false)
    }

    /// Nobody is there at that time to turn it down.
    @Test func mixerThatCannotBePutBack_isTriedAgain() async throws {
        let mixer = try cards.mixer("good")
        var listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        mixer.pointee.open_error = EIO
        listener.speaker.order(.silent)
        #expect(try await listener.warning("as it was before the ring").contains("good"))
        #expect(!listener.speaker.areMixersRestored)
        mixer.pointee.open_error = 0
        try await waitUntilMain(is: 40, isMuted: true)
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
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilHeard()
        list.knowsMixers.store(true, ordering: .relaxed)
        cards.plug("good", true)
        try await waitUntilMain(is: 100, isMuted: false)
        listener.speaker.order(.silent)
        try await waitUntilMain(is: 40, isMuted: true)
    }

    /// Between two tries of one ring nobody turns the card down.
    @Test func mixer_staysRaised_whenItsCardIsOpenedAnew() async throws {
        let (mixer, good) = (try cards.mixer("good"), try cards.control("good"))
        let listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        good.pointee.write_error = EIO
        try await waitUntil { good.pointee.closes > 0 }
        good.pointee.write_error = 0
        try await waitUntil { good.pointee.opens > 1 }
        let taken = good.pointee.taken_frames
        try await waitUntil { good.pointee.taken_frames > taken }
        #expect(mixer.pointee.lowerings == 0)
        listener.speaker.order(.silent)
        try await waitUntilMain(is: 40, isMuted: true)
        #expect(mixer.pointee.lowerings > 0)
    }

    @Test func mixer_isPutBack_whenTheSpeakerIsLetGoWhileItRings() async throws {
        var listener: Listener? = try Listener(settings)
        listener?.speaker.order(Listener.playback())
        try await waitUntilMain(is: 100, isMuted: false)
        listener = nil
        try await waitUntilMain(is: 40, isMuted: true)
    }

    @Test func mixerThatDoesNotAnswer_keepsNobodySilent() async throws {
        try cards.mixer("good").pointee.open_error = EIO
        var listener = try Listener(settings)
        listener.speaker.order(Listener.playback())
        #expect(try await listener.warning("mixer").contains("good"))
        try await waitUntilHeard()
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
    func noteChange() { list.noteChange() }
}
