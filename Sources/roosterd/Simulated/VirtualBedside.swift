// A bedside without hardware, with events on command.

import Alarms
import AlsaSpeaker
import CivilTime
import Configuration
import ControlServer
import Devices
import Glibc
import JSON
import LinuxDevices
import Service
import SimulatedDevices
import Sound
import System

/// The devices of `roosterd --simulate`: a clock with a speed, and cards and a disk that fail on command. If
/// the machine has a sound card and the speed is 1, the ring is audible.
struct VirtualBedside: Simulation {
    let clock: SimulatedClock
    /// Nil if the machine's own card plays.
    private let cards: VirtualSpeaker?
    let wear: FaultyDisk.Switch
    /// Nil if no camera is configured.
    private let camera: VirtualCamera?
    private let touch: VirtualTouch
    let bedside: Bedside

    /// Creates the devices. `wear` controls the journal's disk.
    init(
        _ simulation: DaemonArguments.SimulationOptions, _ settings: SpeakerSettings, _ configuration: Configuration,
        _ wear: FaultyDisk.Switch, log: @escaping Log
    ) throws(SystemCallError) {
        self.wear = wear
        let now = LinuxClock(zoneName: { "" }).reading.wallMilliseconds
        clock = SimulatedClock(
            wallMilliseconds: simulation.clock.map { $0.secondsSince1970 * 1000 } ?? now, speed: simulation.speed,
            zoneName: simulation.zone ?? ZoneCatalogue.deviceZoneName() ?? "")
        let speaker: any Speaker
        if simulation.speed == 1, !simulation.isSilent, VirtualBedside.hasCard(settings) {
            cards = nil
            speaker = try LinuxSpeaker.start(settings)
        } else {
            let cards = VirtualSpeaker(
                [
                    SimulatedCard(Route(id: "Speaker", kind: .usb, name: "USB speaker")),
                    SimulatedCard(Route(id: "Headphones", kind: .analogue, name: "Headphones")),
                ], hasBuzzer: configuration.buzzer.output != nil, clock: clock)
            (self.cards, speaker) = (cards, cards)
        }
        camera = configuration.camera.isUsed ? VirtualCamera(clock: clock) : nil
        touch = VirtualTouch(configuration, clock, log: log)
        var bedside = Bedside(
            clock: clock, timer: clock, speaker: speaker, sounds: settings.sounds, camera: camera, timeScale: clock,
            isSimulated: true)
        touch.stand(at: &bedside)
        self.bedside = bedside
    }

    private static func hasCard(_ settings: SpeakerSettings) -> Bool {
        do throws(AlsaError) {
            return try !settings.cards.cards().isEmpty
        } catch {
            // Cards that cannot be listed cannot play either.
            return false
        }
    }

    // MARK: Events

    /// Makes all changes that the members describe, or none if one is impossible. Returns the reason.
    func change(_ json: JSON, in zone: Zone) -> String? {
        guard case .object(let members) = json else { return "say what is to happen" }
        var changes: [() -> Void] = []
        for member in members where member.name != "holdMilliseconds" {
            do throws(Impossible) {
                if member.name == "press" {
                    let hold = members.first { $0.name == "holdMilliseconds" }?.value
                    changes.append(try touch.press(member.value, holding: hold))
                    continue
                }
                changes.append(try change(member.name, member.value, in: zone))
            } catch {
                return "\(member.name): \(error.words)"
            }
        }
        for change in changes { change() }
        return nil
    }

    private func change(_ name: String, _ value: JSON, in zone: Zone) throws(Impossible) -> () -> Void {
        switch (name, value) {
        case ("clock", .string(let text)):
            let instant = Instant(text, rounding: .down) ?? CivilDateTime(text).map { zone.instants(of: $0).first }
            guard let instant else {
                throw Impossible("\(text.debugDescription) is neither an instant nor a local time")
            }
            return { clock.jump(byMilliseconds: instant.secondsSince1970 * 1000 - clock.reading.wallMilliseconds) }
        case ("by", .number(let digits)):
            guard let seconds = Int(digits), seconds.magnitude < 1 << 32 else {
                throw Impossible("\(digits) is no number of seconds")
            }
            return { clock.jump(byMilliseconds: seconds * 1000) }
        case ("speed", .number(let digits)):
            guard let speed = Double(digits), SimulatedClock.speeds.contains(speed) else {
                let (slowest, fastest) = (SimulatedClock.speeds.lowerBound, Int(SimulatedClock.speeds.upperBound))
                throw Impossible("\(digits) is no speed between \(slowest) and \(fastest)")
            }
            guard cards != nil else { throw Impossible("a real sound card plays: it keeps to real time") }
            return { clock.speed = speed }
        case ("zone", .string(let name)):
            var zones = ZoneCatalogue()
            do throws(ZoneError) {
                let zone = try zones.zone(named: name)
                return { clock.zoneName = zone.name }
            } catch {
                throw Impossible("\(error)")
            }
        case ("trusted", .bool(let isTrusted)): return { clock.trust = isTrusted ? .synchronised : .nobody }
        case ("disk", .string(let text)):
            let wear = try self.wear(text)
            return { self.wear.wear = wear }
        case ("camera", _) where camera == nil, ("show", _) where camera == nil:
            throw Impossible("there is no camera: the configuration says 'use = false' of it")
        case ("camera", .string(let text)):
            guard let fault = CameraFault(rawValue: text) else {
                guard text == "ok" else {
                    let faults = CameraFault.allCases.map(\.rawValue).joined(separator: ", ")
                    throw Impossible("\(text.debugDescription) is none of ok, \(faults)")
                }
                return { camera?.change(to: nil) }
            }
            return { camera?.change(to: fault) }
        case ("show", .null): return { camera?.show(nil) }
        case ("show", .string(let payload)): return { camera?.show(ReadCode(.qr, payload: Array(payload.utf8))) }
        case ("steps", _), ("tag", _), ("key", _): return try touch.change(name, value)
        case ("card", .object(let members)): return try changeCard(members)
        default: throw Impossible("nobody knows what that would be")
        }
    }

    private func wear(_ text: String) throws(Impossible) -> FaultyDisk.Wear {
        switch text {
        case "ok": nil
        case "full": .full
        case "failing": .worn
        default: throw Impossible("\(text.debugDescription) is none of ok, full and failing")
        }
    }

    private func changeCard(_ members: [JSON.Member]) throws(Impossible) -> () -> Void {
        guard let cards else { throw Impossible("the machine's own sound card plays: pull its plug") }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        guard case .string(let id)? = values["id"], cards.cards.contains(where: { $0.route.id == id }) else {
            throw Impossible("id is none of \(cards.cards.map(\.route.id).joined(separator: ", "))")
        }
        let fault = try values["fault"].map(readFault)
        return {
            if case .bool(let isPlugged)? = values["plugged"] { cards.change(id) { $0.isPlugged = isPlugged } }
            if let fault { cards.change(id) { $0.fault = fault } }
        }
    }

    private func readFault(_ value: JSON) throws(Impossible) -> CardFault? {
        if value == .null { return nil }
        guard case .string(let name) = value, let fault = VirtualBedside.faults[name] else {
            throw Impossible("fault is none of \(VirtualBedside.faults.keys.sorted().joined(separator: ", ")) and null")
        }
        return fault
    }

    private static let faults: [String: CardFault] = [
        "stalls": .stalls, "hangs": .opensNever, "refuses": .refuses(errorNumber: EBUSY),
        "breaks": .breaks(errorNumber: ENODEV),
    ]
}
