// The tests of the list of sound cards: the cards in it, their kinds, and whether each one works.

import FaultyCard
import Foundation
import Oracles
import Sound
import Synchronization
import Testing

@testable import AlsaSpeaker

@Suite(.timeLimit(.minutes(10))) struct CardTests {
    @Test func check_reportsTheStateOfEachCard() async throws {
        let cards = try FaultyCards(["good", "busy", "gone", "hangs", "stalls"])
        try cards.control("busy").pointee.open_error = EBUSY
        try cards.control("gone").pointee.open_error = ENODEV
        try cards.control("hangs").pointee.open_hangs = 1
        try cards.control("stalls").pointee.stalls = 1
        let results = CardCheck.results(of: try cards.cards(), cards.configuration)
        try await cards.waitUntilPlays("good")
        #expect(results["busy"] == .fails(.system(.open, errorNumber: EBUSY)))
        #expect(results["gone"] == .fails(.system(.open, errorNumber: ENODEV)))
        guard case .fails(.openHangs)? = results["hangs"], case .fails(.stalled)? = results["stalls"] else {
            Issue.record("\(results)")
            return
        }
        // The check plays only silence.
        let isSilent = try cards.values("good").allSatisfy { $0 == 0 }
        #expect(isSilent)
        // The thread that hangs in `open` ends once the call returns.
        try cards.control("hangs").pointee.open_hangs = 0
        try await cards.waitUntilClosed("hangs")
    }

    /// A card that is checked late has had more time, because the others were checked first.
    @Test func check_dependsOnTheFrameRate_notOnTheFrameCount() {
        func check(_ frames: Int, _ milliseconds: Int) -> CardCheck? {
            CardCheck(frames: frames, rate: 48_000, milliseconds: milliseconds, of: 500)
        }
        #expect(check(0, 499) == nil)
        #expect(check(0, 500) == .fails(.stalled(milliseconds: 500)))
        #expect(check(6000, 130) == .plays)
        #expect(check(6000, 500) == .plays)
        #expect(check(6000, 2000) == .fails(.stalled(milliseconds: 2000)))
        #expect(check(96_000, 2000) == .plays)
    }

    @Test func systemCards_haveUniqueIds_andDrainingChangesDoesNotBlock() throws {
        let cards = SystemCards(.listed(["Headphones", "alsa:null"]))
        let all = try cards.cards()
        #expect(all.last?.route.id == "alsa:null")
        #expect(all.last?.devices == ["null"])
        #expect(Set(all.map(\.route.id)).count == all.count)
        // No card has changed, so draining the changes must not block.
        cards.drainChanges()
    }

    /// A card that hangs in the kernel must not delay the others. The survey queries it once, and not again
    /// until it answers.
    @Test func hangingCard_isGuessed_untilItAnswers() async throws {
        let gate = Gate(isOpen: false)
        let askedCount = Atomic(0)
        let survey = CardSurvey { number in
            if number == 1 {
                askedCount.add(1, ordering: .relaxed)
                gate.pass()
            }
            return .success(number == 2 ? nil : Card(Route(id: "\(number)", kind: .usb), devices: []))
        } guess: { number in
            number == 1 ? Card(Route(id: "perhaps", kind: .usb), devices: []) : nil
        }
        for _ in 0..<3 {
            #expect(try survey.cards([0, 1, 2, 3]).map(\.route.id) == ["0", "perhaps", "3"])
        }
        #expect(askedCount.load(ordering: .relaxed) == 1)
        gate.open()
        try await waitUntil { try survey.cards([0, 1, 2, 3]).map(\.route.id) == ["0", "1", "3"] }
        // If the card hangs again, the survey reports its last known answer.
        gate.shut()
        #expect(try survey.cards([0, 1, 2, 3]).map(\.route.id) == ["0", "1", "3"])
        gate.open()
    }

    @Test func cardsThatCannotBeQueried_areNotReportedAsRemoved() {
        let failure = AlsaError("identify a sound card", -EMFILE)
        let survey = CardSurvey {
            $0 == 1 ? .failure(failure) : .success(nil)
        } guess: { _ in
            nil
        }
        #expect(throws: failure) { try survey.cards([0, 1]) }
    }

    /// udev sends events only to sockets that joined one of its groups.
    @Test(.enabled(if: SystemCards().changeDescriptor != nil, "the system lets nobody listen"))
    func udevEvents_areSubscribedTo() throws {
        let cards = SystemCards()
        let descriptor = try #require(cards.changeDescriptor)
        // An address holds the family, the port number, and the mask of groups.
        var address: [UInt32] = [0, 0, 0]
        var length = socklen_t(12)
        let status = address.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        #expect(status == 0)
        // The kernel assigns the number when the socket is bound.
        #expect(address[1] != 0)
    }

    @Test func cardThatMayNotBeUsed_isPresent_removedCardIsNot() {
        // A card that fails to open may play all the same, so the speaker tries it.
        for number in [EACCES, EPERM, EIO, EINVAL] { #expect(CardAccess(openStatus: -number) == .unasked) }
        for number in [ENODEV, ENOENT, ENXIO] { #expect(CardAccess(openStatus: -number) == .none) }
        for number in [EMFILE, ENFILE, ENOMEM] {
            #expect(CardAccess(openStatus: -number) == .unknown(AlsaError("identify a sound card", -number)))
        }
        #expect(CardAccess(openStatus: 0) == .open)
    }

    @Test func kind_dependsOnTheDriver() {
        func kind(_ driver: String, _ id: String, _ device: String, isUSB: Bool = false) -> Route.Kind {
            CardKind.kind(driver: driver, id: id, device: device, isUSB: isUSB)
        }
        #expect(kind("USB-Audio", "Device", "USB Audio", isUSB: true) == .usb)
        #expect(kind("bcm2835_headpho", "Headphones", "bcm2835 Headphones") == .analogue)
        #expect(kind("vc4-hdmi", "vc4hdmi0", "MAI PCM i2s-hifi-0") == .hdmi)
        #expect(kind("HDA-Intel", "PCH", "ALC256 Analog") == .analogue)
        #expect(kind("HDA-Intel", "HDMI", "HDMI 0") == .hdmi)
        #expect(kind("RPi-simple", "sndrpihifiberry", "HifiBerry DAC HiFi pcm5102a-hifi-0") == .analogue)
    }

    /// Such cards consume frames by the clock. A ring on one would be silent, but would count as audible.
    @Test func pretendedCards_areRecognised_byDriverOrId() {
        for (driver, id) in [("Loopback", "Loopback"), ("Dummy", "mine"), ("", "Loopback_1"), ("", "Dummy")] {
            #expect(CardKind.isPretended(driver: driver, id: id), "\(driver) \(id)")
        }
        for (driver, id) in [("USB-Audio", "Loopback"), ("HDA-Intel", "PCH"), ("", "Headphones")] {
            #expect(!CardKind.isPretended(driver: driver, id: id), "\(driver) \(id)")
        }
    }

    /// If a card does not state its kind, its device files decide. A card with capture devices only is no
    /// speaker.
    @Test func firstDevice_isTheFirstForPlayback() {
        let names = ["controlC1", "pcmC1D0c", "pcmC1D7p", "pcmC1D3p", "pcmC10D0p", "pcmC2D0c", "timer"]
        #expect(CardKind.firstDevice(ofCard: 1, among: names) == 3)
        #expect(CardKind.firstDevice(ofCard: 10, among: names) == 0)
        #expect(CardKind.firstDevice(ofCard: 2, among: names) == nil)
        #expect(CardKind.firstDevice(ofCard: 0, among: names) == nil)
    }

    @Test func devices_areNamedById_neverByIndex() {
        #expect(
            CardKind.names(id: "Device", device: 0, .usb) == ["plughw:CARD=Device,DEV=0", "sysdefault:CARD=Device"])
        #expect(CardKind.names(id: "vc4hdmi0", device: 0, .hdmi).first == "sysdefault:CARD=vc4hdmi0")
    }
}
