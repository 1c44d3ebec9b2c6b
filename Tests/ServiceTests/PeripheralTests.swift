// The tests of buttons, a keypad, steps, tags and lamps in the service.

import Alarms
import Devices
import Engine
import Fixtures
import Health
import Mocks
import Oracles
import SimulatedDevices
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(5))) struct PeripheralTests {
    private let scratch: Scratch
    private let buttons = VirtualButtons()
    private let lamps = MockLamps()
    private let shaker = MockShaker()
    private let sunrise = MockSunriseLamp()
    private let keypad = VirtualInput<KeypadReport>()
    private let steps = VirtualInput<StepReport>()
    private let tags = VirtualInput<TagReport>()

    init() throws { scratch = try Scratch() }

    private func peripheralFixture() async throws -> ServiceFixture {
        let fixture = try ServiceFixture(
            directory: scratch.path,
            addPeripherals: { bedside in
                (bedside.buttons, bedside.lamps, bedside.keypad) = (buttons, lamps, keypad)
                (bedside.stepSensor, bedside.tagReader, bedside.shaker) = (steps, tags, shaker)
                bedside.sunrise = sunrise
            })
        await fixture.start(ChallengeHardware(kinds: Set(Challenge.Kind.allCases), hasShaker: true))
        for role in Button.allCases { buttons.report(.found(role, isDown: false)) }
        keypad.report(.ready(name: "pad"))
        steps.report(.ready(isActive: false))
        tags.report(.ready(name: "reader"))
        return fixture
    }

    /// Rings an alarm, and waits for its sound.
    private func ring(_ fixture: ServiceFixture, _ challenges: Challenge...) async {
        var alarm = Alarm.daily("work", "15:01")
        alarm.challenges = challenges
        _ = await fixture.ask(.save(alarm), "save")
        await fixture.advance(byMilliseconds: 60_000)
        for await order in fixture.speaker.orders { if case .play = order { break } }
    }

    private func isSilent(_ fixture: ServiceFixture) async {
        for await order in fixture.speaker.orders where order == .silent { break }
        #expect(await fixture.service.engine.history.map(\.ending) == [.dismissed])
    }

    private var uptime: (ServiceFixture) -> Int { { $0.clock.reading.uptimeMilliseconds } }

    @Test func press_stopsAnAlarmWithoutChallenges_andTheLampFollows() async throws {
        let fixture = try await peripheralFixture()
        await ring(fixture)
        // A press from before the ring does not count, so the clock advances first.
        fixture.clock.advance(byMilliseconds: 1000)
        let now = uptime(fixture)
        // Press and release arrive in one turn of the loop.
        buttons.report(.moved(.stop, isDown: true, uptime: now - 100))
        buttons.report(.moved(.stop, isDown: false, uptime: now - 20))
        await isSilent(fixture)
        var lights: [LampLight] = []
        for await order in lamps.orders {
            guard case .show(let light, .status) = order else { continue }
            lights.append(light)
            if lights.count == 3 { break }
        }
        try #require(lights.count == 3)
        // Armed, ringing, armed again for tomorrow.
        #expect(lights[0] == .on && lights[2] == .on)
        if case .blinking = lights[1] {} else { Issue.record("it is \(lights[1]) while it rings") }
        await fixture.end()
    }

    @Test func keypad_isOnDuringASum_andAnswersIt() async throws {
        let fixture = try await peripheralFixture()
        await ring(fixture, Challenge(.sums(level: 1, count: 1, limitSeconds: 300)))
        _ = await fixture.ask(.stop, "stop")
        for await isOn in keypad.orders where isOn { break }
        guard case .sum(let sum, _)? = await fixture.service.status.sessions.first?.assignment else {
            Issue.record("no sum is asked")
            return
        }
        keypad.report(.number(Sums.result(of: sum.text)))
        await isSilent(fixture)
        for await isOn in keypad.orders where !isOn { break }
        await fixture.end()
    }

    /// The chime is an order to the speaker like that of a ring, but softer. Any key answers it.
    @Test func wakeUpCheck_chimes_andAnyKeyAnswersIt() async throws {
        let fixture = try await peripheralFixture()
        var alarm = Alarm.daily("work", "15:01")
        alarm.challenges = [Challenge(.tag(labels: ["fridge"]))]
        alarm.wakeUpCheck = WakeUpCheck(after: 60, within: 60)
        let fridge = try tag(1)
        let digests = await fixture.service.hash(try #require(CodePayload(fridge.payload)), .tag)
        _ = await fixture.ask(.enrol(EnrolledCode(label: "fridge", kind: .tag, digest: digests[0])), "enrol")
        _ = await fixture.ask(.save(alarm), "save")
        await fixture.advance(byMilliseconds: 60_000)
        for await order in fixture.speaker.orders { if case .play = order { break } }
        for await isOn in tags.orders where isOn { break }
        tags.report(.tag(fridge, wasThere: false))
        for await order in fixture.speaker.orders where order == .silent { break }
        await fixture.advance(byMilliseconds: 60_000)
        for await order in fixture.speaker.orders {
            guard case .play(let playback) = order else { continue }
            #expect(playback.sound == "bells01" && playback.ramp.volume == 0.3)
            break
        }
        for await isOn in keypad.orders where isOn { break }
        keypad.report(.pressed)
        await isSilent(fixture)
        await fixture.end()
    }

    /// A broken lamp does not prevent a ring, so it is only a warning.
    @Test func brokenLamp_isAWarning() async throws {
        let fixture = try await peripheralFixture()
        lamps.report(.failed(.status, .gone(LineName("GPIO22"))))
        await fixture.waitUntil { $0.health(of: .lamps)?.grade == .warning }
        lamps.report(.ready(.status))
        await fixture.waitUntil { $0.health(of: .lamps) == .ok }
        await fixture.end()
    }

    /// A ring without sound opens no speaker. Its shaker shakes until it is stopped.
    @Test func shaker_shakesWhileAnAlarmRings() async throws {
        let fixture = try await peripheralFixture()
        var alarm = Alarm.daily("work", "15:01")
        (alarm.ring.shakes, alarm.ring.sound) = (true, RingSettings.noSound)
        _ = await fixture.ask(.save(alarm), "save")
        await fixture.advance(byMilliseconds: 60_000)
        for await order in shaker.orders {
            guard let order else { continue }
            #expect(order.output(at: uptime(fixture)).isOn)
            break
        }
        shaker.report(.failed(.gone(LineName("GPIO26"))))
        await fixture.waitUntil { $0.health(of: .shaker)?.grade == .broken }
        // Without its shaker the alarm would be neither felt nor heard.
        for await order in fixture.speaker.orders { if case .play = order { break } }
        shaker.report(.ready)
        await fixture.waitUntil { $0.health(of: .shaker) == .ok }
        _ = await fixture.ask(.stop, "stop")
        for await order in shaker.orders where order == nil { break }
        #expect(await fixture.service.engine.history.map(\.isShaken) == [true])
        await fixture.end()
    }

    @Test func sunrise_risesBeforeARing_andIsFullUntilItsEnd() async throws {
        let fixture = try await peripheralFixture()
        var alarm = Alarm.daily("work", "15:11")
        alarm.lightSeconds = 600
        _ = await fixture.ask(.save(alarm), "save")
        await fixture.advance(byMilliseconds: 120_000)
        var orders = sunrise.orders.makeAsyncIterator()
        let began = uptime(fixture) - 60_000
        let light = SunriseLight.rising(fromUptime: began, untilUptime: began + 600_000)
        while let order = await orders.next(), order != light {}
        await fixture.advance(byMilliseconds: 540_000)
        // The first preflight sets the lamp once more.
        while let order = await orders.next(), order != .full {}
        _ = await fixture.ask(.stop, "stop")
        while let order = await orders.next(), order != nil {}
        await fixture.end()
    }

    /// The preflight sets the lamp again: no other event shows that it was lost.
    @Test func preflight_setsTheSunriseLamp_whoseFailureIsAWarning() async throws {
        let fixture = try await peripheralFixture()
        sunrise.report(.failed(.noChip(0, known: [])))
        await fixture.waitUntil { $0.health(of: .lamps)?.grade == .warning }
        #expect(await fixture.service.engine.health(of: .lamps)?.text.contains("dtoverlay=pwm") == true)
        sunrise.report(.ready)
        await fixture.waitUntil { $0.health(of: .lamps) == .ok }
        await fixture.service.startPreflight()
        for await order in sunrise.orders where order == nil { break }
        await fixture.end()
    }

    /// A keyboard may be plugged in only for a while, so its absence must not stay a problem.
    @Test func unpluggedKeypad_isNotAProblem() async throws {
        let fixture = try await peripheralFixture()
        keypad.report(.ready(name: "keyboard"))
        keypad.report(.failed(.unplugged(name: "keyboard")))
        await fixture.waitUntil { $0.health(of: .keypad)?.grade == .broken }
        keypad.report(.failed(.none))
        await fixture.waitUntil { $0.health(of: .keypad) == .ok }
        await fixture.end()
    }

    private func tag(_ number: UInt8) throws -> NFCTag {
        try #require(NFCTag(identifier: [4, 0xA2, 1, 2, 3, 4, number]))
    }

    /// A device that left the configuration is neither broken nor in order: nothing tests it any more.
    @Test func removedDevices_areForgotten() async throws {
        let fixture = try await peripheralFixture()
        tags.report(.failed(.none))
        await fixture.waitUntil { $0.health(of: .tags)?.grade == .broken && $0.health(of: .steps) == .ok }
        await fixture.end()
        try await withService(in: scratch) { again in
            for part in [Part.tags, .steps, .buttons, .keypad] {
                #expect(await again.service.health(of: part) == nil, "\(part)")
            }
        }
    }

    @Test func unusableDevice_isReported_untilItWorks() async throws {
        let fixture = try await peripheralFixture()
        buttons.report(.failed(.stop, .busy(LineName("GPIO27"), holder: "gpio-keys")))
        await fixture.waitUntil { $0.health(of: .buttons)?.grade == .broken }
        #expect(await fixture.service.health(of: .buttons)?.text.contains("GPIO27 is in use by gpio-keys") == true)
        buttons.report(.found(.stop, isDown: false))
        await fixture.waitUntil { $0.health(of: .buttons) == .ok }
        // The preflight switches unused devices on for a moment.
        async let tried: Void = fixture.service.triedOut()
        await fixture.onLoop {
            for await isOn in tags.orders where isOn { break }
            tags.report(.failed(.none))
            keypad.report(.ready(name: "pad"))
            steps.report(.ready(isActive: false))
        }
        await tried
        #expect(await fixture.service.health(of: .tags)?.grade == .broken)
        #expect(await fixture.service.health(of: .steps) == .ok)
        for await isOn in tags.orders where !isOn { break }
        await fixture.end()
    }
}
