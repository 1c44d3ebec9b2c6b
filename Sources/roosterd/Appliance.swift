// The wiring: creates all parts and connects them.

import Alarms
import AlsaSpeaker
import CLinux
import CivilTime
import Configuration
import ControlServer
import Devices
import EventLoop
import Glibc
import Journal
import LinuxDevices
import Service
import SimulatedDevices
import Synchronization
import System

/// The whole service, from its start to its end.
struct Appliance: Sendable {
    private let loop: EventLoop
    private let supervisor: Supervisor
    private let simulation: DaemonArguments.SimulationOptions?
    private let paths: ServicePaths
    private let configuration: Configuration
    /// The problems of the configuration. They cost a warning, never a ring.
    private let warnings: [String]
    private let log: Log
    /// The simulated wear of the journal's disk.
    private let wear = FaultyDisk.Switch()

    /// Creates the loop. It opens nothing that another roosterd may be using.
    init(
        _ arguments: DaemonArguments, _ reading: ConfigurationReading, _ paths: ServicePaths, log: @escaping Log
    ) throws(StartError) {
        (self.paths, self.log) = (paths, log)
        simulation = arguments.simulation
        configuration = reading.configuration
        if !reading.isThere { log(LogLine(.info, "There is no file \(reading.path), so every option has its default")) }
        let missing = reading.configuration.missing.map { "\(reading.path): \($0)" }
        warnings = (reading.problems.map(\.description) + missing).map { "The configuration: \($0)" }
        do {
            loop = try EventLoop()
            supervisor = try Supervisor(on: loop)
        } catch let error as StartError {
            throw error
        } catch {
            throw StartError("roosterd cannot start (\(error))")
        }
    }

    /// Runs until a signal. Alarms that ring at that time continue at the next start.
    func run(until signals: EndSignals) throws(StartError) {
        do throws(SystemCallError) {
            try loop.start(named: "rooster")
        } catch {
            throw StartError("roosterd cannot start (\(error))")
        }
        switchLinesOff()
        let journal = try recoverJournal(signals)
        guard let journal else { return }
        // Only the owner of the journal may use the cards and mixers: another roosterd may have been ringing
        // until now.
        let devices = try devices()
        let service = Service(
            devices.bedside, recovering: journal, on: loop, warnings: warnings + devices.warnings, log: log)
        let endpoints = ControlEndpoints(
            to: service,
            [
                ControlEndpoint(at: paths.socket, group: configuration.control.group, for: .programs),
                ControlEndpoint(at: paths.webSocket, group: configuration.control.webGroup, for: .clients),
            ], devices.virtual, on: loop, telling: supervisor, log)
        let start = Task(executorPreference: loop) {
            var random = SystemRandomNumberGenerator()
            let key = CodeKey((0..<CodeKey.byteCount).map { _ in UInt8.random(in: 0...255, using: &random) })
            await service.start(hardware(of: devices.bedside), newCodeKey: key, seed: random.next())
            await endpoints.open()
            let text = await endpoints.statusText
            // This replaces the status of an earlier failure.
            supervisor.notify(["READY": "1", "STATUS": text])
            log(LogLine(.info, text))
            // Replaying the journal needed memory that is not needed again.
            linux_give_memory_back()
        }
        signals.wait()
        supervisor.notify(["STOPPING": "1"])
        let trouble = Mutex("The disk does not answer: changes that it has not saved are lost")
        Task(executorPreference: loop) {
            await start.value
            await endpoints.close()
            await service.end {
                trouble.withLock { $0 = "The sound card does not answer: its mixer may keep the volume of the ring" }
            }
            loop.end()
        }
        if !loop.waitUntilEnded(milliseconds: Appliance.endTimeoutMilliseconds) {
            log(LogLine(.warning, trouble.withLock { $0 }))
        }
    }

