// A speaker on ALSA's own code, with cards that fail in every way that they can.

import FaultyCard
import Foundation
import Mocks
import Oracles
import Sound
import Testing

@testable import AlsaSpeaker

/// These wait for events, however long these take: no time is asserted on a machine that others use.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LinuxSpeakerTests {
    func started(_ report: SpeakerReport) -> ActiveOutput? {
        if case .started(let output, _) = report { output } else { nil }
    }

    func changed(_ report: SpeakerReport) -> (from: ActiveOutput?, to: ActiveOutput)? {
        if case .changed(let from, let to, _) = report { (from, to) } else { nil }
    }

    @Test func sound_isHeardOnTheBestCard_andSilenceLetsItGo() async throws {
        let cards = try FaultyCards(["good", "spare"])
        var listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        listener.speaker.order(Listener.playback())
        #expect(try await listener.firstOutput() == .route("good"))
        // A card that a busy machine starves for a moment is let go and taken again.
        try await waitUntil { listener.speaker.status.activeOutput == .route("good") }
        try await cards.waitUntilHeard("good")
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("good")
        #expect(try cards.control("good").pointee.first_heard_nanoseconds == 0)
        #expect(try cards.values("good").contains { abs($0) > 1000 })
    }

    static let faults: [String] = ["ENODEV", "EIO", "EPIPE", "ESTRPIPE", "POLLERR", "stalls", "trickles", "unplugged"]

    @Test(arguments: faults) func cardThatFails_isFollowedByTheNext(fault: String) async throws {
        let cards = try FaultyCards(["bad", "spare"])
        cards.plug("spare", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("bad"))
        // Not before: a machine that is kept busy may take the first for late.
        cards.plug("spare", true)
        let bad = try cards.control("bad")
        switch fault {
        case "ENODEV": bad.pointee.write_error = ENODEV
        case "EIO": bad.pointee.write_error = EIO
        // Each time anew: it is made good in place, and comes to nothing.
        case "EPIPE": bad.pointee.write_error = EPIPE
        case "ESTRPIPE": bad.pointee.write_error = ESTRPIPE
        case "POLLERR": bad.pointee.is_crossed = 1
        case "stalls": bad.pointee.stalls = 1
        case "trickles": bad.pointee.trickles = 1
        default: bad.pointee.is_pulled_out = 1
        }
        var heard: ActiveOutput?
        while heard == nil {
            let report = try await listener.next()
            if let change = changed(report) {
                #expect(change.from == .route("bad"))
                heard = change.to
            }
        }
        #expect(heard == .route("spare"))
        // It takes frames from then on; the first that is loud enough to be heard comes a moment later.
        try await cards.waitUntilHeard("spare")
    }

    /// Where in the sound a recording begins, if it is nothing but the sound from there on, frame by frame.
    func place(of heard: ArraySlice<Int16>, in sound: [Int16]) -> Int? {
        sound.indices.first { start in
            heard.indices.allSatisfy { frame in
                let expected = sound[(start + frame - heard.startIndex) % sound.count]
                return abs(Int(heard[frame]) - Int(expected)) <= 1
            }
        }
    }

    /// Each card is given one unbroken piece of the sound, and the second a later one than the first.
    @Test func soundGoesOn_onAnotherCard_withoutAFrameTooManyOrTooFew() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        cards.plug("spare", false)
        var listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        let begun = ContinuousClock.now
        listener.speaker.order(Listener.playback())
        #expect(try await listener.firstOutput() == .route("bad"))
        // Not before: a machine that is kept busy may take the first for late.
        cards.plug("spare", true)
        try cards.control("bad").pointee.write_error = ENODEV
        while try await changed(listener.next())?.to != .route("spare") {}
        let lasted = ContinuousClock.now - begun
        let spare = try cards.control("spare")
        let taken = spare.pointee.taken_frames
        try await waitUntil { spare.pointee.taken_frames >= taken + 24_000 }
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("spare")
        let sound = BuiltInSound.standard.samples().values.map { Int16(($0 * 0.8 * 32_767).rounded()) }
        let all = try cards.values("bad")
        let first = all.drop { $0 == 0 }
        let second = try cards.values("spare").drop { $0 == 0 }
        #expect(second.count > 20_000)
        let begin = try #require(place(of: first, in: sound))
        let goesOn = try #require(place(of: second, in: sound))
        // The very first values are zero, and so cannot be told from the silence before.
        #expect(begin < 10)
        #expect(goesOn > begin)
        // What the first has played, the second does not repeat. On a machine that is kept busy it may be round by then.
        let played = try Int(cards.control("bad").pointee.taken_frames) - (all.count - first.count)
        if lasted < .seconds(BuiltInSound.standard.seconds) { #expect(goesOn >= begin + played) }
    }

    static let openFaults: [String] = ["EBUSY", "ENODEV", "EACCES", "hangs"]

    @Test(arguments: openFaults) func cardThatDoesNotOpen_isPassedOver(fault: String) async throws {
        let cards = try FaultyCards(["bad", "spare"])
        let bad = try cards.control("bad")
        let numbers = ["EBUSY": EBUSY, "ENODEV": ENODEV, "EACCES": EACCES]
        bad.pointee.open_error = numbers[fault] ?? 0
        bad.pointee.open_hangs = fault == "hangs" ? 1 : 0
        var listener = try Listener(ringing: cards.settings())
        var report = try await listener.next()
        if let number = numbers[fault] {
            #expect(report == .failed("bad", .system(.open, errorNumber: number)))
        }
        while started(report) == nil { report = try await listener.next() }
        #expect(started(report) == .route("spare"))
        // Whoever hangs is let go when it comes back.
        bad.pointee.open_hangs = 0
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("spare")
    }

    /// A screen takes frames though it is off: nobody knows whether that is meant but its owner.
    @Test func screenThatNobodyNamed_isNoPeaceOfMind() async throws {
        let cards = try FaultyCards(["Screen"], kind: .hdmi)
        var settings = cards.settings()
        for (order, warnings) in [
            (RouteOrder.standard, ["Screen is a screen"]), (.listed(["usb:"]), ["Screen is a screen"]),
            (.listed(["usb:", "Screen"]), []),
        ] {
            settings.order = order
            let speaker = try LinuxSpeaker.start(settings)
            speaker.order(.ready(sound: "chimes01"))
            try await waitUntil { speaker.status.isReady }
            let status = speaker.status
            #expect(status.missing == (order == .standard ? [] : ["usb:"]))
            #expect(status.warnings.map { String($0.prefix { $0 != "," }) } == warnings, "\(status.warnings)")
        }
    }

    @Test func cardThatRunsDry_goesOnByItself() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("good"))
        let good = try cards.control("good")
        var mendedCount = 0
        for _ in 0..<5 {
            let (prepares, opens) = (good.pointee.prepares, good.pointee.opens)
            good.pointee.runs_dry = 1
            try await waitUntil { good.pointee.prepares != prepares }
            let taken = good.pointee.taken_frames
            try await waitUntil { good.pointee.taken_frames >= taken + 4800 }
            if good.pointee.opens == opens { mendedCount += 1 }
        }
        // A machine that is kept busy may take one for stalled, and open it anew.
        #expect(mendedCount > 0)
    }

    @Test func cardThatWasAsleep_goesOnByItself() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("good"))
        let good = try cards.control("good")
        // A test that is kept waiting itself may let it sleep for too long.
        for _ in 0..<5 {
            let before = good.pointee.opens
            good.pointee.sleeps = 1
            try await Task.sleep(for: .milliseconds(60))
            good.pointee.sleeps = 0
            let taken = good.pointee.taken_frames
            try await waitUntil { good.pointee.taken_frames >= taken + 9600 }
            if good.pointee.opens == before { return }
        }
        Issue.record("it was opened anew each time: \(good.pointee.opens)")
    }

    @Test func withoutAnyCard_theBuzzerIsHeard_untilOneComes() async throws {
        let cards = try FaultyCards(["late"])
        cards.plug("late", false)
        let buzzer = MockBuzzer()
        var buzzes = buzzer.buzzes.makeAsyncIterator()
        var listener = try Listener(ringing: cards.settings(buzzer: buzzer))
        #expect(await buzzes.next() == true)
        #expect(try await listener.firstOutput() == .buzzer)
        cards.plug("late", true)
        #expect(await buzzes.next() == false)
        #expect(changed(try await listener.next())?.to == .route("late"))
    }

    /// As where udev does not run.
    @Test func cardThatNobodyTellsOf_isFoundAllTheSame() async throws {
        let cards = try FaultyCards(["late"])
        cards.plug("late", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.warning("no sound card") == "there is no sound card")
        cards.plug("late", true, isTold: false)
        #expect(try await listener.firstOutput() == .route("late"))
    }

    /// The same while another plays: it takes five seconds to be looked for, and five of good health.
    @Test func betterCardThatNobodyTellsOf_isTakenBackAllTheSame() async throws {
        let cards = try FaultyCards(["best", "spare"])
        cards.plug("best", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("spare"))
        cards.plug("best", true, isTold: false)
        while changed(try await listener.next())?.to != .route("best") {}
    }

    /// It takes five seconds of good health: the longest of these tests.
    @Test func betterCardThatComesBack_isTakenBack() async throws {
        let cards = try FaultyCards(["best", "spare"])
        cards.plug("best", false)
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback(ramp: 60))
        #expect(try await listener.firstOutput() == .route("spare"))
        cards.plug("best", true)
        var report = try await listener.next()
        // A machine that is kept busy may take a card for stalled in between.
        while report != .changed(from: .route("spare"), to: .route("best"), .better) {
            report = try await listener.next()
        }
        #expect(try cards.control("spare").pointee.first_heard_nanoseconds == 0)
        try await cards.waitUntilHeard("best")
        // It was silent for as long as it was on trial.
        let silent = try cards.values("best").prefix { $0 == 0 }
        #expect(silent.count > 48_000 * 4)
    }

    @Test func configurationThatNamesNoCard_isSaid_andSomethingIsHeard() async throws {
        let cards = try FaultyCards(["good"])
        var settings = cards.settings()
        settings.order = .listed(["usb:ffff:ffff"])
        var listener = try Listener(ringing: settings)
        #expect(try await listener.warning("usb:ffff:ffff").contains("others take its place"))
        #expect(try await listener.firstOutput() == .route("good"))
    }

    @Test func unknownSound_isReplaced_andSaid() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback(sound: "nothing"))
        #expect(try await listener.warning("Chimes takes its place").contains("nothing"))
        try await cards.waitUntilHeard("good")
    }
}
