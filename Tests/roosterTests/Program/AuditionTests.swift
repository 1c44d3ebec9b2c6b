// A sound test leaves the mixer of its card as it was, however it ends.

import FaultyCard
import Foundation
import LinuxDevices
import Oracles
import Sound
import Testing

@testable import rooster

@Suite(.timeLimit(.minutes(10))) struct AuditionTests {
    let scratch: Scratch
    /// Both sides write single numbers.
    let card: UnsafeMutablePointer<faulty_card>
    let mixer: UnsafeMutablePointer<faulty_mixer>
    let audition: Audition

    init() throws {
        scratch = try Scratch()
        let path = scratch.path
        card = try sharedFile(of: faulty_card.self, at: "\(path)/card.control")
        mixer = try sharedFile(of: faulty_mixer.self, at: "\(path)/mixer.control")
        mixer.pointee.volumes.0 = (10, 20)
        let library = Program.built("librooster-faulty-card.so")
        let cards = OneCard()
        var settings = SpeakerSettings(cards: cards)
        settings.configuration = try AlsaConfiguration(
            """
            pcm_type.faulty { lib "\(library)" }
            ctl_type.faulty { lib "\(library)" }
            pcm.card { type faulty control "\(path)/card.control" }
            ctl.mixer { type faulty control "\(path)/mixer.control" }
            """)
        settings.mixerDirectory = path
        audition = Audition(
            name: "Classic Tone",
            playback: Playback(
                reason: "test", sound: "tone01", ramp: Ramp(volume: 0.8, seconds: 0, startUptime: 0)),
            seconds: 1, settings: settings, cards: cards.cards())
    }

    struct OneCard: CardList {
        func cards() -> [Card] { [Card(Route(id: "card", kind: .analogue), devices: ["card"], mixer: "mixer")] }
        var changeDescriptor: Int32? { nil }
        func drainChanges() {}
    }

    var isRaised: Bool { mixer.pointee.switches.0 == (1, 1) && mixer.pointee.volumes.0 == (100, 100) }

    /// As before, and nothing is left on the disk that would put it back once more.
    var isAsItWas: Bool {
        let isForgotten = !FileManager.default.fileExists(atPath: "\(scratch.path)/mixer-card")
        return mixer.pointee.switches.0 == (0, 0) && mixer.pointee.volumes.0 == (10, 20) && isForgotten
    }

    func waits(_ milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

    @Test func mixer_isPutBack_whenTheSoundWasHeard() throws {
        var wasRaised = false
        try audition.run { milliseconds in
            waits(milliseconds)
            wasRaised = wasRaised || isRaised
            // From now on, everything takes its time.
            if isRaised { mixer.pointee.write_milliseconds = 100 }
            return true
        }
        #expect(wasRaised)
        #expect(card.pointee.taken_frames > 48_000 / 2)
        #expect(isAsItWas)
    }

    @Test func mixer_isPutBack_whenSomebodyHasHadEnough() throws {
        try audition.run { milliseconds in
            waits(milliseconds)
            guard isRaised else { return true }
            mixer.pointee.write_milliseconds = 100
            return false
        }
        #expect(mixer.pointee.lowerings > 0, "it was raised")
        #expect(isAsItWas)
    }

    @Test func mixer_isPutBack_whenNothingIsHeard() throws {
        card.pointee.stalls = 1
        #expect(throws: Refusal.self) {
            try audition.run { milliseconds in
                waits(milliseconds)
                if isRaised { mixer.pointee.write_milliseconds = 100 }
                return true
            }
        }
        #expect(mixer.pointee.lowerings > 0, "it was raised")
        #expect(isAsItWas)
    }

    @Test func mixerOfATestThatWasKilled_isPutBackByTheNext() throws {
        let text = "rooster-mixer/1\n0 0=10,1=20 0=0,1=0 Master\n"
        _ = try scratch.file("mixer-card", holding: text)
        mixer.pointee.volumes.0 = (100, 100)
        mixer.pointee.switches.0 = (1, 1)
        try audition.run { milliseconds in
            waits(milliseconds)
            return true
        }
        #expect(isAsItWas)
    }

    @Test func state_isKeptWhereTheUserKeepsIt() {
        func path(isRoot: Bool, _ variables: [String: String]) -> String {
            StateDirectory.path(isRoot: isRoot) { variables[$0] }
        }
        #expect(path(isRoot: false, ["HOME": "/home/a"]) == "/home/a/.local/state/rooster")
        #expect(path(isRoot: false, ["HOME": "/home/a", "XDG_STATE_HOME": "/s"]) == "/s/rooster")
        #expect(path(isRoot: false, ["HOME": "/home/a", "XDG_STATE_HOME": "s"]) == "/home/a/.local/state/rooster")
        #expect(path(isRoot: true, ["HOME": "/root"]) == "/var/lib/rooster/sound-test")
        #expect(path(isRoot: false, [:]) == "/var/lib/rooster/sound-test")
    }
}
