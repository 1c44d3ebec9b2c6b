// A bedside without hardware, with events on command.

import API
import Alarms
import AlsaSpeaker
import CivilTime
import Configuration
import ControlServer
import Devices
import EventLoop
import Glibc
import LinuxDevices
import Service
import SimulatedDevices
import Sound
import System
import Text

/// The devices of `roosterd --simulate`: a clock with a speed, and cards and a disk that fail on command. If
/// the machine has a sound card and the speed is 1, the ring is audible.
struct VirtualBedside: SimulationControl {
    let clock: SimulatedClock
    /// Nil if the machine's own card plays.
    private let cards: VirtualSpeaker?
    let wear: FaultyDisk.Switch
    /// Nil if no camera is configured.
    private let camera: VirtualCamera?
    private let peripherals: VirtualPeripherals
    private let pictures: PictureReader
    private let battery: ClockBattery
    private let loop: EventLoop
    let bedside: Bedside

    /// Creates the devices. `wear` controls the journal's disk. `state` is the folder of the alarms.
    init(
        _ simulation: DaemonArguments.SimulationOptions, _ settings: SpeakerSettings, _ configuration: Configuration,
        _ wear: FaultyDisk.Switch, state: String, on loop: EventLoop, log: @escaping Log
    ) throws(SystemCallError) {
        (self.wear, self.loop) = (wear, loop)
        battery = ClockBattery(path: "\(state)/clock")
        pictures = PictureReader(configuration.camera.symbologies)
        let now = VirtualBedside.machineMilliseconds + battery.aheadMilliseconds
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
        peripherals = VirtualPeripherals(configuration, clock, log: log)
        var bedside = Bedside(
            clock: clock, timer: clock, speaker: speaker, sounds: settings.sounds, camera: camera, timeScale: clock,
            isSimulated: true)
        peripherals.add(to: &bedside)
        self.bedside = bedside
    }

    private static var machineMilliseconds: Int { LinuxClock(zoneName: { "" }).reading.wallMilliseconds }

    private static func hasCard(_ settings: SpeakerSettings) -> Bool {
        do throws(AlsaError) {
            return try !settings.cards.cards().isEmpty
        } catch {
            // Cards that cannot be listed cannot play either.
            return false
        }
    }

    // MARK: Events

    /// Applies all changes; or none, if one of them is impossible. A picture is read first, on a thread.
    func apply(_ changes: SimulateBedside, in zone: Zone, then report: @escaping @Sendable (String?) -> Void) {
        guard let picture = changes.picture else { return report(apply(changes, nil, in: zone)) }
        pictures.read(picture) { scene in
            Task(executorPreference: loop) {
                switch scene {
                case .success(let scene): report(apply(changes, scene, in: zone))
                case .failure(let reason): report("picture: \(reason.text)")
                }
            }
        }
    }

    private func apply(_ changes: SimulateBedside, _ scene: CameraScene?, in zone: Zone) -> String? {
        var steps: [() -> Void] = []
        func add<Value>(
            _ name: String, _ value: Value?, _ step: (Value) throws(Impossible) -> () -> Void
        ) throws(Impossible) {
            guard let value else { return }
            do throws(Impossible) {
                steps.append(try step(value))
            } catch {
                throw Impossible("\(name): \(error.text)")
            }
        }
        do throws(Impossible) {
            try add("clock", changes.clock) { text throws(Impossible) in try setClock(text, in: zone) }
            try add("by", changes.by, stepClock)
            try add("speed", changes.speed, setSpeed)
            try add("zone", changes.zone, setZone)
            try add("trusted", changes.trusted) { isTrusted in
                { clock.trust = isTrusted ? .synchronised : .nobody }
            }
            try add("card.id", changes.card, changeCard)
            try add("disk", changes.disk) { text throws(Impossible) in
                let wear = try self.wear(text)
                return { self.wear.wear = wear }
            }
            try add("camera", changes.camera, changeCamera)
            try add("show", changes.show, show)
            try add("picture", scene) { scene throws(Impossible) in
                let camera = try usedCamera()
                return { camera.show(scene) }
            }
            try add("holdMilliseconds", changes.holdMilliseconds) { milliseconds throws(Impossible) in
                guard VirtualPeripherals.holds ~= milliseconds else { throw Impossible("must be between 0 and 10 min") }
                return {}
            }
            try add("press", changes.press) { text throws(Impossible) in
                try peripherals.press(
                    text, milliseconds: changes.holdMilliseconds ?? VirtualPeripherals.shortMilliseconds)
            }
            try add("release", changes.release, peripherals.release)
            try add("steps", changes.steps, peripherals.step)
            try add("tag", changes.tag, peripherals.hold)
            try add("key", changes.key, peripherals.type)
            try add("power", changes.power, changePower)
        } catch {
            return error.text
        }
        for step in steps { step() }
        return nil
    }

    private func setClock(_ text: String, in zone: Zone) throws(Impossible) -> () -> Void {
        let instant = Instant(text, rounding: .down) ?? CivilDateTime(text).map { zone.instants(of: $0).first }
        guard let instant else { throw Impossible("must be an instant or a local time, not \(text.quoted)") }
        return { clock.jump(byMilliseconds: instant.secondsSince1970 * 1000 - clock.reading.wallMilliseconds) }
    }

