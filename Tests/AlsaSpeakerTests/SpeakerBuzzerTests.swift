// The tests of the speaker's orders to the buzzer while no card is audible.

import Devices
import FaultyCard
import Foundation
import Mocks
import Oracles
import Sound
import Synchronization
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct SpeakerBuzzerTests {
    @Test func buzzerThatCannotBeStopped_isOrderedAgain_untilItStops() async throws {
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        var listener = try Listener(ringing: FaultyCards([]).settings(buzzer: buzzer))
        #expect(await buzzes.next() == true)
        buzzer.fail(with: .busy(LineName("gpio17"), holder: nil))
        listener.speaker.order(.silent)
        #expect(try await listener.warning("buzzer").contains("gpio17"))
        #expect(buzzer.pulses != nil)
        buzzer.fail(with: nil)
        #expect(await buzzes.next() == false)
    }

    /// After the speaker has ended, no other code would turn the buzzer off.
    @Test func buzzerThatRefusesAtTheSpeakersEnd_isOrderedAgain_untilItIsOff() async throws {
        let buzzer = StubbornBuzzer()
        let listener = try Listener(ringing: FaultyCards([]).settings(buzzer: buzzer))
        try await waitUntil { buzzer.isOn }
        listener.speaker.end()
        for await _ in listener.speaker.reports {}
        #expect(!buzzer.isOn)
    }

    /// A buzzer that refuses each order must not keep the speaker from a new card.
    @Test func newCard_whileTheBuzzerRefuses_plays() async throws {
        let cards = try FaultyCards(["late"])
        cards.plug("late", false)
        let buzzer = MockBuzzer()
        buzzer.fail(with: .busy(LineName("gpio17"), holder: nil))
        var listener = try Listener(ringing: cards.settings(buzzer: buzzer))
        _ = try await listener.warning("buzzer")
        cards.plug("late", true)
        try await waitUntil { listener.speaker.status.activeOutput == .route("late") }
        try await cards.waitUntilHeard("late")
    }

    @Test func signal_whileTheSpeakerIsSilent_usesTheBuzzer() async throws {
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        let signal = try #require(PulsePattern([50, 50]))
        for _ in 0..<20 { listener.speaker.signal(signal) }
        #expect(await buzzes.next() == true)
        #expect(buzzer.pulses == signal || buzzer.pulses == nil)
        #expect(await buzzes.next() == false)
    }

    /// However often a button is pressed, a ring is interrupted at most once per second. A buzzer that
    /// fails to stop is ordered again.
    @Test func signals_areASecondApart_andEnd() throws {
        var signals = Signals()
        let uptimes = stride(from: 0.0, to: 10_000, by: 50).filter { signals.mayStart(at: $0) }
        #expect(uptimes == (0..<10).map { Double($0) * 1000 })
        signals.buzz(try #require(PulsePattern([50, 150])), at: 20_000)
        #expect([20_199.0, 20_200, 20_201, 20_300].map { signals.endBuzz(at: $0) } == [false, true, false, true])
        signals.forgetBuzz()
        #expect(signals.buzzEndUptime == nil)
    }

    @Test func buzzer_takesThePulsePatternOfEachSound() async throws {
        let buzzer = MockBuzzer()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        for sound in ["tone01", "bells01"] {
            let pulses = PulsePattern(of: SoundCatalogue().sound(sound, rate: 48_000).samples)
            listener.speaker.order(Listener.playback(sound, sound: sound))
            try await waitUntil { buzzer.pulses == pulses }
        }
    }
}

/// A buzzer that refuses once to stop.
private final class StubbornBuzzer: Buzzer {
    private let state = Mutex((isOn: false, hasRefused: false))

    var isOn: Bool { state.withLock { $0.isOn } }

    func buzz(_ pulses: PulsePattern?) throws(LineFailure) {
        let isRefused = state.withLock { state in
            guard pulses != nil || state.hasRefused else {
                state.hasRefused = true
                return true
            }
            state.isOn = pulses != nil
            return false
        }
        if isRefused { throw .busy(LineName("gpio17"), holder: nil) }
    }
}
