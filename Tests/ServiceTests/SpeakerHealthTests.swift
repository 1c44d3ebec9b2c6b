// The tests of the speaker's health, in the evening and during a ring.

import Alarms
import Devices
import Engine
import Fixtures
import Health
import Oracles
import Sound
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct SpeakerHealthTests {
    @Test func missingSound_isFoundByThePreflight() async throws {
        try await withService { fixture in
            fixture.speaker.status = SpeakerStatus(routes: [RouteStatus(Route(id: "a", kind: .usb), .good)])
            fixture.speaker.status.isReady = true
            var alarm = Alarm.daily("work", "07:00")
            alarm.ring.sound = "birds.flac"
            _ = await fixture.ask(.save(alarm), "1")
            await fixture.service.triedOut()
            let health = await fixture.service.status.health.first { $0.part == .speaker }?.health
            #expect(health?.grade == .warning && health?.text.contains("birds.flac") == true, "\(health as Any)")
        }
    }

    /// A ring that is only felt needs a machine that is awake, but no speaker.
    @Test func feltRing_keepsTheMachineAwake() {
        var machine = SpeakerMachine()
        let order = ShakeOrder(rampSeconds: 30, rampStartUptime: 0)
        #expect(machine.orders(for: .shake(order)) == [.pollSpeaker] && machine.order == .silent)
        #expect(machine.orders(for: .shake(order)) == [])
        let reaction = machine.poll(SpeakerStatus(routes: []))
        #expect(reaction?.orders == [.alarmClock] && reaction?.inputs == [])
        #expect(machine.orders(for: .shake(nil)) == [.alarmClock])
        #expect(machine.poll(SpeakerStatus(routes: [])) == nil)
    }

    /// Waits until the speaker has that health.
    private func waitUntilSpeaker(of fixture: ServiceFixture, is health: Health) async {
        await fixture.waitUntil { $0.health(of: .speaker)?.spoken == health }
    }

    /// Returns the health's text at each moment of one ring.
    private func texts(_ moments: [SpeakerStatus]) -> [String] {
        var ring = RingHealth()
        return moments.map { ring.health($0).text }
    }

    /// A new attempt on the chosen card, or another failure, must not change the text.
    @Test func ringOnAnotherCard_keepsItsReason() {
        let (chosen, screen) = (Route(id: "Speaker", kind: .usb), Route(id: "Screen", kind: .hdmi))
        let healths: [RouteStatus.RouteHealth] = [
            .trying, .failed(.gone), .trying, .failed(.tooManyHang(count: 3)), .good,
        ]
        let moments = healths.map {
            SpeakerStatus(routes: [RouteStatus(chosen, $0), RouteStatus(screen, .good)], output: .route("Screen"))
        }
        let reason = "Screen plays instead of Speaker (unplugged)"
        #expect(texts(moments) == ["", reason, reason, reason, ""])
    }

    /// A card that alternates between two failures must not be reported each second.
    @Test func ringWithoutOutput_keepsItsReason() {
        let card = Route(id: "Headphones", kind: .analogue)
        let healths: [RouteStatus.RouteHealth] = [
            .unknown, .failed(.gone), .trying, .failed(.tooManyHang(count: 3)), .failed(.gone),
        ]
        let moments = healths.map { SpeakerStatus(routes: [RouteStatus(card, $0)]) }
        let reason = "No speaker plays: Headphones (unplugged)"
        #expect(
            texts(moments) == ["No speaker plays: Headphones (not tested yet)", reason, reason, reason, reason])
    }

    /// The text is the same in the evening, during the ring and after it. The next ring starts afresh.
    @Test func ringOnAnotherCard_isReported() async throws {
        try await withService { fixture in
            _ = await fixture.ask(.save(.daily("work", "15:01")), "1")
            let (chosen, screen) = (Route(id: "Speaker", kind: .usb), Route(id: "Screen", kind: .hdmi))
            var status = SpeakerStatus(
                routes: [RouteStatus(chosen, .failed(.gone)), RouteStatus(screen, .good)], output: .route("Screen"))
            status.warnings = ["Screen: the mixer is as it was"]
            fixture.speaker.status = status
            await fixture.advance(byMilliseconds: 60_000)
            let text = "Screen plays instead of Speaker (unplugged). Screen: the mixer is as it was."
            await waitUntilSpeaker(of: fixture, is: Health(.described(.warning, text)))
            _ = await fixture.ask(.stop, "2")
            #expect(await fixture.service.status.health.first { $0.part == .speaker }?.health.text == text)
            status.routes[0].health = .failed(.tooManyHang(count: 3))
            fixture.speaker.status = status
            _ = await fixture.ask(.save(.daily("next", "15:02")), "3")
            await fixture.advance(byMilliseconds: 60_000)
            let other = "Screen plays instead of Speaker (\(RouteFailure.tooManyHang(count: 3).cause))"
            await waitUntilSpeaker(
                of: fixture, is: Health(.described(.warning, "\(other). Screen: the mixer is as it was.")))
        }
    }

    @Test func ringWithoutOutput_isReported() async throws {
        try await withService { fixture in
            _ = await fixture.ask(.save(.daily("work", "15:01")), "1")
            var steps = fixture.steps.makeAsyncIterator()
            await fixture.advance(byMilliseconds: 60_000)
            while let step = await steps.next() {
                guard case .health(.speaker, let health) = step.input else { continue }
                #expect(
                    health.spoken
                        == Health(.described(.broken, "No speaker plays: there is no sound card. Plug one in.")))
                break
            }
            await fixture.service.triedOut()
            #expect(await fixture.service.status.health.first { $0.part == .speaker }?.health.grade == .broken)
        }
    }

    /// Health after a preflight has opened the speaker. The working card may be a screen that is off.
    @Test func preflight_reportsBrokenCards_andThatAnotherCardThanTheChosenWorks() {
        func health(_ routes: [RouteStatus], missing: [String] = []) -> Health {
            var status = SpeakerStatus(routes: routes)
            status.isReady = routes.contains { $0.health == .good }
            status.missing = missing
            return Health(readying: status).spoken
        }
        let chosen = RouteStatus(Route(id: "Speaker", kind: .usb), .failed(.gone))
        let screen = RouteStatus(Route(id: "Screen", kind: .hdmi), .good)
        #expect(health([chosen]) == Health(.described(.broken, "No speaker works: Speaker (unplugged)")))
        let failed = "Screen plays instead of Speaker (unplugged)"
        #expect(health([chosen, screen]) == Health(.described(.warning, failed)))
        let missing = "Screen plays instead of \"usb:0d8c:0014\" (not found)"
        #expect(health([screen], missing: ["usb:0d8c:0014"]) == Health(.described(.warning, missing)))
        // A broken card behind a working one would not be heard in any case.
        #expect(health([screen, chosen]) == .ok)
    }

    /// A preflight prepares no near ring, so it must not raise the mixer's level.
    @Test func preflight_testsTheSpeaker_withoutRaisingTheMixer() async throws {
        try await withService { fixture in
            fixture.speaker.status.isReady = true
            var orders = fixture.speaker.orders.makeAsyncIterator()
            await fixture.service.triedOut()
            #expect(await orders.next() == .ready(sound: "chimes01", isNear: false))
            #expect(await orders.next() == .silent)
        }
    }
}

extension Health {
    /// The health with its text in place of its cause, for comparisons.
    fileprivate var spoken: Health { self == .ok ? .ok : Health(.described(grade, text)) }
}
