// The tests of each rule of routing, by an example.

import Sound
import Testing

@testable import SimulatedDevices

@Suite struct RoutingTests {
    static let usb = Route(id: "Device", kind: .usb, usbID: "0d8c:0014")
    static let headphones = Route(id: "Headphones", kind: .analogue)
    static let screen = Route(id: "vc4hdmi0", kind: .hdmi)
    static let playback = Playback(
        reason: "07:00", sound: "chimes01", ramp: Ramp(volume: 1, seconds: 30, startUptime: 10_000))

    /// Returns a speaker that was readied ten seconds ago and starts to ring now.
    func ringing(
        _ routes: [Route], hasBuzzer: Bool = true, before: (inout SimulatedSpeaker) -> Void = { _ in }
    ) -> SimulatedSpeaker {
        var speaker = SimulatedSpeaker(routes.map { SimulatedCard($0) }, hasBuzzer: hasBuzzer)
        before(&speaker)
        speaker.order(.ready(sound: "chimes01"))
        _ = speaker.advance(to: 10_000)
        speaker.order(.play(Self.playback))
        return speaker
    }

    func outputs(_ speaker: SimulatedSpeaker) -> [ActiveOutput] { speaker.heard.map(\.output) }

    @Test func ready_isSilent_andTheFirstNoteIsAudibleAtOnce() {
        var speaker = SimulatedSpeaker([SimulatedCard(Self.headphones), SimulatedCard(Self.usb)])
        speaker.order(.ready(sound: "chimes01"))
        for uptime in 1...10_000 {
            #expect(speaker.advance(to: uptime) == [])
            #expect(speaker.heard == [])
        }
        speaker.order(.play(Self.playback))
        let reports = speaker.advance(to: 10_100)
        #expect(outputs(speaker) == [.route("Device")])
        guard case .started(.route("Device"), let latency)? = reports.first?.report else {
            Issue.record("\(reports)")
            return
        }
        #expect(latency <= 50)
    }

    @Test func secondRingOnACard_isReportedWhenAudible_notEarlier() {
        // At any time between two samples.
        for pause in stride(from: 1, to: 300, by: 7) {
            var speaker = ringing([Self.usb])
            _ = speaker.advance(to: 20_000)
            speaker.order(.ready(sound: "chimes01"))
            _ = speaker.advance(to: 20_000 + pause)
            speaker.order(.play(Self.playback))
            #expect(speaker.nextChangeUptime != nil, "whoever waits for it is told when it is heard")
            for uptime in 20_000 + pause...20_050 + pause {
                let reports = speaker.advance(to: uptime)
                #expect(reports.isEmpty || !speaker.heard.isEmpty, "\(uptime): \(reports)")
            }
            #expect(speaker.heard.count == 1)
        }
    }

    @Test func silence_isImmediate_withoutALaterWakeUp() {
        var speaker = ringing([Self.usb, Self.headphones])
        _ = speaker.advance(to: 20_000)
        speaker.order(.silent)
        #expect(speaker.heard == [])
        _ = speaker.advance(to: 21_000)
        #expect(speaker.nextUptime == nil)
    }

