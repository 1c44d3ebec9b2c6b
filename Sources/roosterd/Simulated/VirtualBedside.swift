// A bedside that needs no hardware, and can be told what happens to it.

import Alarms
import CivilTime
import Control
import Devices
import Glibc
import LinuxDevices
import Service
import SimulatedDevices

/// The devices of `roosterd --simulate`: a clock that runs as fast as it is told, cards that fail as they are told, and a disk
/// that does. Where the machine has a sound card and time runs as it does, what rings is heard.
struct VirtualBedside: Simulation {
    let clock: SimulatedClock
    /// Nothing where the machine's own card plays.
    private let cards: VirtualSpeaker?
    let wear = WornDisk.Switch()
    let bedside: Bedside

    init(_ simulation: Arguments.Simulation, _ settings: SpeakerSettings) throws(RouteFailure) {
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
                ], clock: clock)
            (self.cards, speaker) = (cards, cards)
        }
        bedside = Bedside(
            clock: clock, timer: clock, speaker: speaker, sounds: settings.sounds, pace: clock, isSimulated: true)
    }

    private static func hasCard(_ settings: SpeakerSettings) -> Bool {
        do throws(AlsaError) {
            return try !settings.cards.cards().isEmpty
        } catch {
            // What cannot be asked plays nothing either.
            return false
        }
    }

    // MARK: what happens to it

    /// Changes what the members say.
    func change(_ json: JSON, in zone: Zone) -> JSON {
        guard case .object(let members) = json else { return refusal("say what is to happen") }
        for member in members {
            if let words = change(member.name, member.value, in: zone) { return refusal("\(member.name): \(words)") }
        }
        return .object([.init("ok", .bool(true))])
    }

    private func refusal(_ words: String) -> JSON {
        .object([.init("ok", .bool(false)), .init("reason", .string("malformed")), .init("words", .string(words))])
    }

    /// Answers with what is wrong with it.
    private func change(_ name: String, _ value: JSON, in zone: Zone) -> String? {
        switch (name, value) {
        case ("clock", .string(let text)):
            let instant = Instant(text, rounding: .down) ?? CivilDateTime(text).map { zone.instants(of: $0).first }
            guard let instant else { return "\(text.debugDescription) is neither an instant nor a local time" }
            clock.jump(byMilliseconds: instant.secondsSince1970 * 1000 - clock.reading.wallMilliseconds)
        case ("by", .number(let digits)):
            guard let seconds = Int(digits), seconds.magnitude < 1 << 32 else {
                return "\(digits) is no number of seconds"
            }
            clock.jump(byMilliseconds: seconds * 1000)
        case ("speed", .number(let digits)):
            guard let speed = Double(digits), SimulatedClock.speeds.contains(speed) else {
                let (slowest, fastest) = (SimulatedClock.speeds.lowerBound, Int(SimulatedClock.speeds.upperBound))
                return "\(digits) is no speed between \(slowest) and \(fastest)"
            }
            guard cards != nil else { return "a real sound card plays: it keeps to real time" }
            clock.speed = speed
        case ("zone", .string(let name)):
            var zones = ZoneCatalogue()
            do throws(ZoneError) {
                clock.zoneName = try zones.zone(named: name).name
            } catch {
                return "\(error)"
            }
        case ("trusted", .bool(let isTrusted)): clock.trust = isTrusted ? .synchronised : .nobody
        case ("disk", .string(let text)): return setDisk(text)
        case ("card", .object(let members)): return changeCard(members)
        default: return "nobody knows what that would be"
        }
        return nil
    }

    private func setDisk(_ text: String) -> String? {
        switch text {
        case "ok": wear.wear = .none
        case "full": wear.wear = .full
        case "failing": wear.wear = .failing
        default: return "\(text.debugDescription) is none of ok, full and failing"
        }
        return nil
    }

    private func changeCard(_ members: [JSON.Member]) -> String? {
        guard let cards else { return "the machine's own sound card plays: pull its plug" }
        let values = Dictionary(members.map { ($0.name, $0.value) }) { $1 }
        guard case .string(let id)? = values["id"], cards.cards.contains(where: { $0.route.id == id }) else {
            return "id is none of \(cards.cards.map(\.route.id).joined(separator: ", "))"
        }
        if case .bool(let isPlugged)? = values["plugged"] { cards.change(id) { $0.isPlugged = isPlugged } }
        switch values["fault"] {
        case nil: break
        case .null?: cards.change(id) { $0.fault = nil }
        case .string(let name)?:
            guard let fault = VirtualBedside.faults[name] else {
                return "fault is none of \(VirtualBedside.faults.keys.sorted().joined(separator: ", ")) and null"
            }
            cards.change(id) { $0.fault = fault }
        default: return "fault is the name of one, or null"
        }
        return nil
    }

    private static let faults: [String: CardFault] = [
        "stalls": .stalls, "hangs": .opensNever, "refuses": .refuses(errorNumber: EBUSY),
        "breaks": .breaks(errorNumber: ENODEV),
    ]
}