    /// Switches off the lines that a killed roosterd left on.
    private func switchLinesOff() {
        guard simulation == nil else { return }
        for failure in configuration.switchOff() { log(LogLine(.warning, "Not switched off: \(failure)")) }
    }

    /// Creates the buzzer, the last resort, if one is configured.
    private func buzzer() -> (any Buzzer)? {
        guard let output = configuration.buzzer.output else { return nil }
        do throws(LineFailure) {
            let buzzer = try LinuxBuzzer.start(output)
            // If the line is busy now, it may be free when the buzzer is needed.
            do throws(LineFailure) { try buzzer.check() } catch {
                log(LogLine(.warning, "The buzzer cannot be used now: \(error)"))
            }
            return buzzer
        } catch {
            log(LogLine(.error, "The buzzer cannot be used: \(error)"))
            return nil
        }
    }

    /// The kinds of challenge that the configured hardware allows.
    private func hardware(of bedside: Bedside) -> ChallengeHardware {
        var kinds: Set<Challenge.Kind> = [.math, .roulette]
        if bedside.camera != nil { kinds.insert(.qr) }
        if bedside.stepSensor != nil { kinds.insert(.steps) }
        if bedside.tagReader != nil { kinds.insert(.tag) }
        let buttons = configuration.buttons.inputs
        if buttons.count == Button.allCases.count { kinds.insert(.pattern) }
        return ChallengeHardware(
            kinds: kinds, hasButtons: buttons[.stop] != nil, hasShaker: configuration.shaker.output != nil,
            symbologies: configuration.camera.symbologies)
    }

    private func devices() throws(StartError) -> (bedside: Bedside, virtual: VirtualBedside?, warnings: [String]) {
        var speaker = SpeakerSettings(configuration.speaker, paths)
        do {
            if let simulation {
                let virtual = try VirtualBedside(
                    simulation, speaker, configuration, wear, state: paths.state, on: loop, log: log)
                return (virtual.bedside, virtual, [])
            }
            let clock = LinuxClock { ZoneCatalogue.deviceZoneName() ?? "" }
            let timer = try LinuxTimer(on: loop, clock: clock)
            speaker.buzzer = buzzer()
            let options = configuration.camera
            let camera = CameraSettings(name: options.name.nonempty, powerLine: options.powerLine)
            var bedside = Bedside(
                clock: clock, timer: timer, speaker: try LinuxSpeaker.start(speaker), sounds: speaker.sounds,
                waker: LinuxWaker(clock: clock), camera: options.isUsed ? LinuxCamera(camera, on: loop) : nil)
            addPeripherals(to: &bedside)
            let unwatched = timer.zoneProblem.map { "Another time zone takes effect only at the next start (\($0))" }
            return (bedside, nil, unwatched.map { [$0] } ?? [])
        } catch {
            throw StartError("roosterd cannot start (\(error))")
        }
    }

    /// Adds the configured buttons, lamps, sunrise, shaker, keypad, step sensor and tag reader.
    private func addPeripherals(to bedside: inout Bedside) {
        let (buttons, lamps) = (configuration.buttons.inputs, configuration.lamps.outputs)
        if !buttons.isEmpty { bedside.buttons = LoopDriver(buttons: buttons, on: loop) }
        if !lamps.isEmpty { bedside.lamps = LinuxLamps(lamps, on: loop) }
        if let output = configuration.lamps.sunrise { bedside.sunrise = LinuxSunriseLamp(output, on: loop) }
        if let output = configuration.shaker.output { bedside.shaker = LinuxShaker(output, on: loop) }
        if configuration.keypad.isUsed {
            bedside.keypad = LoopDriver(keypad: configuration.keypad.name.nonempty, on: loop)
        }
        switch configuration.steps.source {
        case .line(let input)?: bedside.stepSensor = LoopDriver(line: input, on: loop)
        case .counter(let name)?: bedside.stepSensor = LoopDriver(counter: name, on: loop)
        case nil: break
        }
        guard configuration.tags.isUsed else { return }
        do throws(TagReaderFailure) {
            bedside.tagReader = try LinuxTagReader(name: configuration.tags.reader.nonempty)
        } catch {
            log(LogLine(.error, "The tag reader cannot be used: \(error)"))
        }
    }

