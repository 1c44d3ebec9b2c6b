// What the buzzer is told while no card is heard.

import Devices
import FaultyCard
import Foundation
import SimulatedDevices
import Synchronization
import Testing

@testable import LinuxDevices

/// The last resort does as it is told, in the end.
@Suite(.timeLimit(.minutes(10))) struct SpeakerBuzzerTests {
    @Test func buzzerThatCannotBeStopped_isToldAgain_untilItIs() async throws {
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        var listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        #expect(await buzzes.next() == true)
        buzzer.fail(with: .busy(LineName("gpio17"), holder: nil))
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
        buzzer.fail(with: .busy(LineName("gpio17"), holder: nil))
        var listener = try Listener(cards.settings(buzzer: buzzer))
        listener.speaker.order(Listener.playback())
        _ = try await listener.warning("buzzer")
        cards.plug("late", true)
        while listener.speaker.status.voice != .route("late") { try await Task.sleep(for: .milliseconds(5)) }
        let lateCard = try cards.control("late")
        try await waitUntil { lateCard.pointee.first_heard_nanoseconds > 0 }
    }

    /// And not each of many: whoever presses again and again hears it once in a second.
    @Test func signal_isGivenByTheBuzzer_whileNothingIsToSound() async throws {
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        let signal = try #require(Rhythm([50, 50]))
        for _ in 0..<20 { listener.speaker.signal(signal) }
        #expect(await buzzes.next() == true)
        #expect(buzzer.rhythm == signal || buzzer.rhythm == nil)
        #expect(await buzzes.next() == false)
        // What is to ring comes before any signal.
        listener.speaker.order(Listener.playback())
        #expect(await buzzes.next() == true)
        for _ in 0..<20 { listener.speaker.signal(signal) }
        try await Task.sleep(for: .milliseconds(1300))
        #expect(buzzer.rhythm != nil && buzzer.rhythm != signal)
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

    func buzz(_ rhythm: Rhythm?) throws(LineFailure) {
        let isRefused = state.withLock { state in
            guard rhythm != nil || state.hasRefused else {
                state.hasRefused = true
                return true
            }
            state.isOn = rhythm != nil
            return false
        }
        if isRefused { throw .busy(LineName("gpio17"), holder: nil) }
    }
}
