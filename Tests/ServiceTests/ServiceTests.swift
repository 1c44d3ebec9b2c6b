// The tests of the service: it rings as the engine decides, and replies only after a change is durable.

import Alarms
import CivilTime
import Devices
import Engine
import Fixtures
import Foundation
import Mocks
import Oracles
import Service
import Sound
import Testing

@Suite(.timeLimit(.minutes(10))) struct ServiceTests {
    private func playback(_ orders: inout AsyncStream<SpeakerOrder>.Iterator) async throws -> Playback {
        while let order = await orders.next() {
            if case .play(let playback) = order { return playback }
        }
        throw Silence()
    }

    private struct Silence: Error {}

    @Test func alarm_ringsAtItsTime_andTheSpeakerIsReadyBefore() async throws {
        try await withService { fixture in
            let reply = await fixture.ask(.save(.daily("work", "15:01")), "1")
            guard case .done(.saved(let saved, _)) = reply, let next = saved.next else { throw Silence() }
            #expect(next.occurrence.at.description == "2024-03-09T20:01:00Z")
            var orders = fixture.speaker.orders.makeAsyncIterator()
            await fixture.advance(byMilliseconds: 50_000)
            #expect(await orders.next() == .ready(sound: "chimes01", isNear: true))
            await fixture.advance(byMilliseconds: 10_000)
            let playback = try await playback(&orders)
            #expect(playback.reason == "work at 2024-03-09T20:01:00Z")
            #expect(playback.ramp == Ramp(volume: 0.8, seconds: 30, startUptime: 110_000))
            guard case .done(.stopped(let name, _)) = await fixture.ask(.stop, "2") else { throw Silence() }
            #expect(name.id == "work")
            #expect(await orders.next() == .silent)
        }
    }

    @Test func zone_isReadBeforeTheCommandThatNamesIt() async throws {
        try await withService { fixture in
            var alarm = Alarm.daily("tokyo", "07:00")
            alarm.zoneName = "Asia/Tokyo"
            guard case .done(.saved(let saved, _)) = await fixture.ask(.save(alarm), "1"), let next = saved.next else {
                throw Silence()
            }
            #expect(next.occurrence.at.description == "2024-03-09T22:00:00Z")
        }
    }

    @Test func clockStepsZonesAndTrust_reachTheEngine() async throws {
        try await withService(isStarted: false) { fixture in
            fixture.clock.trust = .nobody
            await fixture.start()
            _ = await fixture.ask(.save(.daily("work", "07:00")), "1")
            var steps = fixture.steps.makeAsyncIterator()
            fixture.clock.trust = .synchronised
            while let step = await steps.next(), step.input != .clockTrusted(true) {}
            fixture.clock.zoneName = "Europe/Berlin"
            while let step = await steps.next() {
                if case .zoneChanged(let zone) = step.input {
                    #expect(zone.name == "Europe/Berlin")
                    break
                }
            }
            #expect(
                await fixture.service.engine.alarm("work")?.next?.occurrence.at.description == "2024-03-10T06:00:00Z")
        }
    }

    @Test func sleepingMachine_isWokenInTime_forRingsAndSnoozes() async throws {
        let scratch = try Scratch()
        let fixture = try ServiceFixture(directory: scratch.path)
        await fixture.start()
        let now = ServiceFixture.begin * 1000
        _ = await fixture.ask(.save(.daily("work", "15:20")), "1")
        // The machine wakes 10 s early, so that the speaker has time to open.
        #expect(fixture.waker.wallMilliseconds == now + 1_190_000)
        var orders = fixture.speaker.orders.makeAsyncIterator()
        await fixture.advance(byMilliseconds: 1_200_000)
        _ = try await playback(&orders)
        // During a ring the machine must wake again within a minute.
        await fixture.waitUntil { _ in fixture.waker.wallMilliseconds == now + 1_260_000 }
        _ = await fixture.ask(.snooze(seconds: 600), "2")
        #expect(fixture.waker.wallMilliseconds == now + 1_790_000)
        // Other writes must not set the wake time again.
        let setCountBefore = fixture.waker.setCount
        _ = await fixture.ask(.saveCalendar("school", DayCalendar()), "calendar")
        #expect(fixture.waker.setCount == setCountBefore)
        // The wake time depends on the time left, so a step of the clock sets it again.
        let setCount = fixture.waker.setCount
        fixture.clock.step(byMilliseconds: 3000)
        await fixture.waitUntil { _ in fixture.waker.setCount != setCount }
        #expect(await fixture.service.warnings.isEmpty)
        fixture.waker.fail(with: .system(path: "/dev/rtc0", errorNumber: EINVAL))
        await fixture.service.triedOut()
        let warning = await fixture.service.warnings.first
        #expect(warning?.hasPrefix("No alarm rings while the machine sleeps (") == true, "\(warning as Any)")
        // A machine that cannot wake itself gets no warning.
        fixture.waker.fail(with: WakerError.none)
        await fixture.service.triedOut()
        #expect(await fixture.service.warnings.isEmpty)
        _ = await fixture.ask(.stop, "3")
        #expect(await fixture.ask(.save(.daily("other", "15:30")), "4") != .refused(.busy))
        fixture.waker.fail(with: nil)
        await fixture.advance(byMilliseconds: 600_000)
        _ = try await playback(&orders)
        await fixture.waitUntil { _ in fixture.waker.wallMilliseconds == now + 1_863_000 }
        // The end must not leave a wake time a minute ahead.
        await fixture.end()
        #expect(fixture.waker.wallMilliseconds == now + 83_990_000)
    }

    /// The evening's preflight and the lock before a ring must not wake the machine.
    @Test func sleepingMachine_isWokenOnlyForRings() async throws {
        try await withService { fixture in
            #expect(fixture.waker.wallMilliseconds == nil)
            _ = await fixture.ask(.save(.daily("work", "07:00", sums: 1)), "1")
            let due = try #require(Instant("2024-03-10T11:00:00Z", rounding: .down))
            #expect(fixture.waker.wallMilliseconds == due.secondsSince1970 * 1000 - 10_000)
        }
    }

    /// The timer fires, and before the service reacts, the clock goes back by too little to be noticed.
    @Test func ring_starts_whenTheClockGoesBackAtItsTime() async throws {
        try await withService { fixture in
            _ = await fixture.ask(.save(.daily("work", "15:01")), "1")
            var (orders, steps) = (fixture.speaker.orders.makeAsyncIterator(), fixture.steps.makeAsyncIterator())
            await fixture.advance(byMilliseconds: 50_000)
            #expect(await orders.next() == .ready(sound: "chimes01", isNear: true))
            await fixture.advance(byMilliseconds: 10_000)
            fixture.clock.step(byMilliseconds: -300)
            // The loop ends when the service has handled both changes.
            while let step = await steps.next(), step.moment.wallMilliseconds < ServiceFixture.begin * 1000 + 59_700 {}
            _ = await fixture.ask(.answer(1), "2")
            fixture.clock.advance(byMilliseconds: 300)
            let heard = try await playback(&orders)
            #expect(heard.reason == "work at 2024-03-09T20:01:00Z")
        }
    }

    /// A system update replaces a zone's rules under the same name.
    @Test func newRulesOfAZone_areRead_whenItsFileMayHaveChanged() async throws {
        let files = try Scratch()
        let system = ZoneCatalogue.systemDirectory
        try FileManager.default.createDirectory(atPath: "\(files.path)/America", withIntermediateDirectories: true)
        let file = "\(files.path)/America/New_York"
        try FileManager.default.copyItem(atPath: "\(system)/America/New_York", toPath: file)
        try await withService(zones: ZoneCatalogue(directory: files.path)) { fixture in
            _ = await fixture.ask(.save(.daily("work", "07:00")), "1")
            func next() async -> String? { await fixture.service.engine.alarm("work")?.next?.occurrence.at.description }
            #expect(await next() == "2024-03-10T11:00:00Z")
            try FileManager.default.removeItem(atPath: file)
            // While the file is missing, the earlier rules stay in force.
            await fixture.service.triedOut()
            #expect(await next() == "2024-03-10T11:00:00Z")
            #expect(await fixture.service.warnings.count == 1)
            try FileManager.default.copyItem(atPath: "\(system)/America/Chicago", toPath: file)
            await fixture.service.triedOut()
            #expect(await next() == "2024-03-10T12:00:00Z")
            #expect(await fixture.service.warnings.isEmpty)
        }
    }

    @Test func unreadableZone_keepsThePreviousZone_andIsReported() async throws {
        let scratch = try Scratch()
        try await withService(in: scratch) { fixture in
            _ = await fixture.ask(.save(.daily("work", "15:01")), "1")
            var steps = fixture.steps.makeAsyncIterator()
            fixture.clock.zoneName = "No/Where"
            while let step = await steps.next() {
                if case .zoneChanged = step.input { break }
            }
            #expect(await fixture.service.engine.zone.name == "America/New_York")
            #expect(await fixture.service.warnings.count == 1)
        }
        try await withService(in: scratch, isStarted: false) { fixture in
            fixture.clock.zoneName = "No/Where"
            await fixture.start()
            #expect(
                await fixture.service.engine.alarm("work")?.next?.occurrence.at.description == "2024-03-09T20:01:00Z")
            #expect(await fixture.service.warnings.count == 1)
        }
    }

    @Test func unknownZone_isReported_untilItIsKnown() async throws {
        try await withService(isStarted: false) { fixture in
            fixture.clock.zoneName = ""
            await fixture.start()
            #expect(await fixture.service.engine.zone.name == "UTC")
            #expect(await fixture.service.warnings.first?.contains("ring by UTC") == true)
            var steps = fixture.steps.makeAsyncIterator()
            fixture.clock.zoneName = "Europe/Berlin"
            while let step = await steps.next() {
                if case .zoneChanged(let zone) = step.input, zone.name == "Europe/Berlin" { break }
            }
            #expect(await fixture.service.warnings.isEmpty)
        }
    }

    /// `end` must call back when all facts are durable, even if the speaker hangs.
    @Test func end_withAHangingSpeaker_callsBackOnceFactsAreDurable() async throws {
        let scratch = try Scratch()
        let fixture = try ServiceFixture(directory: scratch.path)
        await fixture.start()
        fixture.speaker.hang()
        let (kept, telling) = AsyncStream.makeStream(of: Void.self)
        Task { await fixture.service.end { telling.yield() } }
        var isKept = kept.makeAsyncIterator()
        await isKept.next()
    }
}
