// The tests that each change renews the health at once, and not only in the evening.

import Alarms
import Engine
import Fixtures
import Health
import Mocks
import Oracles
import Sound
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct RenewedHealthTests {
    private func health(_ part: Part, of fixture: ServiceFixture) async -> Health? {
        await fixture.service.status.health.first { $0.part == part }?.health
    }

    /// Waits until a part has that grade.
    private func wait(for grade: Health.Grade, of part: Part, at fixture: ServiceFixture) async {
        await fixture.waitUntil { $0.health(of: part)?.grade == grade }
    }

    private func readySpeaker(_ routes: [RouteStatus] = [RouteStatus(Route(id: "a", kind: .usb), .good)])
        -> SpeakerStatus
    {
        var status = SpeakerStatus(routes: routes)
        status.isReady = true
        return status
    }

    @Test func clockHealth_followsTheTrustAtOnce() async throws {
        try await withService { fixture in
            fixture.speaker.status = readySpeaker()
            fixture.clock.trust = .nobody
            await wait(for: .warning, of: .clock, at: fixture)
            #expect(await !fixture.service.status.isClockTrusted)
            fixture.clock.trust = .synchronised
            await wait(for: .ok, of: .clock, at: fixture)
        }
    }

    @Test func fullDisk_isOK_onceItHasSpace() async throws {
        try await withService { fixture in
            fixture.speaker.status = readySpeaker()
            fixture.wear.wear = .full
            await fixture.service.triedOut()
            await wait(for: .broken, of: .disk, at: fixture)
            fixture.wear.wear = .none
            #expect(await fixture.ask(.save(.daily("work", "07:00")), "1").isDone)
            await wait(for: .ok, of: .disk, at: fixture)
        }
    }

    /// Without a ring no order fails, so only the card's own report shows its removal.
    @Test func unpluggedSpeaker_isReported_withoutARing() async throws {
        try await withService { fixture in
            fixture.speaker.status = readySpeaker()
            await fixture.service.triedOut()
            #expect(await health(.speaker, of: fixture) == .ok)
            fixture.speaker.status = readySpeaker([])
            fixture.speaker.report(.routesChanged)
            await wait(for: .broken, of: .speaker, at: fixture)
            fixture.speaker.status = readySpeaker()
            fixture.speaker.report(.routesChanged)
            await wait(for: .ok, of: .speaker, at: fixture)
        }
    }

    /// The health during a ring must also report a replaced sound.
    @Test func replacedSound_isReported_duringTheRing() async throws {
        try await withService { fixture in
            var status = readySpeaker()
            status.activeOutput = .route("a")
            fixture.speaker.status = status
            var alarm = Alarm.daily("work", "15:01")
            alarm.ring.sound = "birds.flac"
            _ = await fixture.ask(.save(alarm), "1")
            await fixture.advance(byMilliseconds: 60_000)
            await fixture.waitUntil { !$0.machines.speaker.soundProblems.isEmpty }
            fixture.speaker.report(.started(.route("a"), latencyMilliseconds: 1))
            await wait(for: .warning, of: .speaker, at: fixture)
            #expect(await health(.speaker, of: fixture)?.text.contains("birds.flac") == true)
        }
    }

    /// A hardware clock that shows less than the newest record has lost its battery.
    @Test func hardwareClock_isNotTrusted_whenItShowsLessThanTheNewestRecord() async throws {
        let scratch = try Scratch()
        try await withService(in: scratch) { fixture in
            // The fixture waits for the disk first, because the hour would make it seem to hang.
            await fixture.advance(byMilliseconds: 3_600_000)
            _ = await fixture.ask(.save(.daily("work", "07:00")), "1")
        }
        for (advance, isTrusted) in [(0, false), (7_200_000, true)] {
            try await withService(in: scratch, isStarted: false) { fixture in
                fixture.clock.trust = .hardwareClock
                fixture.clock.advance(byMilliseconds: advance)
                await fixture.start()
                #expect(await fixture.service.status.isClockTrusted == isTrusted)
            }
        }
    }
}