    private func stepClock(seconds: Int) throws(Impossible) -> () -> Void {
        guard seconds.magnitude < 1 << 32 else { throw Impossible("must be less than 136 years") }
        return { clock.jump(byMilliseconds: seconds * 1000) }
    }

    private func setSpeed(_ speed: Double) throws(Impossible) -> () -> Void {
        guard SimulatedClock.speeds.contains(speed) else {
            let (slowest, fastest) = (SimulatedClock.speeds.lowerBound, Int(SimulatedClock.speeds.upperBound))
            throw Impossible("must be between \(slowest) and \(fastest), not \(speed)")
        }
        guard cards != nil else {
            throw Impossible("cannot change while a real sound card plays (start with --silent)")
        }
        return { clock.speed = speed }
    }

    private func setZone(_ name: String) throws(Impossible) -> () -> Void {
        var zones = ZoneCatalogue()
        do throws(ZoneError) {
            let zone = try zones.zone(named: name)
            return { clock.zoneName = zone.name }
        } catch {
            throw Impossible("\(error)")
        }
    }

    private func usedCamera() throws(Impossible) -> VirtualCamera {
        guard let camera else { throw Impossible("needs a camera ('use = true' for it in the configuration)") }
        return camera
    }

    private func changeCamera(_ text: String) throws(Impossible) -> () -> Void {
        let camera = try usedCamera()
        let fault = CameraFault(rawValue: text)
        guard fault != nil || text == "ok" else {
            let faults = CameraFault.allCases.map(\.rawValue).joined(separator: ", ")
            throw Impossible("must be one of ok, \(faults), not \(text.quoted)")
        }
        return { camera.change(to: fault) }
    }

    private func show(_ payload: String) throws(Impossible) -> () -> Void {
        let camera = try usedCamera()
        let codes = payload.isEmpty ? [] : [ReadCode(.qr, payload: Array(payload.utf8))]
        return { camera.show(CameraScene(codes: codes)) }
    }

    private func wear(_ text: String) throws(Impossible) -> FaultyDisk.Wear {
        switch text {
        case "ok": nil
        case "full": .full
        case "failing": .worn
        default: throw Impossible("must be one of ok, full, failing, not \(text.quoted)")
        }
    }

    private func changePower(_ text: String) throws(Impossible) -> () -> Void {
        guard text == "cut" else { throw Impossible("must be cut, not \(text.quoted)") }
        return {
            battery.keep(aheadMilliseconds: clock.reading.wallMilliseconds - VirtualBedside.machineMilliseconds)
            // The answer to the request is sent before. Nothing else is finished.
            Task(executorPreference: loop) { kill(getpid(), SIGKILL) }
        }
    }

    private func changeCard(_ change: SimulateBedside.Card) throws(Impossible) -> () -> Void {
        guard let cards else { throw Impossible("cannot change while a real sound card plays (start with --silent)") }
        guard cards.cards.contains(where: { $0.route.id == change.id }) else {
            let known = cards.cards.map(\.route.id).joined(separator: ", ")
            throw Impossible("must be one of \(known), not \(change.id.quoted)")
        }
        let fault = try change.fault.map(readFault)
        return {
            cards.change(change.id) {
                if let isPlugged = change.plugged { $0.isPlugged = isPlugged }
                if let fault { $0.fault = fault }
            }
        }
    }

    private func readFault(_ name: String) throws(Impossible) -> CardFault? {
        if name == "none" { return nil }
        guard let fault = VirtualBedside.faults[name] else {
            let known = VirtualBedside.faults.keys.sorted().joined(separator: ", ")
            throw Impossible("must have a fault that is one of none, \(known), not \(name.quoted)")
        }
        return fault
    }

    private static let faults: [String: CardFault] = [
        "stalls": .stalls, "hangs": .opensNever, "refuses": .refuses(errorNumber: EBUSY),
        "breaks": .breaks(errorNumber: ENODEV),
    ]
}

// MARK: The report

extension VirtualBedside {
    func report(in zone: Zone) -> BedsideReport {
        let moment = clock.reading
        let instant = Instant(secondsSince1970: moment.wallMilliseconds / 1000)
        var report = BedsideReport(
            local: LocalTime(instant, in: zone), speed: clock.speed, trusted: clock.trust.isTrusted, disk: diskName)
        report.cards = (cards?.cards ?? []).map { card in
            let fault = VirtualBedside.faults.first { $0.value == card.fault }?.key ?? "none"
            return .init(id: card.route.id, name: card.route.name, plugged: card.isPlugged, fault: fault)
        }
        report.camera = camera.map(VirtualBedside.report)
        peripherals.add(to: &report, uptime: moment.uptimeMilliseconds)
        return report
    }

    private var diskName: String {
        switch wear.wear {
        case nil: "ok"
        case .full: "full"
        default: "failing"
        }
    }

    private static func report(_ camera: VirtualCamera) -> BedsideReport.Camera {
        let (fault, scene, isOn) = camera.present
        return .init(
            state: fault?.rawValue ?? "ok", on: isOn,
            codes: scene.codes.map { String(decoding: $0.payload, as: UTF8.self) }, picture: scene.preview != nil,
            light: scene.light, sharpness: scene.sharpness)
    }
}
