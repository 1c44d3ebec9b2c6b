// The tests of the speaker's liveness: it answers while its thread runs, and only then.

import Devices
import Oracles
import Sound
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct SpeakerLifeTests {
    private final class HangingBuzzer: Buzzer {
        let gate = Gate(isOpen: false)
        let isAsked = Atomic(false)

        func buzz(_ pulses: PulsePattern?) throws(LineFailure) {
            isAsked.store(true, ordering: .relaxed)
            gate.pass()
        }
    }

    @Test func hangingSpeaker_isNotAlive_untilItContinues() async throws {
        let buzzer = HangingBuzzer()
        let listener = try Listener(FaultyCards([]).settings(buzzer: buzzer))
        defer { buzzer.gate.open() }
        // Each call needs another round of the thread.
        for _ in 0..<3 { try await waitUntil { listener.speaker.isAlive() } }
        listener.speaker.order(Listener.playback())
        try await waitUntil { buzzer.isAsked.load(ordering: .relaxed) }
        // The previous ping may have been answered in time.
        _ = listener.speaker.isAlive()
        for _ in 0..<3 { #expect(!listener.speaker.isAlive()) }
        buzzer.gate.open()
        try await waitUntil { listener.speaker.isAlive() }
    }
}
