// The tests that turn a speaker's reports into inputs of the engine and lines of the log.

import Devices
import Engine
import Sound
import Testing

@testable import Service

@Suite struct ReportedSoundTests {
    @Test func report_givesAnEngineInput_orNil() {
        #expect(
            Input(.started(.route("usb:Speaker"), latencyMilliseconds: 7))
                == .audioStarted(route: "usb:Speaker", latencyMilliseconds: 7))
        #expect(
            Input(.changed(from: .route("usb:Speaker"), to: .buzzer, .suspected))
                == .audioStarted(route: "buzzer", latencyMilliseconds: nil))
        #expect(Input(.failed("vc4hdmi0", .gone)) == .audioFailed(route: "vc4hdmi0", reason: "unplugged"))
        #expect(Input(.warning("The sound is missing")) == nil)
    }

    /// The log must explain each change of route to an owner after a ring that was not heard.
    @Test func report_givesALogLine_unlessAllIsWell() {
        func line(_ report: SpeakerReport) -> LogLine? { LogLine(report) }
        let failure = RouteFailure.system(.open, errorNumber: 16)
        #expect(line(.started(.route("usb:Speaker"), latencyMilliseconds: 7)) == nil)
        #expect(
            line(.changed(from: .route("usb:Speaker"), to: .buzzer, .failed(failure)))
                == LogLine(
                    .warning,
                    "buzzer plays instead of usb:Speaker (in use by another program)"))
        #expect(
            line(.changed(from: nil, to: .route("Headphones"), .suspected))?.text.hasPrefix("Headphones plays (")
                == true)
        #expect(
            line(.changed(from: .buzzer, to: .route("Headphones"), .better))
                == LogLine(.info, "Headphones plays again instead of buzzer"))
        #expect(line(.failed("vc4hdmi0", .gone)) == LogLine(.warning, "vc4hdmi0 does not play (unplugged)"))
        #expect(line(.warning("the mixer is stuck")) == LogLine(.warning, "The mixer is stuck"))
    }
}
