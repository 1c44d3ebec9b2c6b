// Cards that fail as they are told, and a speaker that has nothing else.

import Devices
import FaultyCard
import Foundation
import Oracles
import Sound
import Synchronization
import System

@testable import AlsaSpeaker

/// Cards of ALSA's that exist in no machine. Each is plugged in until it is said otherwise.
final class FaultyCards: CardList {
    let scratch: Scratch
    let configuration: AlsaConfiguration
    private let names: [String]
    private let kind: Route.Kind
    private let plugged: Mutex<Set<String>>
    private let changed: WakeUp
    /// Each is mapped for as long as this lives. Both sides write single numbers.
    private nonisolated(unsafe) let controls: [String: UnsafeMutablePointer<faulty_card>]
    private nonisolated(unsafe) let mixers: [String: UnsafeMutablePointer<faulty_mixer>]
    /// While it is shut, no query for the cards returns.
    let gate = Gate()

    /// Cards in the order of their worth, with mixers that are muted if they are to have any, and in ALSA's words what they
    /// take, where it is not what most cards do.
    init(
        _ names: [String], haveMixers: Bool = false, kind: Route.Kind = .analogue, taking shape: String = ""
    ) throws {
        let scratch = try Scratch()
        var controls: [String: UnsafeMutablePointer<faulty_card>] = [:]
        var mixers: [String: UnsafeMutablePointer<faulty_mixer>] = [:]
        let library = "{ lib \"\(Program.built("librooster-faulty-card.so"))\" }\n"
        var text = "pcm_type.faulty \(library)ctl_type.faulty \(library)"
        for name in names {
            let path = "\(scratch.path)/\(name)"
            controls[name] = try sharedFile(of: faulty_card.self, at: "\(path).control")
            text += "pcm.\(name) { type faulty control \"\(path).control\" recording \"\(path).raw\" \(shape) }\n"
            guard haveMixers else { continue }
            mixers[name] = try sharedFile(of: faulty_mixer.self, at: "\(path).mixer")
            text += "ctl.\(name)-mixer { type faulty control \"\(path).mixer\" }\n"
        }
        self.scratch = scratch
        self.names = names
        self.kind = kind
        self.controls = controls
        self.mixers = mixers
        plugged = Mutex(Set(names))
        changed = try WakeUp()
        configuration = try AlsaConfiguration(text)
    }

    deinit {
        for control in controls.values { munmap(control, MemoryLayout<faulty_card>.size) }
        for mixer in mixers.values { munmap(mixer, MemoryLayout<faulty_mixer>.size) }
    }

    /// What a card is told, and what it tells.
    func control(_ name: String) throws -> UnsafeMutablePointer<faulty_card> {
        guard let control = controls[name] else { throw FaultyCardError.unknown(name) }
        return control
    }

    /// How a card's mixer is set.
    func mixer(_ name: String) throws -> UnsafeMutablePointer<faulty_mixer> {
        guard let mixer = mixers[name] else { throw FaultyCardError.unknown(name) }
        return mixer
    }

    /// Plugs it in or pulls it out; the machine may not tell of it.
    func plug(_ name: String, _ isPlugged: Bool, isTold: Bool = true) {
        plugged.withLock { plugged in
            if isPlugged { plugged.insert(name) } else { plugged.remove(name) }
        }
        if isTold { changed.signal() }
    }

    func cards() throws(AlsaError) -> [Card] {
        gate.pass()
        let plugged = plugged.withLock { $0 }
        return names.filter(plugged.contains).map { name in
            Card(Route(id: name, kind: kind), devices: [name], mixer: mixers[name].map { _ in "\(name)-mixer" })
        }
    }

    var changeDescriptor: Int32? { changed.descriptor }

    func drainChanges() { changed.reset() }

    /// Settings for a speaker that has these cards, in this order.
    func settings(buzzer: (any Buzzer)? = nil) -> SpeakerSettings {
        var settings = SpeakerSettings(cards: self)
        settings.order = .listed(names)
        settings.configuration = configuration
        settings.buzzer = buzzer
        return settings
    }

    /// Waits until a card has played what is loud enough to be heard.
    func waitUntilHeard(_ name: String) async throws {
        let card = try control(name)
        try await waitUntil { card.pointee.first_heard_nanoseconds > 0 }
    }

    func waitUntilClosed(_ name: String) async throws {
        let card = try control(name)
        try await waitUntil { card.pointee.closes > 0 }
    }

    /// Waits until the main level of a card's mixer is set like this.
    func waitUntilMain(of name: String, is volume: Int32, isMuted: Bool) async throws {
        let mixer = try mixer(name)
        try await waitUntil {
            mixer.pointee.volumes.0 == (volume, volume) && mixer.pointee.switches.0 == (isMuted ? (0, 0) : (1, 1))
        }
    }

    /// Waits until a card plays when it is tried. A machine that is kept busy may keep the player from it for so long that it
    /// does not.
    func waitUntilPlays(_ name: String) async throws {
        let card = try cards().filter { $0.route.id == name }
        try await waitUntil { CardCheck.results(of: card, configuration)[name] == .plays }
    }

    /// All frames that a card was ever given: the values of the first channel.
    func values(_ name: String) throws -> [Int16] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/\(name).raw")))
        return stride(from: 0, to: bytes.count - 3, by: 4).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
    }
}

enum FaultyCardError: Error {
    case unknown(String)
    case nothingTold
}

/// A speaker, and what it tells.
struct Listener {
    let speaker: LinuxSpeaker
    private var reports: AsyncStream<SpeakerReport>.Iterator

    init(_ settings: SpeakerSettings) throws {
        speaker = try LinuxSpeaker.start(settings)
        reports = speaker.reports.makeAsyncIterator()
    }

    /// A speaker that is to ring.
    init(ringing settings: SpeakerSettings) throws {
        try self.init(settings)
        speaker.order(Listener.playback())
    }

    static func playback(_ reason: String = "07:00", sound: String = "chimes01", ramp seconds: Int = 0) -> SpeakerOrder
    {
        .play(
            Playback(
                reason: reason, sound: sound,
                ramp: Ramp(volume: 0.8, seconds: seconds, startUptime: Uptime.milliseconds)))
    }

    /// Waits for the next report, whatever it is.
    mutating func any() async throws -> SpeakerReport {
        guard let report = await reports.next() else { throw FaultyCardError.nothingTold }
        return report
    }

    /// Waits for a report that is of interest. What it tells of before is what the machine is like, not the sound.
    mutating func next() async throws -> SpeakerReport {
        while let report = await reports.next() {
            if case .warning = report { continue }
            return report
        }
        throw FaultyCardError.nothingTold
    }

    /// Waits until a ring is heard at last, and answers from what.
    mutating func firstOutput() async throws -> ActiveOutput {
        while true {
            if case .started(let output, _) = try await next() { return output }
        }
    }

    /// Waits for the next warning that says so.
    mutating func warning(_ words: String) async throws -> String {
        while let report = await reports.next() {
            if case .warning(let warning) = report, warning.contains(words) { return warning }
        }
        throw FaultyCardError.nothingTold
    }
}