    @Test func unpluggedCard_isReplaced_andTakenBackAfterFiveSecondsOfPlaying() {
        var speaker = ringing([Self.usb, Self.headphones])
        _ = speaker.advance(to: 20_000)
        speaker.change("Device") { $0.isPlugged = false }
        let lost = speaker.advance(to: 20_500).map(\.report)
        #expect(outputs(speaker) == [.route("Headphones")])
        #expect(
            lost == [
                .failed("Device", .gone), .changed(from: .route("Device"), to: .route("Headphones"), .failed(.gone)),
            ])
        speaker.change("Device") { $0.isPlugged = true }
        #expect(speaker.advance(to: 25_400) == [])
        #expect(outputs(speaker) == [.route("Headphones")])
        let back = speaker.advance(to: 26_000).map(\.report)
        #expect(back == [.changed(from: .route("Headphones"), to: .route("Device"), .better)])
        // The volume ramp has run for sixteen of its thirty seconds, across the cards.
        let decibels: Double = speaker.heard.first?.decibels ?? 0
        let expected: Double = -40 * 14 / 30
        #expect(abs(decibels - expected) < 0.01)
    }

    /// The next card may be slow to open.
    @Test(
        arguments: [CardFault.stalls, .trickles, .breaks(errorNumber: 5), .breaks(errorNumber: 19)], [20, 200])
    func failingCard_isReplacedWithinHalfASecond(fault: CardFault, openMilliseconds: Int) {
        var speaker = ringing([Self.usb, Self.headphones], hasBuzzer: openMilliseconds < 100) {
            $0.change("Headphones") { $0.openMilliseconds = openMilliseconds }
        }
        for uptime in 20_000..<20_200 {
            // At any time between two samples.
            var speaker = speaker
            _ = speaker.advance(to: uptime)
            speaker.change("Device") { $0.fault = fault }
            _ = speaker.advance(to: uptime + 500)
            #expect(outputs(speaker) == [.route("Headphones")], "\(uptime)")
            // The status names the fault.
            _ = speaker.advance(to: uptime + 1000)
            guard case .failed? = speaker.routing.status.routes.first?.health else {
                Issue.record("\(uptime): \(speaker.routing.status)")
                return
            }
        }
        _ = speaker.advance(to: 20_000)
    }

    /// A card that consumes one frame in forty-eight makes progress, but is not audible.
    @Test(arguments: [true, false]) func cardThatTrickles_doesNotCountAsPlaying(hasBuzzer: Bool) {
        var speaker = ringing(hasBuzzer ? [Self.usb] : [Self.usb, Self.headphones], hasBuzzer: hasBuzzer) {
            $0.change("Device") { $0.fault = .trickles }
        }
        for uptime in 10_000..<30_000 {
            _ = speaker.advance(to: uptime)
            guard uptime >= 10_500 else { continue }
            #expect(outputs(speaker) == [hasBuzzer ? .buzzer : .route("Headphones")], "\(uptime)")
        }
        speaker.change("Device") { $0.fault = nil }
        _ = speaker.advance(to: 70_000)
        #expect(outputs(speaker) == [.route("Device")])
    }

    /// A better card that returns but only trickles never passes its trial.
    @Test func betterCardThatTrickles_isNotTakenBack() {
        var speaker = ringing([Self.usb, Self.headphones])
        _ = speaker.advance(to: 20_000)
        speaker.change("Device") { $0.isPlugged = false }
        _ = speaker.advance(to: 21_000)
        speaker.change("Device") { ($0.isPlugged, $0.fault) = (true, .trickles) }
        let reports = speaker.advance(to: 60_000).map(\.report)
        #expect(outputs(speaker) == [.route("Headphones")])
        #expect(!reports.contains { if case .changed = $0 { true } else { false } }, "\(reports)")
    }

    /// Some cards report their position rarely, and then advance by many frames at once. The player's
    /// reports add to that delay.
    @Test(arguments: [120, 150, 170]) func cardThatConsumesFramesInBursts_plays(milliseconds: Int) {
        // At any time between two samples, and between two turns of the player.
        for begin in 20..<20 + milliseconds {
            for turn in stride(from: 0, to: 25, by: 6) { play(from: begin, milliseconds, turn: turn) }
        }
    }

    private func play(from begin: Int, _ milliseconds: Int, turn: Int) {
        var routing = Routing(hasBuzzer: false)
        _ = routing.handle(.routes([Self.usb, Self.headphones]), at: 0)
        guard case .open(let attempt)? = routing.handle(.ordered(.play(Self.playback)), at: 0).first else {
            Issue.record("nothing is opened")
            return
        }
        _ = routing.handle(.opened(attempt, rate: 48_000), at: 20)
        var told: [RoutingAction] = []
        while let uptime = routing.wakeUptime, uptime < 6000 {
            let toldUptime = (uptime - turn) / 25 * 25 + turn
            let frames = max(0, toldUptime - begin) / milliseconds * milliseconds * 48
            let look = RoutingEvent.sampled([CardSample(attempt, CardPosition(frames: frames, firstHeardFrame: 0))])
            let actions = routing.handle(look, at: uptime)
            // Until the card has proved that it plays, other cards may be tried beside it.
            if uptime > 1000 { told += actions }
        }
        #expect(routing.status.activeOutput == .route("Device"))
        #expect(told.isEmpty, "\(begin), \(turn): \(told)")
    }

    /// The card may recover just as another has replaced it, or is about to.
    @Test(arguments: [true, false]) func briefStallOfACard_neverCausesTwoSounds(hasBuzzer: Bool) {
        for milliseconds in 100..<700 {
            var speaker = ringing(hasBuzzer ? [Self.usb] : [Self.usb, Self.headphones], hasBuzzer: hasBuzzer)
            _ = speaker.advance(to: 20_000)
            speaker.change("Device") { $0.fault = .stalls }
            _ = speaker.advance(to: 20_000 + milliseconds)
            speaker.change("Device") { $0.fault = nil }
            for uptime in 20_000 + milliseconds..<21_500 {
                _ = speaker.advance(to: uptime)
                #expect(speaker.heard.count <= 1, "\(milliseconds) ms")
            }
            // The card leads again, at once or after five seconds of trial.
            _ = speaker.advance(to: 28_000)
            #expect(outputs(speaker) == [.route("Device")], "\(milliseconds) ms")
        }
    }

    /// Cards that were tried beside the first are closed once they are not needed.
    @Test func worseCards_areReleased_onceABetterOnePlays() {
        var slow = SimulatedCard(Self.usb)
        slow.openMilliseconds = 350
        var speaker = SimulatedSpeaker([slow, SimulatedCard(Self.headphones)], hasBuzzer: false)
        speaker.order(.play(Self.playback))
        _ = speaker.advance(to: 300)
        #expect(speaker.attempts.count == 2)
        _ = speaker.advance(to: 7000)
        #expect(outputs(speaker) == [.route("Device")])
        #expect(speaker.attempts.count == 1)
    }

    @Test func cardThatNeverOpens_delaysNoOtherCard() {
        var speaker = SimulatedSpeaker([SimulatedCard(Self.usb), SimulatedCard(Self.screen)], hasBuzzer: false)
        speaker.change("Device") { $0.fault = .opensNever }
        speaker.order(.play(Self.playback))
        let reports = speaker.advance(to: 600).map(\.report)
        #expect(outputs(speaker) == [.route("vc4hdmi0")])
        #expect(reports.last == .failed("Device", .openHangs(milliseconds: 500)))
    }

    /// The card is on trial each time and never passes. Its removal is reported once.
    @Test func cardPluggedInEachSecond_neverDisturbsTheOther() {
        var speaker = ringing([Self.usb, Self.headphones])
        _ = speaker.advance(to: 20_000)
        speaker.change("Device") { $0.isPlugged = false }
        var reports = speaker.advance(to: 20_500).map(\.report)
        for second in 21...60 {
            speaker.change("Device") { $0.isPlugged.toggle() }
            for uptime in second * 1000 - 500..<second * 1000 + 500 {
                reports += speaker.advance(to: uptime).map(\.report)
                #expect(outputs(speaker) == [.route("Headphones")])
            }
        }
        #expect(reports.filter { $0 == .failed("Device", .gone) }.count == 1)
    }

    @Test func buzzer_soundsAtOnce_wheneverNoCardPlays() {
        var speaker = ringing([Self.usb]) { $0.change("Device") { $0.isPlugged = false } }
        #expect(outputs(speaker) == [.buzzer])
        #expect(speaker.advance(to: 15_000).map(\.report) == [.started(.buzzer, latencyMilliseconds: 0)])
        speaker.change("Device") { $0.isPlugged = true }
        let reports = speaker.advance(to: 15_400).map(\.report)
        #expect(outputs(speaker) == [.route("Device")])
        #expect(reports == [.changed(from: .buzzer, to: .route("Device"), .better)])
        speaker.change("Device") { $0.fault = .breaks(errorNumber: 5) }
        let why = RouteChange.failed(.system(.write, errorNumber: 5))
        #expect(speaker.advance(to: 17_000).map(\.report).contains(.changed(from: .route("Device"), to: .buzzer, why)))
    }

    /// A failure that repeats for the same reason is reported once.
    @Test func repeatedFailure_isReportedOnce() {
        var speaker = ringing([Self.usb]) { $0.change("Device") { $0.fault = .refuses(errorNumber: 16) } }
        let reports = speaker.advance(to: 60_000).map(\.report)
        #expect(reports.filter { $0 == .failed("Device", .system(.open, errorNumber: 16)) }.count == 1)
    }

    @Test func ringForAnotherReason_isReportedAgain() {
        var speaker = ringing([Self.usb])
        _ = speaker.advance(to: 11_000)
        var next = Self.playback
        next.reason = "07:05"
        speaker.order(.play(next))
        guard case .started(.route("Device"), _)? = speaker.advance(to: 12_000).first?.report else {
            Issue.record("nothing was told")
            return
        }
        #expect(outputs(speaker) == [.route("Device")])
    }

    @Test func status_hasTheHealthOfEachRoute() {
        var speaker = ringing([Self.headphones, Self.usb])
        speaker.change("Device") { $0.fault = .breaks(errorNumber: 5) }
        _ = speaker.advance(to: 11_000)
        let status = speaker.routing.status
        #expect(status.activeOutput == .route("Headphones"))
        #expect(status.routes.map(\.route.id) == ["Device", "Headphones"])
        #expect(status.routes.last?.health == .good)
        #expect(status.routes.first?.health == .failed(.system(.open, errorNumber: 5)))
    }

    @Test(arguments: [400, 510, 2000, 20_000]) func onlyCard_thatOpensLate_plays(milliseconds: Int) {
        for hasBuzzer in [false, true] {
            let card = SimulatedCard(Self.usb, openMilliseconds: milliseconds)
            var speaker = SimulatedSpeaker([card], hasBuzzer: hasBuzzer)
            speaker.order(.play(Self.playback))
            let reports = speaker.advance(to: milliseconds - 1).map(\.report)
            #expect(outputs(speaker) == (hasBuzzer && milliseconds > 500 ? [.buzzer] : []))
            #expect(reports.contains(.failed("Device", .openHangs(milliseconds: 500))) == (milliseconds > 500))
            _ = speaker.advance(to: milliseconds + 600)
            #expect(outputs(speaker) == [.route("Device")])
        }
    }

    @Test func cardWhoseFirstFrameIsLate_isNotGivenUp() {
        var speaker = SimulatedSpeaker([SimulatedCard(Self.usb)], hasBuzzer: false)
        speaker.change("Device") { $0.fault = .stalls }
        speaker.order(.play(Self.playback))
        _ = speaker.advance(to: 3000)
        speaker.change("Device") { $0.fault = nil }
        _ = speaker.advance(to: 3100)
        #expect(outputs(speaker) == [.route("Device")])
    }

    @Test func failingBuzzer_isNotReportedAsSounding_andIsRetried() {
        var speaker = SimulatedSpeaker([], hasBuzzer: true)
        speaker.isBuzzerBroken = true
        speaker.order(.play(Self.playback))
        #expect(speaker.advance(to: 5000) == [])
        #expect(speaker.routing.status.activeOutput == nil)
        speaker.isBuzzerBroken = false
        let reports = speaker.advance(to: 6100).map(\.report)
        #expect(outputs(speaker) == [.buzzer])
        guard case .started(.buzzer, _)? = reports.first else {
            Issue.record("\(reports)")
            return
        }
        speaker.order(.silent)
        #expect(speaker.heard == [])
    }

    /// The order to stop precedes the report that the buzzer has started. The order must be repeated,
    /// because the report only answers the order to start.
    @Test func buzzerThatStartsAfterTheStopOrder_isOrderedAgain() {
        var routing = Routing(hasBuzzer: true)
        _ = routing.handle(.routes([]), at: 10_000)
        #expect(routing.handle(.ordered(.play(Self.playback)), at: 10_000) == [.buzz(true)])
        #expect(routing.handle(.ordered(.silent), at: 10_001) == [.buzz(false)])
        _ = routing.handle(.buzzed(isOn: true, isDone: true), at: 10_002)
        _ = routing.handle(.buzzed(isOn: false, isDone: false), at: 10_002)
        #expect(routing.handle(.sampled([]), at: 11_002) == [.buzz(false)])
    }

    /// A card that appears while the buzzer refuses takes over as soon as it plays.
    @Test func newCard_whileTheBuzzerRefuses_plays() {
        var speaker = SimulatedSpeaker([SimulatedCard(Self.usb)], hasBuzzer: true)
        speaker.isBuzzerBroken = true
        speaker.change("Device") { $0.isPlugged = false }
        speaker.order(.play(Self.playback))
        _ = speaker.advance(to: 5000)
        speaker.change("Device") { $0.isPlugged = true }
        _ = speaker.advance(to: 5500)
        #expect(outputs(speaker) == [.route("Device")])
    }

    /// A buzzer that cannot be stopped keeps sounding, so the stop order is repeated.
    @Test func buzzerThatCannotBeStopped_isOrderedAgain_alsoAfterAnotherRing() {
        var speaker = SimulatedSpeaker([], hasBuzzer: true)
        speaker.order(.play(Self.playback))
        _ = speaker.advance(to: 1000)
        #expect(outputs(speaker) == [.buzzer])
        speaker.isBuzzerBroken = true
        speaker.order(.silent)
        _ = speaker.advance(to: 5000)
        #expect(outputs(speaker) == [.buzzer], "nobody can help it")
        #expect(speaker.routing.status.activeOutput == nil)
        // The buzzer may be needed again before it has stopped.
        speaker.order(.play(Self.playback))
        _ = speaker.advance(to: 8000)
        speaker.isBuzzerBroken = false
        _ = speaker.advance(to: 9500)
        #expect(speaker.routing.status.activeOutput == .buzzer)
        speaker.order(.silent)
        #expect(outputs(speaker) == [])
        _ = speaker.advance(to: 20_000)
        #expect(speaker.routing.wakeUptime == nil)
    }

    /// The list of cards may miss one. A card that plays must not be left for that.
    @Test func playingCard_missingFromTheList_isKept() {
        var speaker = ringing([Self.usb, Self.headphones])
        _ = speaker.advance(to: 20_000)
        speaker.report([])
        #expect(speaker.advance(to: 40_000) == [])
        #expect(outputs(speaker) == [.route("Device")])
        speaker.change("Device") { $0.fault = .breaks(errorNumber: 19) }
        speaker.report([Self.headphones])
        _ = speaker.advance(to: 40_500)
        #expect(outputs(speaker) == [.route("Headphones")])
    }

    /// The card may stop at any time while another opens. The check of that must not prolong the silence.
    @Test func cardThatStops_whileALaterOneOpens_isReplacedInTime() {
        for stopUptime in 2500...3300 {
            var (slow, quick) = (SimulatedCard(Self.usb), SimulatedCard(Self.headphones))
            (slow.openMilliseconds, quick.openMilliseconds) = (3000, 20)
            var speaker = SimulatedSpeaker([slow, quick], uptime: 0)
            speaker.order(.play(Self.playback))
            _ = speaker.advance(to: stopUptime)
            speaker.change("Headphones") { $0.fault = .stalls }
            _ = speaker.advance(to: stopUptime + 500)
            #expect(!speaker.heard.isEmpty, "\(stopUptime)")
        }
    }

    /// Until the first list of cards arrives, the buzzer must wait.
    @Test func buzzer_waitsBriefly_forTheFirstListOfCards() {
        var routing = Routing(hasBuzzer: true)
        #expect(routing.handle(.ordered(.play(Self.playback)), at: 10_000) == [])
        #expect(routing.wakeUptime == 10_450)
        #expect(routing.handle(.sampled([]), at: 10_450) == [.buzz(true)])
    }
}
