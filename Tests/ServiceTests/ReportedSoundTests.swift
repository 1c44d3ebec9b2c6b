// What a speaker tells becomes what the engine is told.

import Devices
import Engine
import Service
import Testing

@Suite struct ReportedSoundTests {
    @Test func report_isWhatTheEngineIsTold_orNothing() {
        #expect(
            Input(.started(.route("usb:Speaker"), latencyMilliseconds: 7))
                == .audioStarted(route: "usb:Speaker", latencyMilliseconds: 7))
        #expect(
            Input(.changed(from: .route("usb:Speaker"), to: .buzzer, .suspected))
                == .audioStarted(route: "buzzer", latencyMilliseconds: nil))
        #expect(Input(.failed("vc4hdmi0", .gone)) == .audioFailed(route: "vc4hdmi0", reason: "unplugged"))
        #expect(Input(.warning("The sound is missing")) == nil)
    }
}
