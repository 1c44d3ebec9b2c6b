// The faulty sound cards of a test, and a speaker that sees only those.

import Devices
import FaultyCard
import Foundation
import Oracles
import Sound
import Synchronization
import System

@testable import AlsaSpeaker

/// ALSA cards that exist in no machine. Each is plugged in until the test pulls it out.
final class FaultyCards: CardList {
    let scratch: Scratch
    let configuration: AlsaConfiguration
    private let names: [String]
    private let kind: Route.Kind
    private let plugged: Mutex<Set<String>>
    private let changed: WakeUp
    /// Each value is mapped while this object lives. Both sides write only single numbers.
    private nonisolated(unsafe) let controls: [String: UnsafeMutablePointer<faulty_card>]
    private nonisolated(unsafe) let mixers: [String: UnsafeMutablePointer<faulty_mixer>]
    /// While the gate is shut, a query for the cards blocks.
    let gate = Gate()

    /// Sets up the named cards, the best one first. If `haveMixers` is set, each has a muted mixer. `shape`
    /// is ALSA's text for formats, channels and rates that differ from the default.
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

    /// Returns the fields through which a test controls and observes a card.
    func control(_ name: String) throws -> UnsafeMutablePointer<faulty_card> {
        guard let control = controls[name] else { throw FaultyCardError.unknown(name) }
        return control
    }

    /// Returns the state of a card's mixer.
    func mixer(_ name: String) throws -> UnsafeMutablePointer<faulty_mixer> {
        guard let mixer = mixers[name] else { throw FaultyCardError.unknown(name) }
        return mixer
    }

    /// Plugs a card in or pulls it out. Sends the change event only if `isTold` is set, because udev may
    /// miss one.
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

    /// Returns settings for a speaker with these cards, in this order.
    func settings(buzzer: (any Buzzer)? = nil) -> SpeakerSettings {
        var settings = SpeakerSettings(cards: self)
        settings.order = .listed(names)
        settings.configuration = configuration
        settings.buzzer = buzzer
        return settings
    }

    /// Waits until a card has played an audible frame.
    func waitUntilHeard(_ name: String) async throws {
        let card = try control(name)
        try await waitUntil { card.pointee.first_heard_nanoseconds > 0 }
    }

    func waitUntilClosed(_ name: String) async throws {
        let card = try control(name)
        try await waitUntil { card.pointee.closes > 0 }
    }

    /// Waits until the main element of a card's mixer has this volume and mute.
    func waitUntilMain(of name: String, is volume: Int32, isMuted: Bool) async throws {
        let mixer = try mixer(name)
        try await waitUntil {
            mixer.pointee.volumes.0 == (volume, volume) && mixer.pointee.switches.0 == (isMuted ? (0, 0) : (1, 1))
        }
    }

    /// Waits until a check says that a card plays. On a busy machine the player may run too late for the
    /// first checks.
    func waitUntilPlays(_ name: String) async throws {
        let card = try cards().filter { $0.route.id == name }
        try await waitUntil { CardCheck.results(of: card, configuration)[name] == .plays }
    }

    /// Returns all frames that a card has received: the values of the first channel.
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

/// A speaker and the stream of its reports.
struct Listener {
    let speaker: LinuxSpeaker
    private var reports: AsyncStream<SpeakerReport>.Iterator

    init(_ settings: SpeakerSettings) throws {
        speaker = try LinuxSpeaker.start(settings)
        reports = speaker.reports.makeAsyncIterator()
    }

    /// Starts a speaker and orders a ring.
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

    /// Waits for the next report of any kind.
    mutating func any() async throws -> SpeakerReport {
        guard let report = await reports.next() else { throw FaultyCardError.nothingTold }
        return report
    }

    /// Waits for the next report other than a warning. Warnings before it describe the machine, not the
    /// sound.
    mutating func next() async throws -> SpeakerReport {
        while let report = await reports.next() {
            if case .warning = report { continue }
            return report
        }
        throw FaultyCardError.nothingTold
    }

    /// Waits until a ring is audible, and returns the output that plays it.
    mutating func firstOutput() async throws -> ActiveOutput {
        while true {
            if case .started(let output, _) = try await next() { return output }
        }
    }

    /// Waits for the next warning that contains this text.
    mutating func warning(_ text: String) async throws -> String {
        while let report = await reports.next() {
            if case .warning(let warning) = report, warning.contains(text) { return warning }
        }
        throw FaultyCardError.nothingTold
    }
}
