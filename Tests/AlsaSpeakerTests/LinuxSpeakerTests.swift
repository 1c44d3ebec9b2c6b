// The tests of the speaker with ALSA's own code, on cards that fail in every known way.

import FaultyCard
import Foundation
import Mocks
import Oracles
import Sound
import System
import Testing

@testable import AlsaSpeaker

/// These tests wait for events without a time limit, because the machine may be busy with other work.
@Suite(.timeLimit(.minutes(10)), .serialized) struct LinuxSpeakerTests {
    func started(_ report: SpeakerReport) -> ActiveOutput? {
        if case .started(let output, _) = report { output } else { nil }
    }

    func changed(_ report: SpeakerReport) -> (from: ActiveOutput?, to: ActiveOutput)? {
        if case .changed(let from, let to, _) = report { (from, to) } else { nil }
    }

    @Test func sound_playsOnTheBestCard_andSilenceReleasesTheCard() async throws {
        let cards = try FaultyCards(["good", "spare"])
        var listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        listener.speaker.order(Listener.playback())
        #expect(try await listener.firstOutput() == .route("good"))
        // On a busy machine the speaker may close the card once and open it again.
        try await waitUntil { listener.speaker.status.activeOutput == .route("good") }
        try await cards.waitUntilHeard("good")
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("good")
        #expect(try cards.control("good").pointee.first_heard_nanoseconds == 0)
        #expect(try cards.values("good").contains { abs($0) > 1000 })
    }

    /// The chime of a wake-up check is soft, but it is heard, and a ring may follow it at once.
    @Test func softSound_isHeard_andALouderOneFollows() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "bells01", isNear: true))
        let chime = Ramp(volume: 0.3, seconds: 0, startUptime: Uptime.milliseconds)
        listener.speaker.order(.play(Playback(reason: "check", sound: "bells01", ramp: chime)))
        #expect(try await listener.firstOutput() == .route("good"))
        try await cards.waitUntilHeard("good")
        let good = try cards.control("good")
        try await waitUntil { good.pointee.taken_frames >= 48_000 }
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("good")
        let values = try cards.values("good").map { abs(Int($0)) }
        #expect(values.contains { $0 > 1000 } && values.allSatisfy { $0 < 32_767 / 3 })
    }

    static let faults: [String] = ["ENODEV", "EIO", "EPIPE", "ESTRPIPE", "POLLERR", "stalls", "trickles", "unplugged"]

    @Test(arguments: faults) func failingCard_isReplacedByTheNext(fault: String) async throws {
        let cards = try FaultyCards(["bad", "spare"])
        cards.plug("spare", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("bad"))
        // The spare is plugged in only now, because on a busy machine the first card may seem late.
        cards.plug("spare", true)
        let bad = try cards.control("bad")
        switch fault {
        case "ENODEV": bad.pointee.write_error = ENODEV
        case "EIO": bad.pointee.write_error = EIO
        // Each recovery succeeds, but the next write fails again.
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
        // The first audible frame follows shortly after the card starts.
        try await cards.waitUntilHeard("spare")
    }

    /// Returns the frame of the sound at which a recording begins, or nil if any of its frames differs
    /// from the sound.
    func place(of heard: ArraySlice<Int16>, in sound: [Int16]) -> Int? {
        sound.indices.first { start in
            heard.indices.allSatisfy { frame in
                let expected = sound[(start + frame - heard.startIndex) % sound.count]
                return abs(Int(heard[frame]) - Int(expected)) <= 1
            }
        }
    }

    /// Each card receives one unbroken piece of the sound. The second card's piece is later.
    @Test func sound_afterACardFails_continuesUnbrokenOnTheNext() async throws {
        let cards = try FaultyCards(["bad", "spare"])
        cards.plug("spare", false)
        var listener = try Listener(cards.settings())
        listener.speaker.order(.ready(sound: "chimes01"))
        try await waitUntil { listener.speaker.status.isReady }
        let begun = ContinuousClock.now
        listener.speaker.order(Listener.playback())
        #expect(try await listener.firstOutput() == .route("bad"))
        // The spare is plugged in only now, because on a busy machine the first card may seem late.
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
        // The first values of the sound are zero and cannot be distinguished from the silence before.
        #expect(begin < 10)
        #expect(goesOn > begin)
        // The second card does not repeat frames that the first has played. On a busy machine the sound
        // may have looped by then.
        let played = try Int(cards.control("bad").pointee.taken_frames) - (all.count - first.count)
        if lasted < .seconds(BuiltInSound.standard.seconds) { #expect(goesOn >= begin + played) }
    }

    static let openFaults: [String] = ["EBUSY", "ENODEV", "EACCES", "hangs"]

    @Test(arguments: openFaults) func cardThatDoesNotOpen_isReplacedByTheNext(fault: String) async throws {
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
        // The thread that hangs in `open` ends once the call returns.
        bad.pointee.open_hangs = 0
        listener.speaker.order(.silent)
        try await cards.waitUntilClosed("spare")
    }

    /// A screen consumes frames even when it is off. Only the owner can tell whether it is audible, so
    /// the status warns.
    @Test func screenThatIsNotConfigured_isUsed_withAWarning() async throws {
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

    @Test func cardThatRunsDry_continuesPlaying() async throws {
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
        // On a busy machine a card may seem stalled and be opened again.
        #expect(mendedCount > 0)
    }

    @Test func cardAfterASuspend_continuesPlaying() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("good"))
        let good = try cards.control("good")
        // If the test itself is delayed, the card may sleep too long, so there are five attempts.
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

    @Test func buzzer_withoutAnyCard_sounds_untilACardPlays() async throws {
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

    /// Without udev, the speaker polls for cards.
    @Test func newCard_withoutUdev_isFoundByPolling() async throws {
        let cards = try FaultyCards(["late"])
        cards.plug("late", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.warning("no sound card") == "There is no sound card: plug one in")
        cards.plug("late", true, isTold: false)
        #expect(try await listener.firstOutput() == .route("late"))
    }

    /// The same while another card plays: five seconds until the next poll, and five of trial.
    @Test func betterCard_withoutUdev_takesOver() async throws {
        let cards = try FaultyCards(["best", "spare"])
        cards.plug("best", false)
        var listener = try Listener(ringing: cards.settings())
        #expect(try await listener.firstOutput() == .route("spare"))
        cards.plug("best", true, isTold: false)
        while changed(try await listener.next())?.to != .route("best") {}
    }

    /// The trial takes five seconds, which makes this the longest of these tests.
    @Test func betterCardThatReturns_takesOver() async throws {
        let cards = try FaultyCards(["best", "spare"])
        cards.plug("best", false)
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback(ramp: 60))
        #expect(try await listener.firstOutput() == .route("spare"))
        cards.plug("best", true)
        var report = try await listener.next()
        // On a busy machine a card may seem stalled in between.
        while report != .changed(from: .route("spare"), to: .route("best"), .better) {
            report = try await listener.next()
        }
        #expect(try cards.control("spare").pointee.first_heard_nanoseconds == 0)
        try await cards.waitUntilHeard("best")
        // The card was muted during its trial.
        let silent = try cards.values("best").prefix { $0 == 0 }
        #expect(silent.count > 48_000 * 4)
    }

    @Test func configurationWithoutAKnownCard_isReported_andAnotherCardPlays() async throws {
        let cards = try FaultyCards(["good"])
        var settings = cards.settings()
        settings.order = .listed(["usb:ffff:ffff"])
        var listener = try Listener(ringing: settings)
        #expect(try await listener.warning("usb:ffff:ffff").contains("others play instead"))
        #expect(try await listener.firstOutput() == .route("good"))
    }

    @Test func unknownSound_isReplaced_andReported() async throws {
        let cards = try FaultyCards(["good"])
        var listener = try Listener(cards.settings())
        listener.speaker.order(Listener.playback(sound: "nothing"))
        #expect(try await listener.warning("Chimes plays instead").contains("nothing"))
        try await cards.waitUntilHeard("good")
    }
}
