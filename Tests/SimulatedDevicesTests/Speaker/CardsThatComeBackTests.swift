// The tests of the routing for a card that was unplugged and plugged in again.

import Sound
import Testing

@testable import SimulatedDevices

extension RoutingTests {
    /// The hanging driver belongs to the unplugged card. The new card is another one.
    @Test(arguments: [nil, CardFault.closesNever]) func repluggedCard_playsSoon_whileItsOldDriverHangs(
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
        // A late return of the old card's driver must not affect the new card.
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
