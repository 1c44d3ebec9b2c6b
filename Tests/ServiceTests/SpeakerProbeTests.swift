// When speakers are tried for an owner who wants to know, and what is said of them then.

import Alarms
import Devices
import Engine
import Fixtures
import Oracles
import Sound
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct SpeakerProbeTests {
    static let usb = Route(id: "usb", kind: .usb)
    static let screen = Route(id: "screen", kind: .hdmi)

    /// A house with two speakers of which nothing is known, and that are found otherwise when they are tried.
    private func withSpeakers(_ body: (ServiceFixture) async throws -> Void) async throws {
        try await withService { fixture in
            fixture.speaker.status = SpeakerStatus(routes: [
                RouteStatus(Self.usb, .failed(.gone)), .init(Self.screen, .unknown),
            ])
            fixture.speaker.find(["usb": .good, "screen": .failed(.stalled(milliseconds: 500))])
            try await body(fixture)
        }
    }

    private func tried(_ fixture: ServiceFixture) async -> [RouteStatus.RouteHealth] {
        await fixture.service.triedSpeakers().routes.map(\.health)
    }

    @Test func speakers_areAsTheyAreFound() async throws {
        try await withSpeakers { fixture in
            #expect(await tried(fixture) == [.good, .failed(.stalled(milliseconds: 500))])
            #expect(fixture.speaker.tryCount == 1)
            // A try leaves nothing behind: the next finds them anew.
            fixture.speaker.find(["screen": .good])
            #expect(await tried(fixture) == [.failed(.gone), .good])
        }
    }

    /// The second would find cards busy that the first has open.
    @Test func whoAsksMeanwhile_hasTheSameAnswer() async throws {
        try await withSpeakers { fixture in
            async let first = tried(fixture)
            async let second = tried(fixture)
            #expect(await first == second)
            #expect(fixture.speaker.tryCount == 1)
        }
    }

    /// A card that is being tried is not there for a ring.
    @Test(arguments: ["15:00:59", "15:01:01", "a test"]) func noSpeaker_isTried_whenSomethingRingsSoon(what: String)
        async throws
    {
        try await withSpeakers { fixture in
            if what == "a test" {
                _ = await fixture.ask(.testRing(RingSettings(), inSeconds: 0), "1")
            } else {
                _ = await fixture.ask(.save(.daily("work", what)), "1")
            }
            let isTried = what == "15:01:01"
            #expect(await tried(fixture).first == (isTried ? .good : .failed(.gone)))
            #expect(fixture.speaker.tryCount == (isTried ? 1 : 0))
        }
    }

    @Test(arguments: [RouteStatus.RouteHealth.good, .trying]) func noSpeaker_isTried_whileOneIsInUse(
        health: RouteStatus.RouteHealth
    ) async throws {
        try await withSpeakers { fixture in
            fixture.speaker.status.routes[0].health = health
            #expect(await tried(fixture) == [health, .unknown])
            #expect(fixture.speaker.tryCount == 0)
        }
    }

    /// It has the card open, and lets go of it a moment after its end.
    @Test func preflight_isWaitedFor() async throws {
        try await withSpeakers { fixture in
            async let done: Void = fixture.service.triedOut()
            while await !fixture.service.preflight.isRunning { await Task.yield() }
            fixture.speaker.status.routes[0].health = .good
            async let health = tried(fixture)
            fixture.speaker.status.isReady = true
            await done
            #expect(fixture.speaker.tryCount == 0)
            fixture.speaker.status.routes[0].health = .unknown
            #expect(await health == [.good, .failed(.stalled(milliseconds: 500))])
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