    /// Opens the journal, with retries, since no alarm rings without it. Returns nil after a signal.
    private func recoverJournal(_ signals: EndSignals) throws(StartError) -> RecoveredJournal? {
        var refusing: RefusingSocket?
        defer { refusing?.close() }
        while true {
            do throws(JournalError) {
                return try open()
            } catch {
                switch error {
                case .unreadable(let failure): reportUnreadableJournal(error, paths.advice(on: failure), &refusing)
                // An exit would not help: systemd would restart roosterd, which would find the same journal.
                case .otherFormat: reportUnreadableJournal(error, "", &refusing)
                default: throw StartError("\(error)")
                }
            }
            if signals.wait(seconds: Appliance.retrySeconds) { return nil }
        }
    }

    private func reportUnreadableJournal(_ error: JournalError, _ advice: String, _ refusing: inout RefusingSocket?) {
        let text = "No alarm can ring. \(error).\(advice) roosterd tries again every few seconds."
        if refusing == nil {
            do throws(ListeningError) {
                refusing = try RefusingSocket(at: paths.socket, group: configuration.control.group, because: text)
            } catch {
                log(LogLine(.error, "Clients get no answer until alarms can ring: \(error)"))
            }
        }
        log(LogLine(.error, text))
        supervisor.notify(["STATUS": "\(error)"])
    }

    private static let retrySeconds = 5
    /// The longest wait for a hung disk or card at the end. systemd waits a second longer.
    private static let endTimeoutMilliseconds: Int32 = 4000

    private func open() throws(JournalError) -> RecoveredJournal {
        let disk: LinuxDisk
        do throws(DiskError) {
            disk = try LinuxDisk(directory: paths.state)
        } catch {
            throw .unreadable(error)
        }
        guard simulation != nil else { return try RecoveredJournal(openingOn: disk) }
        return try RecoveredJournal(openingOn: FaultyDisk(disk, wear))
    }
}

extension Configuration {
    /// Switches off all outputs. Returns the failures.
    func switchOff() -> [String] {
        LinuxDevices.switchOff(outputs).map { "\($0)" }
            + [lamps.sunrise.flatMap { LinuxDevices.switchOff($0) }].compactMap { $0.map { "\($0)" } }
    }

    /// The configured group and sound directory that do not exist, each with its option. Defaults are not
    /// checked: the installation creates the group, and the owner creates the directory if needed.
    var missing: [String] {
        let standard = Configuration()
        var missing: [String] = []
        for (option, group, known) in [
            ("control.group", control.group, standard.control.group),
            ("control.webGroup", control.webGroup, standard.control.webGroup),
        ] where group != known && !group.isEmpty && getgrnam(group) == nil {
            missing.append("\(option): must be a group of this machine, not \(group.debugDescription)")
        }
        if speaker.sounds != standard.speaker.sounds, access(speaker.sounds, F_OK) != 0 {
            missing.append(
                "speaker.sounds: must be a folder, not \(speaker.sounds) (\(String(cString: strerror(errno))))")
        }
        return missing
    }
}

struct StartError: Error, CustomStringConvertible {
    let text: String
    var description: String { text }

    init(_ text: String) {
        self.text = text
    }
}

extension SpeakerSettings {
    fileprivate init(_ configuration: Configuration.SpeakerOptions, _ paths: ServicePaths) {
        self.init(cards: SystemCards(configuration.order))
        order = configuration.order
        mixerDecibels = configuration.mixerDecibels
        mixerDirectory = paths.mixers
        sounds = SoundCatalogue(
            directory: paths.sounds(configuration), marks: ReadMarks(directory: paths.reading))
    }
}

extension String {
    /// The text, or nil if it is empty.
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}
