// The test of a mixer that hangs: it does not delay a ring, and is restored once the call returns.

import FaultyCard
import Foundation
import Oracles
import Testing

@Suite(.timeLimit(.minutes(10)), .serialized) struct HangingMixerTests {
    let cards: FaultyCards
    let hanging: UnsafeMutablePointer<faulty_mixer>

    init() throws {
        cards = try FaultyCards(["hanging", "other"], haveMixers: true)
        hanging = try cards.mixer("hanging")
        for name in ["hanging", "other"] {
            let mixer = try cards.mixer(name)
            mixer.pointee.volumes.0 = (40, 40)
        }
    }

    static let places: [String] = ["open", "set"]

    @Test(arguments: places) func hangingMixer_silencesNoRing_andIsRestoredLater(place: String) async throws {
        (hanging.pointee.open_hangs, hanging.pointee.write_hangs) = place == "open" ? (1, 0) : (0, 1)
        let listener = try Listener(ringing: cards.settings())
        try await cards.waitUntilHeard("hanging")
        // The hanging mixer must not keep the next card silent or soft.
        try cards.control("hanging").pointee.write_error = EIO
        try await cards.waitUntilHeard("other")
        try await cards.waitUntilMain(of: "other", is: 100, isMuted: false)
        let text = "The mixer of hanging is not at the configured volume (it does not answer)"
        try await waitUntil { listener.speaker.status.warnings == [text] }
        listener.speaker.order(.silent)
        try await cards.waitUntilMain(of: "other", is: 40, isMuted: true)
        #expect(!listener.speaker.areMixersRestored)
        #expect(hanging.pointee.writes == 0)
        // A speaker that is only readied in the evening reports the warning as well.
        listener.speaker.order(.ready(sound: "chimes01"))
        let textAfterTheRing = "The mixer of hanging still has the volume of the ring (it does not answer)"
        try await waitUntil { listener.speaker.status.warnings == [textAfterTheRing] }
        (hanging.pointee.open_hangs, hanging.pointee.write_hangs) = (0, 0)
        try await waitUntil { listener.speaker.areMixersRestored }
        #expect(hanging.pointee.volumes.0 == (40, 40))
        #expect(hanging.pointee.switches.0 == (0, 0))
    }
}
