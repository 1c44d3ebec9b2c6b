// What routing makes of a card that was pulled out and is plugged in again.

import Sound
import Testing

@testable import SimulatedDevices

extension RoutingTests {
    /// What hangs is what is left of the card that went: the one that came in its place is another.
    @Test(arguments: [nil, CardFault.closesNever]) func cardThatComesBack_isHeardSoon_thoughItsOldSelfHangs(
        fault: CardFault?
    ) {
        var speaker = ringing([Self.usb], hasBuzzer: false)
        _ = speaker.advance(to: 20_000)
        speaker.change("Device") { ($0.isPlugged, $0.fault) = (false, .closesNever) }
        _ = speaker.advance(to: 21_000)
        #expect(outputs(speaker) == [])
        speaker.change("Device") { ($0.isPlugged, $0.fault) = (true, fault) }
        _ = speaker.advance(to: 21_500)
        #expect(outputs(speaker) == [.route("Device")])
        // When it answers at last, that is nothing to the other.
        speaker.change("Device") { $0.fault = nil }
        for uptime in 21_500..<60_000 {
            #expect(speaker.advance(to: uptime).allSatisfy { !$0.report.isFailure })
            #expect(outputs(speaker) == [.route("Device")])
        }
        speaker.order(.silent)
        _ = speaker.advance(to: 61_000)
        #expect(speaker.nextUptime == nil)
    }
}

extension SpeakerReport {
    fileprivate var isFailure: Bool { if case .failed = self { true } else { false } }
}
