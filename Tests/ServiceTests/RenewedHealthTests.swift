// Health is renewed when it changes, and not only in the evening.

import Alarms
import Engine
import Household
import Mocks
import Oracles
import Sound
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct RenewedHealthTests {
    private func health(_ part: Part, of home: Household) async -> Health? {
        await home.service.status.health.first { $0.part == part }?.health
    }

    /// Waits until a part is as bad as this.
    private func wait(for grade: Health.Grade, of part: Part, at home: Household) async {
        await home.trace.waitUntil { await health(part, of: home)?.grade == grade }
    }

    private func readySpeaker(_ routes: [RouteStatus] = [RouteStatus(Route(id: "a", kind: .usb), .good)])
        -> SpeakerStatus
    {
        var status = SpeakerStatus(routes: routes)
        status.isReady = true
        return status
    }

    @Test func clock_isUnsureAtOnce_andInOrderAtOnce() async throws {
        try await withService { home in
            home.speaker.status = readySpeaker()
            home.clock.trust = .nobody
            await wait(for: .warning, of: .clock, at: home)
            #expect(await !home.service.status.isClockTrusted)
            home.clock.trust = .synchronised
            await wait(for: .ok, of: .clock, at: home)
        }
    }

    @Test func fullDisk_isInOrder_whenItTakesSomethingAgain() async throws {
        try await withService { home in
            home.speaker.status = readySpeaker()
            home.wear.wear = .full
            await home.service.triedOut()
            await wait(for: .broken, of: .disk, at: home)
            home.wear.wear = .none
            guard case .done = await home.ask(.save(.daily("work", "07:00")), "1") else {
                Issue.record("it is not saved")
                return
            }
            await wait(for: .ok, of: .disk, at: home)
        }
    }

    /// A card that comes or goes is not known by its orders: nothing rings.
    @Test func speakerThatIsPulledOut_isToldInTheAfternoon() async throws {
        try await withService { home in
            home.speaker.status = readySpeaker()
            await home.service.triedOut()
            #expect(await health(.speaker, of: home) == .ok)
            home.speaker.status = readySpeaker([])
            home.speaker.report(.routesChanged)
            await wait(for: .broken, of: .speaker, at: home)
            home.speaker.status = readySpeaker()
            home.speaker.report(.routesChanged)
            await wait(for: .ok, of: .speaker, at: home)
        }
    }

    /// A sound that another replaces is told while it rings as well.
    @Test func soundThatCannotBePlayed_isToldWhileItRings() async throws {
        try await withService { home in
            var status = readySpeaker()
            status.activeOutput = .route("a")
            home.speaker.status = status
            var alarm = Alarm.daily("work", "15:01")
            alarm.ring.sound = "birds.flac"
            _ = await home.ask(.save(alarm), "1")
            home.clock.advance(byMilliseconds: 60_000)
            while await home.service.soundProblems.isEmpty { await Task.yield() }
            home.speaker.report(.started(.route("a"), latencyMilliseconds: 1))
            await wait(for: .warning, of: .speaker, at: home)
            #expect(await health(.speaker, of: home)?.words.contains("birds.flac") == true)
        }
    }

    /// A hardware clock that shows less than the newest record has lost its battery.
    @Test func hardwareClock_isNotTrusted_whenItShowsLessThanTheNewestRecord() async throws {
        let scratch = try Scratch()
        try await withService(in: scratch) { home in
            // An hour later the disk would be said to hang.
            await home.trace.waitUntil { await home.service.status.pendingFactCount == 0 }
            home.clock.advance(byMilliseconds: 3_600_000)
            _ = await home.ask(.save(.daily("work", "07:00")), "1")
        }
        for (advance, isTrusted) in [(0, false), (7_200_000, true)] {
            try await withService(in: scratch, isStarted: false) { home in
                home.clock.trust = .hardwareClock
                home.clock.advance(byMilliseconds: advance)
                await home.start()
                #expect(await home.service.status.isClockTrusted == isTrusted)
            }
        }
    }
}
