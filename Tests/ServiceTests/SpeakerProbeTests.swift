// The tests of an owner's trial of the speakers: when it runs, and its result.

import Alarms
import Engine
import Fixtures
import Oracles
import Sound
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct SpeakerProbeTests {
    private static func speakers(
        _ usb: RouteStatus.RouteHealth, _ screen: RouteStatus.RouteHealth = .unknown
    ) -> SpeakerStatus {
        SpeakerStatus(routes: [
            RouteStatus(Route(id: "usb", kind: .usb), usb), RouteStatus(Route(id: "screen", kind: .hdmi), screen),
        ])
    }

    private static let gone = speakers(.failed(.gone))

    /// A probe that the test polls by hand.
    private final class PolledProbe {
        var probe = SpeakerProbe()

        func begin() -> Bool { probe.begin() }

        /// Polls while the probe waits, at most `pollsMax` times.
        func poll(
            _ status: SpeakerStatus, isPreflightRunning: Bool = false, pollsMax: Int = 500
        ) -> SpeakerProbe.Step {
            for _ in 0..<pollsMax {
                let step = probe.poll(status, isPreflightRunning: isPreflightRunning, isRingNear: false)
                if step != .wait { return step }
            }
            return .wait
        }
    }

    @Test func speakers_areTried_unlessARingHasOpenedThem() {
        let probe = PolledProbe()
        #expect(probe.begin())
        #expect(probe.poll(Self.gone) == .tryCards)
        // A second trial would find the cards busy, because the first has them open.
        #expect(!probe.begin() && probe.probe.isTryingCards)
        #expect(probe.poll(Self.gone, pollsMax: 1) == .wait)
        probe.probe.cardsFound(["usb": .good, "screen": .failed(.gone)])
        #expect(probe.poll(Self.speakers(.failed(.gone), .good)) == .done(Self.speakers(.good, .good)))
        // A late result of the first trial must not count for the next one.
        probe.probe.cardsFound(["usb": .good])
        #expect(probe.begin())
        #expect(probe.poll(Self.gone) == .tryCards)
        #expect(probe.poll(Self.gone) == .done(Self.gone))
    }

    @Test(arguments: [RouteStatus.RouteHealth.good, .trying]) func speakers_areNotTried_whileOneIsInUse(
        health: RouteStatus.RouteHealth
    ) {
        let probe = PolledProbe()
        #expect(probe.begin())
        #expect(probe.poll(Self.speakers(health)) == .done(Self.speakers(health)))
    }

    /// The preflight has the card open, and releases it a moment after its end.
    @Test func runningPreflight_isAwaited() {
        let probe = PolledProbe()
        #expect(probe.begin())
        #expect(probe.poll(Self.speakers(.good), isPreflightRunning: true, pollsMax: 100) == .wait)
        #expect(probe.poll(Self.speakers(.good), pollsMax: 5) == .wait)
        #expect(probe.poll(Self.gone) == .tryCards)
    }

    /// A card in a trial is not available to a ring.
    @Test(arguments: ["15:00:59", "15:01:01", "a test"]) func speakers_areNotTried_whenARingIsNear(what: String)
        async throws
    {
        try await withService { fixture in
            fixture.speaker.status = Self.gone
            fixture.speaker.find(["usb": .good])
            if what == "a test" {
                _ = await fixture.ask(.testRing(RingSettings(), inSeconds: 0), "1")
            } else {
                _ = await fixture.ask(.save(.daily("work", what)), "1")
            }
            let isTried = what == "15:01:01"
            let status = await fixture.service.triedSpeakers()
            #expect(status.routes[0].health == (isTried ? .good : .failed(.gone)))
            #expect(fixture.speaker.tryCount == (isTried ? 1 : 0))
        }
    }
}

extension Service {
    fileprivate func triedSpeakers() async -> SpeakerStatus {
        await withCheckedContinuation { continuation in
            trySpeakers { status, _ in continuation.resume(returning: status) }
        }
    }
}
